/// Which figures are asked for. Raw values are those of the original.
public struct StatisticsOptions: OptionSet, Hashable, Sendable {
    /// One bit a figure.
    public let rawValue: UInt

    /// Makes a set of the figures whose bits are set.
    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// Figures of each source by itself, beside the merged ones.
    public static let separateBySource = StatisticsOptions(rawValue: 1 << 0)
    /// The mean, taken as the type's aggregation style says.
    public static let discreteAverage = StatisticsOptions(rawValue: 1 << 1)
    /// The least value.
    public static let discreteMin = StatisticsOptions(rawValue: 1 << 2)
    /// The greatest value.
    public static let discreteMax = StatisticsOptions(rawValue: 1 << 3)
    /// The sum, for cumulative types.
    public static let cumulativeSum = StatisticsOptions(rawValue: 1 << 4)
    /// The value of the sample that ends last.
    public static let mostRecent = StatisticsOptions(rawValue: 1 << 5)
    /// The time that the samples cover.
    public static let duration = StatisticsOptions(rawValue: 1 << 6)
}
