import Foundation
import HealthEngine
import NIOCore
import Synchronization

#if canImport(Glibc)
    import Glibc
#endif

/// The answers to recent requests about one store, until it changes.
///
/// A change is noticed without reading the store: this process's commits are counted, and those of other processes change
/// the dates of the store's files. So most requests of a page need no thread.
final class AnswerCache: Sendable {
    /// What an answer depends on besides the store.
    struct Key: Hashable, Sendable {
        var route: String
        var query: String
        var bundleIdentifier: String
        var permission: Caller.Permission
        var timeZone: String
    }

    /// A state of the store.
    struct Version: Hashable, Sendable {
        fileprivate var commits: Int
        fileprivate var files: [Int]
    }

    private struct State {
        var version: Version?
        var answers: [Key: ByteBuffer] = [:]
        var bytes = 0
    }

    private static let maximumBytes = 4 << 20
    private static let maximumAnswerBytes = 256 << 10

    private let path: String
    private let commits = Atomic<Int>(0)
    private let state = Mutex(State())
    private let observation = Mutex<CommitObservation?>(nil)

    /// Creates a cache for the store in a file.
    init(path: String) {
        self.path = path
    }

    /// Counts the commits of an engine from now on.
    func observe(_ engine: HealthEngine) {
        let new = engine.observeCommits { [weak self] _ in
            self?.commits.add(1, ordering: .relaxed)
        }
        observation.withLock { $0 = new }
    }

    /// Ends the observation.
    func close() {
        observation.withLock { $0 = nil }
    }

    /// The answer to a request if it is known, and the present state of the store.
    func answer(to key: Key) -> (ByteBuffer?, Version) {
        let version = Version(
            commits: commits.load(ordering: .relaxed), files: Self.dates(path) + Self.dates(path + "-wal"))
        let known = state.withLock { state -> ByteBuffer? in
            guard state.version == version else { return nil }
            return state.answers[key]
        }
        return (known, version)
    }

    /// Keeps an answer that was computed after its version was determined.
    func keep(_ answer: ByteBuffer, for key: Key, of version: Version) {
        guard answer.readableBytes <= Self.maximumAnswerBytes else { return }
        state.withLock { state in
            if state.version != version || state.bytes > Self.maximumBytes {
                state = State(version: version)
            }
            if state.answers.updateValue(answer, forKey: key) == nil { state.bytes += answer.readableBytes }
        }
    }

    /// The size and the date of change of a file, in nanoseconds; zeros if there is none.
    private static func dates(_ path: String) -> [Int] {
        var status = stat()
        guard stat(path, &status) == 0 else { return [0, 0, 0] }
        return [Int(status.st_size), Int(status.st_mtim.tv_sec), Int(status.st_mtim.tv_nsec)]
    }
}
