public import HealthModel

/// What a page is and what it adds up to, so that a query can often do without the page's body.
///
/// Instants are seconds since 2001-01-01 00:00:00 UTC. Figures over values are in the units the values
/// were written in: they mean something together only where ``units`` has one entry. Sums are plain
/// left-to-right sums in row order, so that decoding the page and adding gives the same bits.
public struct PageHeader: Hashable, Sendable {
    /// The version this library writes.
    public static let currentVersion: UInt8 = 1
    /// More samples than this make no page.
    public static let greatestCount = 65_536

    /// The version of the format the page is written in.
    public var formatVersion: UInt8 = PageHeader.currentVersion
    /// The type of all samples within.
    public var type: TypeCode
    /// How many samples; at least 1.
    public var count: Int
    /// Start and sequence of the first sample: with the type, the page's key.
    public var firstStart: Double
    /// Sequence of the first sample; not always the least.
    public var firstSequence: Int64
    /// Start of the last sample, which is the greatest start.
    public var lastStart: Double
    /// The latest end of any sample.
    public var greatestEnd: Double
    /// The least sequence of any sample.
    public var leastSequence: Int64
    /// The greatest sequence of any sample: a page without news has it at or below an anchor.
    public var greatestSequence: Int64

    /// Sum of the values; NaN when one of them is.
    public var sum: Double
    /// Least and greatest value, NaNs left out; both NaN when nothing else is there.
    public var minimum: Double
    /// The greatest value; see ``minimum``.
    public var maximum: Double
    /// The most recent sample: the one of the latest end, then start, then sequence.
    public var latest: Latest
    /// Seconds covered by the samples, overlaps once.
    public var coveredDuration: Double
    /// Sum of end − start.
    public var totalDuration: Double
    /// Sum of value · (end − start).
    public var weightedSum: Double

    /// Numbers of the units, source revisions and devices within, ascending, each once; 0 means none.
    public var units: [UInt32]
    /// Numbers of the source revisions within; see ``units``.
    public var revisions: [UInt32]
    /// Numbers of the devices within, 0 where some sample names none; see ``units``.
    public var devices: [UInt32]
    /// What may be found among the samples.
    public var traits: Traits

    /// Length of the body in bytes, and XXH64 over it.
    public var bodyLength: Int
    /// XXH64 over the body.
    public var bodyChecksum: UInt64

    /// One sample's place and value.
    public struct Latest: Hashable, Sendable {
        /// The sample's value.
        public var value: Double
        /// The sample's start.
        public var start: Double
        /// The sample's end.
        public var end: Double
        /// The sample's sequence.
        public var sequence: Int64

        /// Makes the place and value of one sample.
        public init(value: Double, start: Double, end: Double, sequence: Int64) {
            self.value = value
            self.start = start
            self.end = end
            self.sequence = sequence
        }
    }

    /// Whether any sample starts before an earlier one's end.
    public var hasOverlaps: Bool { traits.contains(.overlaps) }
    /// Whether any sample has metadata.
    public var hasMetadata: Bool { traits.contains(.metadata) }
    /// Whether any sample's metadata says that a person typed it in.
    public var hasUserEntered: Bool { traits.contains(.userEntered) }
    /// Whether any sample has a UUID given by an application.
    public var hasGivenUUIDs: Bool { traits.contains(.givenUUIDs) }
    /// Whether any sample has a creation date.
    public var hasCreations: Bool { traits.contains(.creations) }
    /// Whether any sample starts and ends at one instant.
    public var hasZeroLength: Bool { traits.contains(.zeroLength) }
}
