public import HealthModel

/// One batch of an import: page samples in columns and objects as records.
public struct BulkBatch: Sendable {
    /// One entry a type, in any order. Numbers of units, revisions and devices point into
    /// ``dictionaries`` of this batch, not into the store; sequences are empty.
    public var columns: [SampleColumns]
    /// Objects with their members, whose revisions and devices stand in full; sequences are 0.
    public var objects: [ObjectRecord]
    /// The batch's own numbers. Types outside the catalog stand in its `types` with codes from
    /// `TypeCode.firstUnknown` upwards, likewise local to the batch.
    public var dictionaries: StoreDictionaries

    /// Makes a batch; one without anything in it is fine.
    public init(
        columns: [SampleColumns] = [], objects: [ObjectRecord] = [],
        dictionaries: StoreDictionaries = .init()
    ) {
        self.columns = columns
        self.objects = objects
        self.dictionaries = dictionaries
    }
}
