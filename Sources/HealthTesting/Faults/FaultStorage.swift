public import HealthStorage
import Synchronization

/// A storage that fails when told to, and else does what the one behind it does.
public final class FaultStorage: HealthStorage {
    private let base: any HealthStorage
    private let plan = FaultPlan()

    /// Makes a storage that behaves as the one behind it until a fault is injected.
    public init(_ base: any HealthStorage) {
        self.base = base
    }

    /// Sets the next fault, in place of one that has not come up, and counts from here. `nil` takes
    /// it back.
    public func inject(_ fault: Fault?) {
        plan.set(fault)
    }

    /// Calls counted at `point` since the last ``inject(_:)``: tells how many places a program has
    /// where it can fail.
    public func calls(at point: Fault.Point) -> Int {
        plan.count(of: point)
    }

    /// Locks the samples, as a locked device does: reading them fails, everything else goes on.
    public func lock() {
        plan.isLocked = true
    }

    /// Takes ``lock()`` back.
    public func unlock() {
        plan.isLocked = false
    }

    /// Reads from the storage behind, where no fault is due.
    public func read<Value>(_ body: (any StorageSnapshot) throws -> Value) throws -> Value {
        try base.read { try body(FaultSnapshot($0, plan)) }
    }

    /// Writes to the storage behind, where no fault is due. An error of the kind ``Fault/Point/afterCommit``
    /// comes although everything was kept.
    public func write<Value>(
        waiting: Bool, _ body: (any StorageTransaction) throws -> Value
    ) throws -> Value {
        let value = try base.write(waiting: waiting) { transaction in
            let value = try body(FaultTransaction(transaction, plan))
            try plan.pass(.commit)
            return value
        }
        try plan.pass(.afterCommit)
        return value
    }

    /// Observes the storage behind; word of others never fails.
    public func observeForeignCommits(_ handler: @escaping @Sendable () -> Void) -> StorageSubscription {
        base.observeForeignCommits(handler)
    }

    /// Closes the storage behind.
    public func close() throws {
        try base.close()
    }
}
