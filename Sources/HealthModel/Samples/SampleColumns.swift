public import Foundation

/// Samples of one type, column by column: the shape pages are made from and decoded into.
///
/// Every non-optional column has ``count`` entries. A column that was not asked for when a page was
/// decoded is empty. Identifiers of units, source revisions and devices point into the store's
/// tables (see ``StoreDictionaries``); 0 means none.
public struct SampleColumns: Sendable {
    /// The type all rows have.
    public var type: TypeCode
    /// Seconds since 2001-01-01 00:00:00 UTC.
    public var starts: [Double] = []
    /// Seconds since 2001-01-01 00:00:00 UTC, each at or after its row's start.
    public var ends: [Double] = []
    /// Quantities in the unit of the same row, or raw category values.
    public var values: [Double] = []
    /// Unit numbers; 0 for categories.
    public var units: [UInt32] = []
    /// Source revision numbers.
    public var revisions: [UInt32] = []
    /// Device numbers; 0 where the sample names no device.
    public var devices: [UInt32] = []
    /// 0 for none, else one more than an index into ``metadataTable``.
    public var metadata: [UInt32] = []
    /// The dictionaries rows point at, each kept once.
    public var metadataTable: [Metadata] = []
    /// Positions in the store's one growing sequence.
    public var sequences: [Int64] = []
    /// Identities given by applications; `nil` where the identity is derived from the sequence.
    /// An empty array means that every identity is derived.
    public var uuids: [UUID?] = []
    /// Creation dates where an archive gave them; NaN where not. An empty array means none has one.
    public var creations: [Double] = []

    /// Makes columns without rows.
    public init(type: TypeCode) {
        self.type = type
    }

    /// How many samples there are: the longest column's length.
    public var count: Int {
        max(starts.count, sequences.count, values.count, revisions.count, ends.count)
    }

    /// The metadata of row `row`.
    public func metadata(at row: Int) -> Metadata {
        guard row < metadata.count, metadata[row] > 0 else { return .empty }
        return metadataTable[Int(metadata[row]) - 1]
    }

    /// The identity of row `row` where one was given.
    public func uuid(at row: Int) -> UUID? {
        row < uuids.count ? uuids[row] : nil
    }

    /// The creation date of row `row` where one was given.
    public func creation(at row: Int) -> Double? {
        guard row < creations.count, !creations[row].isNaN else { return nil }
        return creations[row]
    }
}
