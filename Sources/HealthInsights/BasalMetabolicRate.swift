public import HealthKit

/// The energy a body burns at rest, after the revised Harris–Benedict coefficients rounded as fitness
/// applications commonly use them.
public struct BasalMetabolicRate: Hashable, Sendable {
    /// Kilograms.
    public var weight: Double
    /// Centimetres.
    public var height: Double
    /// Whole years.
    public var age: Int
    /// Which of the two formulas is taken; everything but male takes the one for women.
    public var biologicalSex: HKBiologicalSex

    /// Makes the figures of one person; weight in kilograms, height in centimetres, age in years.
    public init(weight: Double, height: Double, age: Int, biologicalSex: HKBiologicalSex) {
        self.weight = weight
        self.height = height
        self.age = age
        self.biologicalSex = biologicalSex
    }

    /// Kilocalories a day: 66.0 + 13.8·kg + 5·cm − 6.8·years for men, 655.0 + 9.6·kg + 1.8·cm − 4.7·years
    /// for everybody else.
    public var kilocaloriesPerDay: Double {
        let years = Double(age)
        return biologicalSex == .male
            ? 66.0 + 13.8 * weight + 5 * height - 6.8 * years
            : 655.0 + 9.6 * weight + 1.8 * height - 4.7 * years
    }
}
