public import HealthStorage

/// One failure to come: which call fails, and with what.
public struct Fault: Hashable, Sendable {
    /// What calls are counted.
    public enum Point: Hashable, Sendable {
        /// Calls that read, in snapshots and in transactions.
        case read
        /// Calls that write, in transactions.
        case write
        /// Ends of transactions: the body has returned, nothing of it is kept.
        case commit
        /// Ends of transactions that were kept, though the caller is told otherwise: as when a
        /// connection breaks while the answer is on its way.
        case afterCommit
    }

    /// What calls are counted.
    public var point: Point
    /// How many such calls succeed first.
    public var after: Int
    /// What the failing call throws.
    public var error: StorageError

    /// Makes a fault that lets `after` calls succeed.
    public init(
        at point: Point, after: Int,
        error: StorageError = StorageError(.inputOutput, "A fault was injected.")
    ) {
        self.point = point
        self.after = after
        self.error = error
    }
}
