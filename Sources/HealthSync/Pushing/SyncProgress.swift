public import Foundation

/// How far a sync has come with one server, as it is kept between launches.
public struct SyncProgress: Codable, Hashable, Sendable {
    /// A time in which samples arrived whose owners are still to be checked for new members.
    struct Span: Codable, Hashable, Sendable {
        var start: Double
        var end: Double
    }

    /// The server and person; progress with another one is not used.
    public var destination: String
    /// The identity of this device, chosen at random.
    public var device: UUID
    /// The highest number that may have been used for a batch.
    public var sequence: Int
    /// The number of the last acknowledged batch; 0 if there is none.
    public var acknowledged: Int
    /// Archived anchors by the identifiers of their types: everything before them has been acknowledged.
    public var anchors: [String: Data]

    /// Types of which samples have been sent.
    var memberTypes: Set<String> = []
    /// Times of samples that were sent after their owners may have been.
    var unchecked: [Span] = []
    /// A digest of the activity summaries that were sent, by date.
    var summaries: [String: UInt64] = [:]

    /// How far receiving has come; `nil` before the first page.
    var received: SyncCursor?

    /// Creates the progress of a sync that has sent nothing yet.
    public init(destination: String, device: UUID) {
        self.destination = destination
        self.device = device
        sequence = 0
        acknowledged = 0
        anchors = [:]
    }

    /// Begins again with another identity, because a copy of this device has the previous one.
    mutating func becomeAnotherDevice() {
        beginAgain()
        device = UUID()
        sequence = 0
    }

    /// Forgets everything that was acknowledged, so that all of it is sent again.
    mutating func beginAgain() {
        acknowledged = 0
        anchors = [:]
        unchecked = []
        summaries = [:]
    }

    /// Adds a time to ``unchecked``.
    mutating func addUnchecked(_ span: Span) {
        // An hour on both sides covers samples that begin before their workout or end after it.
        let wide = Span(start: span.start - 3600, end: span.end + 3600)
        var spans: [Span] = []
        for next in (unchecked + [wide]).sorted(by: { $0.start < $1.start }) {
            if let last = spans.last, next.start <= last.end {
                spans[spans.count - 1].end = max(last.end, next.end)
            } else {
                spans.append(next)
            }
        }
        if spans.count > 64, let first = spans.first {
            spans = [Span(start: first.start, end: spans.map(\.end).max() ?? first.end)]
        }
        unchecked = spans
    }
}

/// How far a sync has come with receiving.
struct SyncCursor: Codable, Hashable, Sendable {
    /// Everything before it is written; `nil` for the beginning.
    var anchor: String?
    /// The identifiers of the types that the anchor covers.
    var types: Set<String> = []
    /// Added to the server's sequences, so that versions ascend after the server's store was replaced by another.
    var base = 0
    /// The highest version that may have been written.
    var highest = 0
    /// Whether copies up to ``base`` are deleted at the end, because another store of the server doesn't have them.
    var sweeps = false

    /// Begins again with the store that took the place of the server's previous one.
    mutating func beginAgain() {
        anchor = nil
        base = highest
        sweeps = true
    }
}

/// Keeps the progress of a sync between launches.
///
/// A store must keep either the old or the new progress if the process ends while it saves. An older progress is safe:
/// what was acknowledged since is sent again, and the server recognizes it.
public protocol SyncProgressStore: Sendable {
    /// The saved progress; `nil` if there is none or it is damaged.
    ///
    /// - Throws: An error ends the pass before anything is sent.
    func load() throws -> SyncProgress?
    /// Saves the progress, replacing the previous one.
    ///
    /// - Throws: An error ends the pass; the next one begins with the progress that was saved before.
    func save(_ progress: SyncProgress) throws
}

/// Keeps the progress of a sync in a file, which is replaced atomically.
public struct FileSyncProgressStore: SyncProgressStore {
    /// The file.
    public let url: URL

    /// - Parameter url: The file. Its folder must exist.
    public init(url: URL) {
        self.url = url
    }

    /// The progress in the file; `nil` if there is no file, or if it is damaged.
    public func load() throws -> SyncProgress? {
        guard FileManager.default.fileExists(atPath: url.path) else { return nil }
        return try? JSONDecoder().decode(SyncProgress.self, from: try Data(contentsOf: url))
    }

    /// Writes the progress beside the file, durably, and renames it.
    ///
    /// - Throws: `CocoaError` if the file can't be written.
    public func save(_ progress: SyncProgress) throws {
        try JSONEncoder().encode(progress).write(to: url, options: .atomic)
    }
}

/// Keeps the progress of a sync in the defaults of an app.
public struct DefaultsSyncProgressStore: SyncProgressStore {
    /// The key.
    public let key: String
    private let suite: String?

    /// - Parameters:
    ///   - key: The key of the value.
    ///   - suite: The name of the suite; `nil` for the app's standard defaults.
    public init(key: String = "HealthSync", suite: String? = nil) {
        self.key = key
        self.suite = suite
    }

    private var defaults: UserDefaults { suite.flatMap { UserDefaults(suiteName: $0) } ?? .standard }

    /// The progress; `nil` if there is none or it is damaged.
    public func load() throws -> SyncProgress? {
        try? defaults.data(forKey: key).map { try JSONDecoder().decode(SyncProgress.self, from: $0) }
    }

    /// Sets the value.
    public func save(_ progress: SyncProgress) throws {
        defaults.set(try JSONEncoder().encode(progress), forKey: key)
    }
}
