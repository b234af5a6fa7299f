/// How many values of one quantity type combine to one. Raw values are those of the original.
public enum AggregationStyle: UInt8, Hashable, Sendable, Codable {
    /// Values add up, as steps do.
    case cumulative = 0
    /// The plain mean of the values.
    case discreteArithmetic = 1
    /// The mean over time.
    case discreteTemporallyWeighted = 2
    /// The equivalent continuous sound level of IEC 61672-1.
    case discreteEquivalentContinuousLevel = 3

    /// Whether sums, and not means, are asked of the type.
    public var isCumulative: Bool { self == .cumulative }
}
