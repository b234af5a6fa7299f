package import HealthStorage

/// A storage that fails on demand and otherwise forwards calls to another storage.
package final class FaultStorage: HealthStorage {
    private let base: any HealthStorage
    private let plan: FaultPlan

    /// Creates a storage that forwards calls until a fault is injected.
    package convenience init(_ base: any HealthStorage) {
        self.init(base, FaultPlan())
    }

    init(_ base: any HealthStorage, _ plan: FaultPlan) {
        (self.base, self.plan) = (base, plan)
    }

    /// Sets the next fault, replacing one that has not occurred, and resets the counts. Pass `nil` to remove a
    /// fault.
    package func inject(_ fault: Fault?) {
        plan.set(fault)
    }

    /// The number of calls at `point` since the last ``inject(_:)``, and thus of places where a program can fail.
    package func calls(at point: Fault.Point) -> Int {
        plan.count(of: .storage(point))
    }

    /// Locks samples and the person's profile, as on a locked device: reading them fails, everything else works.
    package func lock() {
        plan.isLocked = true
    }

    /// Unlocks samples.
    package func unlock() {
        plan.isLocked = false
    }

    /// Reads from the other storage, unless a fault is due.
    package func read<Value>(_ body: (any StorageSnapshot) throws -> Value) throws -> Value {
        try base.read { try body(FaultSnapshot($0, plan)) }
    }

    /// Writes to the other storage, unless a fault is due. After an error at ``Fault/Point/afterCommit``, the
    /// changes are stored nevertheless.
    package func write<Value>(_ body: (any StorageTransaction) throws -> Value) throws -> Value {
        let value = try base.write { transaction in
            let value = try body(FaultTransaction(transaction, plan))
            try plan.pass(.commit)
            return value
        }
        try plan.pass(.afterCommit)
        return value
    }

    /// Observes the other storage. Never fails.
    package func observeForeignCommits(_ handler: @escaping @Sendable () -> Void) -> StorageSubscription {
        base.observeForeignCommits(handler)
    }

    /// Waits for another import into the other storage. Never fails by itself.
    package func beginImport(onWaiting: () -> Void) throws -> StorageSubscription {
        try base.beginImport(onWaiting: onWaiting)
    }

    /// Closes the other storage.
    package func close() throws {
        try base.close()
    }
}
