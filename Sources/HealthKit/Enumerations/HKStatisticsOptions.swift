/// What statistics are asked for. Averages, minima and maxima belong to discrete types, sums to
/// cumulative ones; the others go with either.
public struct HKStatisticsOptions: OptionSet, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// Each source's figures beside the merged ones.
    public static var separateBySource: HKStatisticsOptions { HKStatisticsOptions(rawValue: 1) }

    /// The mean of a discrete type.
    public static var discreteAverage: HKStatisticsOptions { HKStatisticsOptions(rawValue: 2) }

    /// The least value of a discrete type.
    public static var discreteMin: HKStatisticsOptions { HKStatisticsOptions(rawValue: 4) }

    /// The greatest value of a discrete type.
    public static var discreteMax: HKStatisticsOptions { HKStatisticsOptions(rawValue: 8) }

    /// The sum of a cumulative type.
    public static var cumulativeSum: HKStatisticsOptions { HKStatisticsOptions(rawValue: 16) }

    /// The latest value.
    public static var mostRecent: HKStatisticsOptions { HKStatisticsOptions(rawValue: 32) }

    /// The older name of ``mostRecent``.
    public static var discreteMostRecent: HKStatisticsOptions { .mostRecent }

    /// The time the samples cover.
    public static var duration: HKStatisticsOptions { HKStatisticsOptions(rawValue: 64) }
}
