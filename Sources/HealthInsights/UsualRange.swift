/// The range in which nearly all values of a person are, from values of before.
///
/// It is the median and three deviations to each side. The deviation is the median absolute deviation, scaled to estimate
/// the standard deviation of a normal distribution. A few extreme values, such as a week with a fever, change neither (Leys
/// et al. 2013, who call three deviations very conservative). Of few values the median absolute deviation is too small on
/// average; the factors of Croux and Rousseeuw 1992 correct that. If more than half of the values are equal, the mean
/// absolute deviation is used instead (Iglewicz and Hoaglin 1993).
public struct UsualRange: Hashable, Sendable {
    /// The number of deviations from the median to each bound.
    public static let deviations = 3.0

    /// The median of the values.
    public let median: Double
    /// The robust estimate of the standard deviation, more than 0.
    public let deviation: Double
    /// The number of values.
    public let count: Int
    /// The lowest usual value.
    public let minimum: Double
    /// The highest usual value.
    public let maximum: Double

    /// Calculates the range of values.
    ///
    /// - Parameters:
    ///   - values: Finite values, in any order.
    ///   - possible: The values that a measurement can have; the range doesn't exceed them.
    /// - Returns: `nil` for fewer than two values, or if all are equal: then it isn't known how they vary.
    public init?(_ values: [Double], possible: ClosedRange<Double> = -.infinity ... .infinity) {
        guard values.count > 1 else { return nil }
        let median = Self.median(values)
        let distances = values.map { abs($0 - median) }
        var deviation = Self.normal * Self.correction(values.count) * Self.median(distances)
        // The median of nearly equal values differs from them in its last digits.
        let noise = 1e-9 * max(abs(median), distances.max() ?? 0)
        if deviation <= noise { deviation = Self.normalMean * distances.reduce(0, +) / Double(distances.count) }
        guard deviation > noise, deviation.isFinite else { return nil }
        self.median = median
        self.deviation = deviation
        count = values.count
        minimum = max(possible.lowerBound, median - Self.deviations * deviation)
        maximum = min(possible.upperBound, median + Self.deviations * deviation)
    }

    /// Whether a value is in the range, bounds included.
    public func contains(_ value: Double) -> Bool { value >= minimum && value <= maximum }

    /// How many deviations a value is above the median, or below it if negative.
    public func standardized(_ value: Double) -> Double { (value - median) / deviation }

    /// The standard deviation of a normal distribution in median absolute deviations.
    private static let normal = 1.4826
    /// The standard deviation of a normal distribution in mean absolute deviations: the square root of π/2.
    private static let normalMean = 1.2533141373155

    /// Factors that make the median absolute deviation of few values unbiased, from two values on.
    private static let corrections = [1.196, 1.495, 1.363, 1.206, 1.200, 1.140, 1.129, 1.107]

    private static func correction(_ count: Int) -> Double {
        count - 2 < corrections.count ? corrections[count - 2] : Double(count) / (Double(count) - 0.8)
    }

    private static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        let middle = sorted.count / 2
        return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
    }
}
