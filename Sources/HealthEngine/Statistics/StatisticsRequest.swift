public import HealthModel

/// A request for statistics of one quantity type, over all samples or by interval.
public struct StatisticsRequest: Sendable {
    /// How time is divided into buckets. Instants are in seconds since 2001.
    public enum Buckets: Sendable {
        /// One result over all matching samples, with their earliest start and latest end. Samples are not clipped.
        case single
        /// A result for every pair of neighboring instants that has data. Samples that cross an instant are split
        /// by time.
        ///
        /// The closure receives the earliest start and latest end of the matching samples and returns ascending
        /// instants.
        case bounds(@Sendable (ClosedRange<Double>) -> [Double])
        /// The same for ascending instants that are known before the samples. A backend can then add up the samples
        /// between them where they are stored.
        case instants([Double])
        /// A result for every interval of a regular grid that has data, for samples that may lie centuries apart.
        ///
        /// The closure receives ascending, disjoint stretches of time that together contain all matching samples:
        /// a single one unless there would be very many intervals. It returns ascending instants that cover every
        /// stretch: a bound at or before its start, all bounds within, and a bound after its end. Two neighboring
        /// instants of different stretches enclose no sample, and so give no result.
        ///
        /// `length` is the approximate length of an interval in seconds. With `within`, only the intervals that overlap
        /// that range of time are computed; a sample that reaches beyond it counts with its share.
        case intervals(
            length: Double, within: ClosedRange<Double>? = nil,
            bounds: @Sendable ([ClosedRange<Double>]) throws -> [Double])
    }

    /// The maximum number of intervals in one request; with separate sources, the maximum number of intervals
    /// times one more than the number of sources. Every interval takes about 250 bytes of memory.
    ///
    /// Intervals of a regular grid are also limited by the number of samples, ``maximumBucketCount(ofSamples:)``.
    public static let maximumBucketCount = 10_000_000

    /// The maximum number of intervals of a regular grid: a hundred for each sample, and a million for the few samples
    /// that last for years. A single sample that lasts for millennia would otherwise take gigabytes.
    public static func maximumBucketCount(ofSamples count: Int) -> Int {
        min(maximumBucketCount, 1_000_000 + 100 * min(count, maximumBucketCount))
    }

    /// The quantity type.
    public var type: TypeCode
    /// Selects the samples, each as a whole.
    public var filter: SampleFilter
    /// The requested figures.
    public var options: StatisticsOptions
    /// How time is divided into buckets.
    public var buckets: Buckets

    /// Creates a request, by default for all samples in one bucket.
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

/// The figures of a statistics request. Raw values are those of the original.
public struct StatisticsOptions: OptionSet, Hashable, Sendable {
    /// One bit per figure.
    public let rawValue: UInt

    /// Creates the set of figures whose bits are set.
    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// The figures of each source, in addition to the merged ones.
    public static let separateBySource = StatisticsOptions(rawValue: 1 << 0)
    /// The mean according to the type's aggregation style.
    public static let discreteAverage = StatisticsOptions(rawValue: 1 << 1)
    /// The minimum value.
    public static let discreteMin = StatisticsOptions(rawValue: 1 << 2)
    /// The maximum value.
    public static let discreteMax = StatisticsOptions(rawValue: 1 << 3)
    /// The sum, for cumulative types.
    public static let cumulativeSum = StatisticsOptions(rawValue: 1 << 4)
    /// The value of the sample that ends last.
    public static let mostRecent = StatisticsOptions(rawValue: 1 << 5)
    /// The time that the samples cover.
    public static let duration = StatisticsOptions(rawValue: 1 << 6)
}

extension StatisticsRequest {
    /// Returns how the type's values combine.
    ///
    /// - Throws: ``EngineError/invalidArgument(_:)`` for a type that is not a quantity type and for options that are
    ///   incompatible with it, in the original's words.
    func validatedStyle(_ type: TypeDescription?) throws -> AggregationStyle {
        guard let type, type.kind == .quantity else {
            throw EngineError.invalidArgument("Statistics are made of quantity types only")
        }
        guard let style = type.aggregationStyle else {
            // A type unknown to this version combines according to the options.
            return options.contains(.cumulativeSum) ? .cumulative : .discreteArithmetic
        }
        let incompatible: [(StatisticsOptions, String)] =
            style.isCumulative
            ? [
                (.discreteAverage, "HKStatisticsOptionDiscreteAverage"),
                (.discreteMin, "HKStatisticsOptionDiscreteMin"), (.discreteMax, "HKStatisticsOptionDiscreteMax"),
            ] : [(.cumulativeSum, "HKStatisticsOptionCumulativeSum")]
        for (option, name) in incompatible where options.contains(option) {
            let family = style.isCumulative ? "cumulative" : "discrete"
            throw EngineError.invalidArgument(
                "Statistics option \(name) is not compatible with \(family) data type \(type.identifier)")
        }
        return style
    }
}

/// The aggregates that a request's figures are computed from.
struct RequiredAggregates: Sendable {
    let sum: Bool
    let extremesAndMean: Bool
    let weightedMean: Bool
    let level: Bool
    let recent: Bool
    let duration: Bool
    let separate: Bool

    init(_ options: StatisticsOptions, style: AggregationStyle) {
        let average = options.contains(.discreteAverage)
        sum = options.contains(.cumulativeSum)
        // A weighted mean over no time falls back to the plain mean.
        extremesAndMean = average || options.contains(.discreteMin) || options.contains(.discreteMax)
        weightedMean = average && style == .discreteTemporallyWeighted
        level = average && style == .discreteEquivalentContinuousLevel
        recent = options.contains(.mostRecent)
        duration = options.contains(.duration)
        separate = options.contains(.separateBySource)
    }

    /// Whether neighboring samples affect each other even if they do not overlap, so that a bucket cannot be divided
    /// into tasks.
    var joinsNeighbors: Bool { weightedMean }
}
