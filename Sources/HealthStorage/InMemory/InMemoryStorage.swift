public import Foundation
import Synchronization

/// A store that lives as long as the object: for tests, previews, and data that must not be kept.
///
/// Its state is a value. A reader takes a copy and never waits; a writer changes a copy that
/// replaces the state when its transaction returns.
public final class InMemoryStorage: HealthStorage {
    private struct Published {
        var state: InMemoryState
        var commits: Int64 = 0
        var isClosed = false
    }

    private let published: Mutex<Published>
    /// Held by the one writer while its transaction runs.
    private let writerTurn = Mutex<Void>(())

    /// - Parameters:
    ///   - identity: What anchors name the store by, and the key of its derived UUIDs. Give one to
    ///     get the same derived UUIDs in every run.
    public init(identity: StoreIdentity = StoreIdentity(uuid: UUID(), seed: .random(in: .min ... .max))) {
        published = Mutex(Published(state: InMemoryState(identity: identity)))
    }

    /// Runs `body` over the state of this moment; never waits, not even for a writer.
    public func read<Value>(_ body: (any StorageSnapshot) throws -> Value) throws -> Value {
        try body(InMemorySnapshot(state: currentState()))
    }

    /// Runs `body` over a copy of the state, which then becomes the state. Waits for another writer, or throws
    /// ``StorageError/Kind/busy``.
    public func write<Value>(
        waiting: Bool, _ body: (any StorageTransaction) throws -> Value
    ) throws -> Value {
        var result: Result<Value, any Error>?
        if waiting {
            writerTurn.withLock { _ in result = Result { try writeInTurn(body) } }
        } else {
            _ = writerTurn.withLockIfAvailable { _ in result = Result { try writeInTurn(body) } }
        }
        guard let result else { throw StorageError(.busy, "Another transaction is writing.") }
        return try result.get()
    }

    /// A store in memory belongs to one process: `handler` is never called.
    public func observeForeignCommits(_ handler: @escaping @Sendable () -> Void) -> StorageSubscription {
        StorageSubscription {}
    }

    /// Lets go of all that was stored; later calls throw ``StorageError/Kind/closed``.
    public func close() throws {
        published.withLock {
            $0.isClosed = true
            $0.state = InMemoryState(identity: $0.state.identity)
        }
    }

    private func currentState() throws -> InMemoryState {
        try openState().state
    }

    private func openState() throws -> Published {
        let published = published.withLock { $0 }
        guard !published.isClosed else { throw StorageError(.closed, "The storage was closed.") }
        return published
    }

    private func writeInTurn<Value>(_ body: (any StorageTransaction) throws -> Value) throws -> Value {
        let base = try openState()
        let transaction = InMemoryTransaction(state: base.state, commits: base.commits)
        let value = try body(transaction)
        try published.withLock {
            guard !$0.isClosed else { throw StorageError(.closed, "The storage was closed.") }
            $0.state = transaction.state
            $0.commits += 1
        }
        return value
    }
}
