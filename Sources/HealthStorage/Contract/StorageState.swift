/// Tells one state of a store from the others, for who keeps in memory what it read: two transactions that begin
/// from equal states begin from the same rows.
///
/// Meant for one storage object while it is open; it says nothing to another one or to another process.
public struct StorageState: Hashable, Sendable {
    /// How many transactions of this storage object have been committed.
    public var ownCommits: Int64
    /// Changes when another process, or another storage object on the same store, has committed.
    public var foreignCommits: Int64

    /// Makes a state of its two counts.
    public init(ownCommits: Int64, foreignCommits: Int64) {
        self.ownCommits = ownCommits
        self.foreignCommits = foreignCommits
    }

    /// The state that the transaction which began from this one leaves behind when it is committed.
    public var afterCommit: StorageState {
        StorageState(ownCommits: ownCommits + 1, foreignCommits: foreignCommits)
    }
}
