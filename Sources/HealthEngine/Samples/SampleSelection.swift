import Foundation
public import HealthModel

/// What a sample request found: page samples still in columns, objects as records, and one order over both.
public struct SampleSelection: Sendable {
    /// Points to one result.
    public struct Reference: Hashable, Sendable {
        /// Index into ``batches``, or -1 for an object.
        public var batch: Int32
        /// Row of that batch, or index into ``objects``.
        public var row: Int32

        /// Points to a row of a batch or, with batch -1, to an object.
        public init(batch: Int32, row: Int32) {
            self.batch = batch
            self.row = row
        }
    }

    /// Matching page samples, a batch a type (or several).
    public var batches: [SampleColumns]
    /// Matching objects, members included; `ObjectRecord.uuid` is always set.
    public var objects: [ObjectRecord]
    /// The results in the order asked for.
    public var order: [Reference]
    /// Resolves the numbers in the batches.
    public var dictionaries: StoreDictionaries
    /// Makes the UUIDs of samples that were given none.
    public var identities: DerivedIdentities

    /// Makes a selection; every reference must lead to a row or an object.
    public init(
        batches: [SampleColumns] = [], objects: [ObjectRecord] = [], order: [Reference] = [],
        dictionaries: StoreDictionaries, identities: DerivedIdentities
    ) {
        self.batches = batches
        self.objects = objects
        self.order = order
        self.dictionaries = dictionaries
        self.identities = identities
    }

    /// How many results there are.
    public var count: Int { order.count }
}
