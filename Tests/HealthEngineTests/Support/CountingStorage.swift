import Foundation
import HealthModel
import HealthStorage
import Synchronization

/// A storage that counts the page bodies and deletions it hands out, and else does what the one behind it does.
final class CountingStorage: HealthStorage {
    private let base: any HealthStorage
    private let counter = Counter()

    /// Shared by all snapshots.
    final class Counter: Sendable {
        let bodies = Mutex(0)
        let deletions = Mutex(0)

        func add() { bodies.withLock { $0 += 1 } }
        func addDeletion() { deletions.withLock { $0 += 1 } }
    }

    init(_ base: any HealthStorage) {
        self.base = base
    }

    /// Bodies handed out since the last time this was asked.
    func takeCount() -> Int {
        counter.bodies.withLock { count in
            defer { count = 0 }
            return count
        }
    }

    /// Deletions handed out since the last time this was asked.
    func takeDeletionCount() -> Int {
        counter.deletions.withLock { count in
            defer { count = 0 }
            return count
        }
    }

    func read<Value>(_ body: (any StorageSnapshot) throws -> Value) throws -> Value {
        try base.read { try body(CountingSnapshot(base: $0, counter: counter)) }
    }

    func write<Value>(_ body: (any StorageTransaction) throws -> Value) throws -> Value {
        try base.write(body)
    }

    func observeForeignCommits(_ handler: @escaping @Sendable () -> Void) -> StorageSubscription {
        base.observeForeignCommits(handler)
    }

    func close() throws { try base.close() }
}
