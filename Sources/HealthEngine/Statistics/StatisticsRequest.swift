public import HealthModel

/// Statistics of one quantity type over one span or many.
public struct StatisticsRequest: Sendable {
    /// How the time line is cut.
    public enum Buckets: Sendable {
        /// One result over all matching samples, whose dates are theirs; samples are not clipped.
        case single
        /// A result for every pair of neighbouring instants that has data. The closure is given the
        /// earliest start and latest end of the matching samples and returns ascending instants that
        /// cover them; samples that straddle one are split by time.
        case bounds(@Sendable (ClosedRange<Double>) -> [Double])
    }

    /// The quantity type.
    public var type: TypeCode
    /// Selects whole samples.
    public var filter: SampleFilter
    /// Which figures are wanted.
    public var options: StatisticsOptions
    /// How the time line is cut.
    public var buckets: Buckets

    /// Asks for figures of all samples in one bucket, unless told otherwise.
    public init(
        type: TypeCode, filter: SampleFilter = .all, options: StatisticsOptions,
        buckets: Buckets = .single
    ) {
        self.type = type
        self.filter = filter
        self.options = options
        self.buckets = buckets
    }
}
