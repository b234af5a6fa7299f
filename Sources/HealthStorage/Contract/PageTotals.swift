/// What the samples of a page add up to, for backends that add up pages where they are stored. The engine derives it
/// from the page's header; see `PageHeader` for the meaning of the figures.
public struct PageTotals: Hashable, Sendable {
    /// The number of the samples' only unit; 0 means none.
    public var unit: UInt32
    /// The numbers of the source revisions, in ascending order.
    public var revisions: [UInt32]
    /// The bits of the properties that at least one of the samples has.
    public var traits: UInt8
    /// The sum of the values, which is finite.
    public var sum: Double
    /// The minimum value.
    public var minimum: Double
    /// The maximum value.
    public var maximum: Double
    /// The sum of value times duration.
    public var weightedSum: Double
    /// The sum of the samples' durations in seconds.
    public var totalDuration: Double
    /// The number of seconds covered by samples.
    public var coveredDuration: Double
    /// The value of the most recent sample.
    public var latestValue: Double
    /// The start of the most recent sample.
    public var latestStart: Double
    /// The end of the most recent sample.
    public var latestEnd: Double

    /// Creates a summary.
    public init(
        unit: UInt32, revisions: [UInt32], traits: UInt8, sum: Double, minimum: Double, maximum: Double,
        weightedSum: Double,
        totalDuration: Double, coveredDuration: Double, latestValue: Double, latestStart: Double, latestEnd: Double
    ) {
        self.unit = unit
        self.revisions = revisions
        self.traits = traits
        self.sum = sum
        self.minimum = minimum
        self.maximum = maximum
        self.weightedSum = weightedSum
        self.totalDuration = totalDuration
        self.coveredDuration = coveredDuration
        self.latestValue = latestValue
        self.latestStart = latestStart
        self.latestEnd = latestEnd
    }
}

/// Either a page or several neighboring ones that a backend has added up.
public struct PageGroup: Hashable, Sendable {
    /// What is known of the samples.
    public enum Content: Hashable, Sendable {
        /// The encoded header of the only page.
        case header([UInt8])
        /// The sums over the pages, which have equal units, revisions and traits.
        case summary(PageTotals)
    }

    /// The key of the first page.
    public var key: PageKey
    /// The bounds of all samples.
    public var bounds: PageBounds
    /// What is known of the samples.
    public var content: Content

    /// Creates a group.
    public init(key: PageKey, bounds: PageBounds, content: Content) {
        self.key = key
        self.bounds = bounds
        self.content = content
    }
}
