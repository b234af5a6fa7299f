public import HealthKit

/// The subject of a highlight: the time asleep, or a quantity type.
public struct HighlightMeasure: Hashable, Sendable {
    /// The type whose samples are read.
    public let type: HKSampleType
    /// The name in the middle of a sentence, such as `resting heart rate`.
    public let name: String
    /// Whether single days are compared with the days before, too: what is measured at rest says something from day to
    /// day, and activity doesn't.
    public let comparesDays: Bool

    init(_ type: HKSampleType, _ name: String, comparesDays: Bool = false) {
        (self.type, self.name, self.comparesDays) = (type, name, comparesDays)
    }

    /// Whether this is the time asleep in a night.
    public var isSleep: Bool { type is HKCategoryType }

    /// Whether a day has a sum, rather than an average.
    public var isCumulative: Bool { (type as? HKQuantityType)?.aggregationStyle == .cumulative }

    /// The values that a measurement can have.
    func possible(in unit: HKUnit) -> ClosedRange<Double> {
        if unit == .percent() { return 0...1 }
        let isTemperature = (type as? HKQuantityType)?.is(compatibleWith: .degreeCelsius()) ?? false
        return isTemperature ? -.infinity ... .infinity : 0 ... .infinity
    }
}
