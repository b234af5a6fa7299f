import Foundation
import HealthEngine
import HealthModel
import HealthStorage
import HealthStorageSQLite
import NIOCore
import Synchronization

/// The answers to recent requests about one store, until it changes.
///
/// A change is noticed without reading the store: this process's commits are counted, and every commit of any process
/// changes the dates of the store's files. So a kept answer is found without a thread of the pool.
///
/// File systems date changes by a clock that ticks every few milliseconds, so two commits can leave the same date.
/// Therefore, an answer isn't kept if it was computed while the last change was so recent that another one could look
/// the same.
final class AnswerCache: Sendable {
    /// The values on which an answer depends besides the store.
    struct Key: Hashable, Sendable {
        var route: String
        var query: String
        var bundleIdentifier: String
        var permission: Caller.Permission
        var timeZone: String
        /// The number of the day, for answers in which today isn't a whole day.
        var day: Int

        init(route: String, query: String, caller: Caller, timeZone: TimeZone, day: Int = 0) {
            (self.route, self.query, self.timeZone, self.day) = (route, query, timeZone.identifier, day)
            (bundleIdentifier, permission) = (caller.bundleIdentifier, caller.permission)
        }
    }

    /// A state of the store.
    struct Version: Equatable, Sendable {
        fileprivate var commits: Int
        fileprivate var store: FileStamp
        fileprivate var log: FileStamp
    }

    private struct State {
        var version: Version?
        var answers: [Key: ByteBuffer] = [:]
        var bytes = 0
    }

    private static let maximumBytes = 4 << 20
    private static let maximumAnswerBytes = 256 << 10

    private let path: String
    private let logPath: String
    /// Whether anything is kept. In a database another server's commit is received a moment after it; an answer from
    /// before would contradict one that the client has seen.
    private let isKeeping: Bool
    private let commits = Atomic<Int>(0)
    private let state = Mutex(State())
    private let observation = Mutex<StorageSubscription?>(nil)

    /// Creates a cache for the store in a file; without a file, a cache that keeps nothing.
    init(path: String?) {
        isKeeping = path != nil
        // The log is beside the file, not beside a symbolic link to it.
        self.path = path.map { SQLiteStorage.pathOfFile(at: $0) } ?? ""
        logPath = self.path + "-wal"
    }

    /// Counts the commits of an engine from now on, if anything is kept. A database would be asked for its state and for
    /// notifications each time that a store is opened.
    func observe(_ engine: HealthEngine) {
        guard isKeeping else { return }
        let new = engine.observeCommits { [weak self] _ in
            self?.commits.add(1, ordering: .relaxed)
        }
        observation.withLock { $0 = new }
    }

    /// The answer to a request if it is known, and the present state of the store.
    func answer(to key: Key) -> (ByteBuffer?, Version) {
        let version = Version(
            commits: commits.load(ordering: .relaxed), store: FileStamp(path), log: FileStamp(logPath))
        let known = state.withLock { state -> ByteBuffer? in
            guard state.version == version else { return nil }
            return state.answers[key]
        }
        return (known, version)
    }

    /// Keeps an answer that was computed after its version was determined.
    func keep(_ answer: ByteBuffer, for key: Key, of version: Version) {
        // The query can be longer than its answer.
        let size = answer.readableBytes + key.query.utf8.count + 256
        guard isKeeping, size <= Self.maximumAnswerBytes, version.store.isSettled, version.log.isSettled else { return }
        state.withLock { state in
            if state.version != version || state.bytes > Self.maximumBytes { state = State(version: version) }
            if state.answers.updateValue(answer, forKey: key) == nil { state.bytes += size }
        }
    }
}

/// A file's identity and times, which show whether it was changed, and whether another change would be seen.
private struct FileStamp: Equatable, Sendable {
    private var number: UInt64 = 0
    private var size = 0
    private var seconds = 0
    private var nanoseconds = 0
    /// Whether the file's last change was long enough ago, when the stamp was taken, for any later one to have another
    /// date.
    private(set) var isSettled = true

    /// Longer than a tick of any kernel's clock.
    private static let tick = 50_000_000
    /// For file systems that keep whole seconds, or every other.
    private static let coarseTick = 3_000_000_000

    /// Reads the stamp of a file; the same for all files that don't exist.
    init(_ path: String) {
        // The clock by which the kernel dates files, read first: a change after this moment is later than it.
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        var status = stat()
        guard stat(path, &status) == 0 else { return }
        number = UInt64(status.st_ino)
        size = Int(status.st_size)
        #if os(Linux)
            let changed = status.st_mtim
        #else
            let changed = status.st_mtimespec
        #endif
        (seconds, nanoseconds) = (changed.tv_sec, changed.tv_nsec)
        let age = (Int(now.tv_sec) - seconds) * 1_000_000_000 + Int(now.tv_nsec) - nanoseconds
        isSettled = age > (nanoseconds == 0 ? Self.coarseTick : Self.tick)
    }

    static func == (one: FileStamp, other: FileStamp) -> Bool {
        one.number == other.number && one.size == other.size && one.seconds == other.seconds
            && one.nanoseconds == other.nanoseconds
    }
}
