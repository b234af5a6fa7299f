/// The figures of one bucket, each `nil` unless asked for and there. Values are in the bucket's unit: the type's
/// canonical one or, for a type without one, a unit that its first samples use.
public struct StatisticsValues: Hashable, Sendable {
    /// A value with the dates of the sample it comes from.
    public struct Recent: Hashable, Sendable {
        /// The sample's value.
        public var value: Double
        /// The sample's start, in seconds since 2001.
        public var start: Double
        /// The sample's end, in seconds since 2001.
        public var end: Double

        /// Makes a value with its sample's dates.
        public init(value: Double, start: Double, end: Double) {
            self.value = value
            self.start = start
            self.end = end
        }
    }

    /// The sum of cumulative samples, sources merged so that nothing counts twice.
    public var sum: Double?
    /// The mean of discrete samples, as their type's aggregation style takes it.
    public var average: Double?
    /// The least value.
    public var minimum: Double?
    /// The greatest value.
    public var maximum: Double?
    /// The value of the sample that ends last.
    public var mostRecent: Recent?
    /// Seconds covered by the contributing samples, overlaps once.
    public var duration: Double?

    /// Makes the figures of one bucket.
    public init(
        sum: Double? = nil, average: Double? = nil, minimum: Double? = nil, maximum: Double? = nil,
        mostRecent: Recent? = nil, duration: Double? = nil
    ) {
        self.sum = sum
        self.average = average
        self.minimum = minimum
        self.maximum = maximum
        self.mostRecent = mostRecent
        self.duration = duration
    }
}
