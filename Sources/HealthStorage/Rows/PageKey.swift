public import HealthModel

/// Where a page stands in the tree: by type, then by the start and sequence of its first sample.
public struct PageKey: Hashable, Comparable, Sendable {
    /// The type of the page's samples.
    public var type: TypeCode
    /// Start of the page's first sample, in seconds since 2001.
    public var firstStart: Double
    /// Sequence of the page's first sample; tells pages apart that begin at the same instant.
    public var firstSequence: Int64

    /// Makes the key of a page that begins with this sample.
    public init(type: TypeCode, firstStart: Double, firstSequence: Int64) {
        self.type = type
        self.firstStart = firstStart
        self.firstSequence = firstSequence
    }

    public static func < (left: PageKey, right: PageKey) -> Bool {
        (left.type, left.firstStart, left.firstSequence) < (right.type, right.firstStart, right.firstSequence)
    }
}
