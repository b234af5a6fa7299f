import Synchronization

/// A query that returns one result asynchronously.
public protocol HKAsyncQuery {
    /// The type of the result.
    associatedtype Output

    /// Runs the query once. It may be run again, on this or another store.
    ///
    /// - Throws: ``HKError``, such as ``HKError/errorAuthorizationNotDetermined`` for a type that the application never
    ///   requested and ``HKError/errorDatabaseInaccessible`` if the store can't be read; `CancellationError` if the
    ///   task was cancelled before the query started.
    func result(for healthStore: HKHealthStore) async throws -> Output
}

/// A query that returns results as an asynchronous sequence.
public protocol HKAsyncSequenceQuery {
    /// The type of the sequence of results.
    associatedtype Sequence: AsyncSequence

    /// Returns the results; the query runs while they are iterated. An iteration throws what
    /// ``HKAsyncQuery/result(for:)`` throws.
    func results(for healthStore: HKHealthStore) -> Sequence
}

/// One iteration over the results of a long-running query: the first result at once, the next ones whenever a
/// commit has changed them. Results are computed on demand, so a slow reader gets several changes in one.
final class UpdateReading<Value: Sendable>: Sendable {
    private let connection: StoreConnection
    private let signal = LockedValue<CommitSignal>()
    /// The last result.
    private let known = LockedValue<Value>()
    /// Reads the result, given the last one and the commits since; returns `nil` if nothing has changed.
    private let read: @Sendable (QueryReader, Value?, CommitDigest?) throws -> Value?

    init(
        _ connection: StoreConnection,
        read: @escaping @Sendable (QueryReader, Value?, CommitDigest?) throws -> Value?
    ) {
        self.connection = connection
        self.read = read
    }

    /// Returns the next result.
    ///
    /// - Throws: ``HKError``, or `CancellationError` if the task is cancelled.
    func next() async throws -> Value {
        try Task.checkCancellation()
        guard let signal = signal.value else {
            // Subscribed before the first read, so that no commit is missed between the two.
            self.signal.set(try await connection.read { CommitSignal($0) })
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

/// Lets a task wait for the next commit. Commits that arrive meanwhile are merged into one.
final class CommitSignal: Sendable {
    private struct State {
        var pending: CommitDigest?
        var waiter: CheckedContinuation<CommitDigest, any Error>?
        var isCancelled = false
        var subscription: CommitSubscription?
    }

    private let state = Mutex(State())

    init(_ reader: QueryReader) {
        let subscription = reader.observeCommits { [weak self] in self?.record($0) }
        state.withLock { $0.subscription = subscription }
    }

    /// Waits for a commit that happened since the last call returned.
    ///
    /// - Throws: `CancellationError` if the task is cancelled; so do all later calls.
    func next() async throws -> CommitDigest {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let ready: Result<CommitDigest, any Error>? = state.withLock { state in
                    if state.isCancelled { return .failure(CancellationError()) }
                    if let digest = state.pending {
                        state.pending = nil
                        return .success(digest)
                    }
                    state.waiter = continuation
                    return nil
                }
                if let ready {
                    continuation.resume(with: ready)
                }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                state.isCancelled = true
                defer { state.waiter = nil }
                return state.waiter
            }
            waiter?.resume(throwing: CancellationError())
        }
    }

    private func record(_ commit: CommitDigest) {
        let (waiter, digest) = state.withLock { state in
            if state.pending == nil {
                state.pending = commit
            } else {
                state.pending?.merge(commit)
            }
            guard let waiter = state.waiter else {
                return (nil as CheckedContinuation<CommitDigest, any Error>?, nil as CommitDigest?)
            }
            defer {
                state.waiter = nil
                state.pending = nil
            }
            return (waiter, state.pending)
        }
        if let waiter, let digest {
            waiter.resume(returning: digest)
        }
    }
}
