/// What a backend must know of a page to find it: nothing else is looked into below the engine.
public struct PageBounds: Hashable, Sendable {
    /// How many samples the page holds; at least 1.
    public var count: Int
    /// Start of the last sample.
    public var lastStart: Double
    /// The latest end of any sample.
    public var greatestEnd: Double
    /// The least sequence of any sample.
    public var leastSequence: Int64
    /// The greatest sequence of any sample.
    public var greatestSequence: Int64

    /// Makes bounds; they are not compared with any page.
    public init(
        count: Int, lastStart: Double, greatestEnd: Double, leastSequence: Int64,
        greatestSequence: Int64
    ) {
        self.count = count
        self.lastStart = lastStart
        self.greatestEnd = greatestEnd
        self.leastSequence = leastSequence
        self.greatestSequence = greatestSequence
    }
}
