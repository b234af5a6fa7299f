import HealthEngine

/// One iteration over the results of a query that stays: the first at once, the next ones whenever a
/// commit has changed them. A result is computed only when it is asked for, so a slow reader gets
/// several changes in one.
final class UpdateReading<Value: Sendable>: Sendable {
    private let connection: StoreConnection
    private let signal = Latest<CommitSignal>()
    /// What was read last.
    private let known = Latest<Value>()
    /// Reads anew, given what was known and which commits came; `nil` when nothing has changed.
    private let read: @Sendable (QueryReader, Value?, CommitDigest?) throws -> Value?

    init(
        _ connection: StoreConnection,
        read: @escaping @Sendable (QueryReader, Value?, CommitDigest?) throws -> Value?
    ) {
        self.connection = connection
        self.read = read
    }

    /// The next result.
    ///
    /// - Throws: ``HKError``, or `CancellationError` when the task is cancelled.
    func next() async throws -> Value {
        try Task.checkCancellation()
        guard let signal = signal.value else {
            // Before the first reading, so that nothing falls between the two.
            let connection = connection
            self.signal.set(try await connection.perform { CommitSignal($0) })
            if let first = try await value(nil) { return first }
            return try await next()
        }
        while true {
            let digest = try await signal.next()
            if let value = try await value(digest) { return value }
        }
    }

    private func value(_ digest: CommitDigest?) async throws -> Value? {
        let before = known.value
        let read = read
        let value = try await connection.read { try read($0, before, digest) }
        if let value {
            known.set(value)
        }
        return value
    }
}
