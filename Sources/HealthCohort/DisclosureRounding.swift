import Foundation

/// The rounding of figures for a reader who may not learn those of single people.
///
/// A mean is rounded to a step of about the deviation divided by the number of people: less than its standard error, and so
/// much that a sum is uncertain by about half of what people differ by. Nor do the differences of answers, which one person
/// is part of and not of the other, reveal that person’s figure. Quantiles, which are the figures of one or two people, and
/// the deviation are rounded to their standard error.
struct DisclosureRounding {
    let mean: Double
    let deviation: Double
    private let people: Int
    private let step: Double

    init(people: Int, mean: Double, deviation: Double) {
        // People who hardly differ are rounded to a share of the figure itself.
        let spread = max(deviation, abs(mean) / 100)
        let count = Double(people)
        self.people = people
        self.mean = Self.rounded(mean, to: Self.step(spread / count))
        step = Self.step(spread / count.squareRoot())
        self.deviation = Self.rounded(deviation, to: step)
    }

    /// A quantile, rounded.
    func quantile(_ value: Double) -> Double { Self.rounded(value, to: step) }

    /// Whether a quantile may be shown. All quantiles that may, in whatever request, have at least the minimum of people
    /// between each other and beyond them.
    ///
    /// - Parameter share: A multiple of 0.05.
    func allows(_ share: Double, of minimum: Int) -> Bool {
        let (twentieth, groups) = (Int((share * 20).rounded()), people / minimum)
        let least =
            switch min(twentieth, 20 - twentieth) {
            case 10: 2
            case 5: 4
            case 2: 10
            default: 20
            }
        return groups >= least
    }

    /// The largest of 1, 2, 5, 10, 20, …, 0.5, 0.2, … that isn't larger; 0 for 0.
    private static func step(_ size: Double) -> Double {
        guard size > 0, size.isFinite else { return 0 }
        let power = pow(10, log10(size).rounded(.down))
        return [5, 2].map { $0 * power }.first { $0 <= size } ?? power
    }

    private static func rounded(_ value: Double, to step: Double) -> Double {
        step > 0 ? (value / step).rounded() * step : value
    }
}
