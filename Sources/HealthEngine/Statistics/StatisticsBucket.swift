public import HealthModel

/// Statistics of one interval, or of all samples.
public struct StatisticsBucket: Hashable, Sendable {
    /// The interval's bounds; for a single result, the earliest start and latest end of the samples.
    public var start: Double
    /// The interval's end; for a single result, the latest end of the samples.
    public var end: Double
    /// All sources merged.
    public var values: StatisticsValues
    /// Figures of each source by itself; `nil` unless asked for separately.
    public var bySource: [SourceRecord: StatisticsValues]?
    /// The unit of every value.
    public var unit: String

    /// Makes the statistics of an interval.
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
