public import HealthModel
import HealthPages
import HealthStorage

/// A page of samples before it is read: what its header tells.
public struct SamplePage: Sendable {
    let outline: PageOutline

    /// The type of all samples within.
    public var type: TypeCode { outline.key.type }
    /// How many samples the page has, whether or not the filter takes them all.
    public var count: Int { outline.header.count }
    /// Whether every sample of the page is wanted, so that ``count`` is how many there are.
    public var isWhole: Bool { outline.isWhole }
    /// Start of the first sample, in seconds since 2001. No page of the type has a later start in front of it.
    public var firstStart: Double { outline.header.firstStart }
    /// Start of the last sample.
    public var lastStart: Double { outline.header.lastStart }
    /// The latest end of any sample.
    public var greatestEnd: Double { outline.header.greatestEnd }
    /// The sequence numbers within lie in this range.
    public var sequences: ClosedRange<Int64> { outline.header.leastSequence...outline.header.greatestSequence }
    /// Whether any sample has metadata.
    public var hasMetadata: Bool { outline.header.hasMetadata }
    /// Numbers of the source revisions within, ascending.
    public var revisions: [UInt32] { outline.header.revisions }
}
