import Foundation
import HealthModel

/// A number with or without its unit, as people write it: `71.4kg`, `97 %`, `10`.
struct MeasureArgument {
    let number: String
    let unit: String?

    /// `nil` for other texts, such as `0x10`, `5'11"` or `7:30`.
    init?(_ text: String) {
        let form = /([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?) *([^\d\s.,:'"+\-][^\d]*)?/
        guard let match = text.wholeMatch(of: form) else { return nil }
        (number, unit) = (String(match.1), match.2.map(String.init))
    }

    /// A limit of the figures of a type, with its unit if it has one: `10,000`, `10k`, `72kg`; of a category type in
    /// seconds from `7h`, or a number of samples.
    static func limit(_ text: String, of type: TypeDescription, option: String) throws -> (value: Double, unit: String?)
    {
        let plain = text.replacing(/,(?=\d{3}(?:\D|$))/, with: "")
        let isTime = type.kind == .category
        guard let measure = MeasureArgument(plain), let number = Double(measure.number), number.isFinite else {
            throw UsageError("\(option): “\(text)” is not a number. Use a form like 10000, 72kg, or 7h.")
        }
        guard isTime else { return measure.unit == "k" ? (1_000 * number, nil) : (number, measure.unit) }
        guard let unit = measure.unit else {
            let seconds = ["sleepAnalysis": 3_600.0, "appleStandHour": 3_600, "mindfulSession": 60]
            return (number * (seconds[type.shortName] ?? 1), nil)
        }
        guard let given = try? UnitExpression(words: unit).string, let time = UnitConversion(between: given, and: "s")
        else { throw UsageError("\(option): “\(unit)” is not a unit of time. Use a form like 7h or 45min.") }
        return (time(number), nil)
    }
}
