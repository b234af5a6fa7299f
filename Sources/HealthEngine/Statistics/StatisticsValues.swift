import Foundation
public import HealthModel

/// The figures of one bucket, each `nil` unless requested and available. Values are in the bucket's unit: the type's
/// canonical unit or, for a type without one, a unit of its first samples.
public struct StatisticsValues: Hashable, Sendable, Codable {
    /// A value with the dates of the sample it comes from.
    public struct Recent: Hashable, Sendable, Codable {
        /// The sample's value.
        public var value: Double
        /// The sample's start, in seconds since 2001.
        public var start: Double
        /// The sample's end, in seconds since 2001.
        public var end: Double

        /// Creates a value with its sample's dates.
        public init(value: Double, start: Double, end: Double) {
            self.value = value
            self.start = start
            self.end = end
        }
    }

    /// The sum of cumulative samples, with sources merged so that nothing counts twice.
    public var sum: Double?
    /// The mean of discrete samples according to their type's aggregation style.
    public var average: Double?
    /// The minimum value.
    public var minimum: Double?
    /// The maximum value.
    public var maximum: Double?
    /// The value of the sample that ends last.
    public var mostRecent: Recent?
    /// The seconds covered by the contributing samples, with overlaps counted once.
    public var duration: Double?

    /// Creates the figures of one bucket.
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

/// Statistics of one interval, or of all samples.
public struct StatisticsBucket: Hashable, Sendable, Codable {
    /// The interval's start; for a single result, the earliest start of the samples.
    public var start: Double
    /// The interval's end; for a single result, the latest end of the samples.
    public var end: Double
    /// The figures of all sources merged.
    public var values: StatisticsValues
    /// The figures of each source; `nil` unless requested.
    public var bySource: [SourceRecord: StatisticsValues]?
    /// The unit of every value.
    public var unit: String

    /// Creates the statistics of an interval.
    public init(
        start: Double, end: Double, values: StatisticsValues,
        bySource: [SourceRecord: StatisticsValues]? = nil, unit: String
    ) {
        self.start = start
        self.end = end
        self.values = values
        self.bySource = bySource
        self.unit = unit
    }
}

/// The running totals of one bucket. Values are in the canonical unit.
struct BucketTotals: Sendable {
    /// Whether any sample falls into the bucket.
    var hasSamples = false
    /// The merged sum of a cumulative type.
    var sum = 0.0
    /// The number of samples and the sum of their values, for the plain mean.
    var count = 0
    var valueSum = 0.0
    /// The minimum and maximum, ignoring NaN; the minimum exceeds the maximum until there is a value.
    var minimum = Double.infinity
    var maximum = -Double.infinity
    /// The integral over time of the value or the sound energy, and the time it covers.
    var integral = 0.0
    var integralTime = 0.0
    /// The sum of sound energies, not weighted by time.
    var energySum = 0.0
    /// The sample with the latest end, then start, then sequence.
    var recent: StatisticsValues.Recent?
    /// The seconds covered, with overlaps counted once.
    var duration = 0.0

    /// Replaces the most recent sample unless the new one is earlier.
    @inline(__always)
    mutating func offerRecent(value: Double, start: Double, end: Double) {
        if let recent, (end, start) < (recent.end, recent.start) { return }
        recent = StatisticsValues.Recent(value: value, start: start, end: end)
    }

    /// Adds another task's totals for the same bucket, of later samples that overlap none of these.
    mutating func merge(_ later: BucketTotals) {
        guard later.hasSamples else { return }
        hasSamples = true
        sum += later.sum
        count += later.count
        valueSum += later.valueSum
        minimum = min(minimum, later.minimum)
        maximum = max(maximum, later.maximum)
        integral += later.integral
        integralTime += later.integralTime
        energySum += later.energySum
        duration += later.duration
        if let recent = later.recent {
            offerRecent(value: recent.value, start: recent.start, end: recent.end)
        }
    }
}

extension StatisticsValues {
    /// Creates the requested figures; a bucket without samples has none.
    init(_ totals: BucketTotals, options: StatisticsOptions, style: AggregationStyle) {
        self.init()
        guard totals.hasSamples else { return }
        if options.contains(.cumulativeSum) { sum = totals.sum }
        if options.contains(.discreteAverage) { average = totals.average(style) }
        // If the minimum exceeds the maximum, every value is NaN.
        let hasExtremes = totals.minimum <= totals.maximum
        if options.contains(.discreteMin) { minimum = hasExtremes ? totals.minimum : .nan }
        if options.contains(.discreteMax) { maximum = hasExtremes ? totals.maximum : .nan }
        if options.contains(.mostRecent) { mostRecent = totals.recent }
        if options.contains(.duration) { duration = totals.duration }
    }
}

extension BucketTotals {
    /// The mean according to the type's style; if no time is covered, the unweighted mean.
    fileprivate func average(_ style: AggregationStyle) -> Double {
        switch style {
        case .cumulative, .discreteArithmetic:
            valueSum / Double(count)
        case .discreteTemporallyWeighted:
            integralTime > 0 ? integral / integralTime : valueSum / Double(count)
        case .discreteEquivalentContinuousLevel:
            10 * log10(integralTime > 0 ? integral / integralTime : energySum / Double(count))
        }
    }
}
