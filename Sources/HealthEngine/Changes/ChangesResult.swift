public import HealthStorage

/// Changes in insertion order, and where to go on.
public struct ChangesResult: Sendable {
    /// Samples and objects that were added and are still there.
    public var added: SampleSelection
    /// Deletions after the point asked for, ascending by sequence.
    public var deleted: [StoredTombstone]
    /// The last sequence this result covers.
    public var sequence: Int64

    /// Makes a result.
    public init(added: SampleSelection, deleted: [StoredTombstone], sequence: Int64) {
        self.added = added
        self.deleted = deleted
        self.sequence = sequence
    }
}
