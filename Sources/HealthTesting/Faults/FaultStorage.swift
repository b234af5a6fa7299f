public import HealthStorage
import Synchronization

/// A storage that fails on demand and otherwise forwards calls to another storage.
package final class FaultStorage: HealthStorage {
    private let base: any HealthStorage
    private let plan = FaultPlan()

    /// Creates a storage that forwards calls until a fault is injected.
    package init(_ base: any HealthStorage) {
        self.base = base
    }

    /// Sets the next fault, replacing one that has not occurred, and resets the counts. Pass `nil` to remove a
    /// fault.
    package func inject(_ fault: Fault?) {
        plan.set(fault)
    }

    /// The number of calls at `point` since the last ``inject(_:)``, and thus of places where a program can fail.
    package func calls(at point: Fault.Point) -> Int {
        plan.count(of: point)
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

/// Counts calls and decides which one fails.
final class FaultPlan: Sendable {
    private struct State {
        var fault: Fault?
        var counts: [Fault.Point: Int] = [:]
        var isLocked = false
    }

    private let state = Mutex(State())

    func set(_ fault: Fault?) {
        state.withLock { $0 = State(fault: fault, isLocked: $0.isLocked) }
    }

    func count(of point: Fault.Point) -> Int {
        state.withLock { $0.counts[point, default: 0] }
    }

    var isLocked: Bool {
        get { state.withLock { $0.isLocked } }
        set { state.withLock { $0.isLocked = newValue } }
    }

    /// Throws an error while samples are locked.
    func passLock() throws {
        guard isLocked else { return }
        throw StorageError(.unreachable, "Protected health data is inaccessible")
    }

    /// Counts a call, and throws an error if it is the one to fail. A fault occurs once.
    func pass(_ point: Fault.Point) throws {
        let error = state.withLock { state -> StorageError? in
            let before = state.counts[point, default: 0]
            state.counts[point] = before + 1
            guard let fault = state.fault, fault.point == point, fault.after == before else { return nil }
            state.fault = nil
            return fault.error
        }
        if let error { throw error }
    }
}

/// A future failure: which call fails, and with which error.
public struct Fault: Hashable, Sendable {
    /// The calls that are counted.
    public enum Point: Hashable, Sendable {
        /// Reads, in snapshots and transactions.
        case read
        /// Writes, in transactions.
        case write
        /// Ends of transactions that are rolled back after their body has returned.
        case commit
        /// Ends of transactions that are committed but reported as failed, as when a connection breaks before the
        /// response arrives.
        case afterCommit
    }

    /// The calls that are counted.
    public var point: Point
    /// The number of calls that succeed before the failure.
    public var after: Int
    /// The error of the failing call.
    public var error: StorageError

    /// Creates a fault after `after` successful calls.
    public init(
        at point: Point, after: Int,
        error: StorageError = StorageError(.inputOutput, "A fault was injected.")
    ) {
        self.point = point
        self.after = after
        self.error = error
    }
}
