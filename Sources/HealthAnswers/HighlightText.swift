import Foundation
import HealthInsights
import HealthKit

/// A highlight in words, as the command line, the API and assistants give it; the page says the same in its language.
package struct HighlightText: Sendable {
    private let highlight: Highlight
    private let calendar: Calendar

    init(_ highlight: Highlight, calendar: Calendar) {
        (self.highlight, self.calendar) = (highlight, calendar)
    }

    /// The name at the beginning of a line, such as `Resting heart rate`.
    package var name: String { highlight.measure.name.prefix(1).uppercased() + highlight.measure.name.dropFirst() }

    /// The value with its unit, such as `58 bpm`; `nil` if there is none.
    package var value: String? { highlight.value.map { withUnit(number($0)) } }

    /// The usual range with the unit, such as `51 to 55 bpm`; `nil` if it isn't known.
    package var usual: String? {
        highlight.usual.map { "\(number($0.minimum)) to \(withUnit(number($0.maximum)))" }
    }

    /// The highlight and its reason, or why it isn't known whether there is one.
    package var sentence: String {
        if let value, let usual, let direction = highlight.direction {
            return "\(value) \(when), \(direction == .higher ? "above" : "below") your usual \(usual)."
        }
        if let value, let usual, highlight.finding == .usual { return "\(value) \(when). Usual for you: \(usual)." }
        if highlight.average == nil {
            return "Fewer than \(Highlight.requiredDaysOfWeek) of the last 7 days have data."
        }
        guard highlight.weekCount < Highlight.requiredWeeks else {
            return "All weeks before were the same, so it isn’t known what is usual."
        }
        return "What is usual takes \(Highlight.requiredWeeks) weeks with data. There are \(highlight.weekCount)."
    }

    /// The fraction digits of the value and the range: as many as the unit deserves, and more where two of them would
    /// look the same.
    package var fractionDigits: Int {
        guard let value = highlight.value, let usual = highlight.usual else { return 0 }
        let shown = [value, usual.minimum, usual.maximum].map(scaled)
        let least = Self.digits(highlight.unit.unitString, shown.map(abs).max() ?? 0)
        let isDistinct = { (digits: Int) in
            let scale = pow(10, Double(digits))
            let texts = shown.map { ($0 * scale).rounded() }
            return texts[1] != texts[2] && (highlight.direction == nil || !texts[1...].contains(texts[0]))
        }
        return (least...least + 3).first(where: isDistinct) ?? least
    }

    private var when: String {
        if highlight.finding == .day, let day = highlight.mostUnusualDay?.date {
            return (highlight.measure.isSleep ? "in the night to " : "on ") + weekday(day)
        }
        if highlight.measure.isSleep { return "a night in the last 7 nights" }
        return highlight.measure.isCumulative ? "a day in the last 7 whole days" : "on average in the last 7 days"
    }

    private func weekday(_ date: Date) -> String {
        let names = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
        return names[calendar.component(.weekday, from: date) - 1]
    }

    // MARK: Numbers

    private func scaled(_ value: Double) -> Double { highlight.unit == .percent() ? value * 100 : value }

    private func number(_ value: Double) -> String {
        guard !highlight.measure.isSleep else { return Self.duration(value) }
        let digits = fractionDigits
        let scale = pow(10, Double(digits))
        let rounded = (abs(scaled(value)) * scale).rounded()
        guard rounded < 1e15 else { return "\(scaled(value))" }
        let (whole, rest) = (Int64(rounded) / Int64(scale), Int64(rounded) % Int64(scale))
        var fraction = digits == 0 ? "" : String(repeating: "0", count: digits - "\(rest)".count) + "\(rest)"
        while fraction.last == "0" { fraction.removeLast() }
        return (value < 0 && rounded > 0 ? "-" : "") + Self.grouped(whole) + (fraction.isEmpty ? "" : ".\(fraction)")
    }

    private static func grouped(_ number: Int64) -> String {
        number < 1_000 ? "\(number)" : "\(grouped(number / 1_000)),\(String("\(1_000 + number % 1_000)".dropFirst()))"
    }

    /// `7 h 12 min`.
    private static func duration(_ seconds: Double) -> String {
        let minutes = Int((seconds / 60).rounded())
        let parts = [minutes / 60 > 0 ? "\(minutes / 60) h" : "", minutes % 60 > 0 ? "\(minutes % 60) min" : ""]
        return minutes == 0 ? "0 min" : parts.filter { !$0.isEmpty }.joined(separator: " ")
    }

    private static func digits(_ unit: String, _ size: Double) -> Int {
        switch unit {
        case "kg", "lb", "st", "degC", "degF", "%", "m/s", "km/hr", "mi/hr": 1
        case "km", "mi", "m": 2
        default: size < 10 || unit.contains("mol") || unit.contains("mL/") ? 1 : 0
        }
    }

    private func withUnit(_ number: String) -> String {
        let name = highlight.measure.isSleep ? "" : Self.unitName(highlight.unit.unitString, highlight.measure)
        return name.isEmpty ? number : "\(number) \(name)"
    }

    /// A unit as people read it, as the page names it.
    private static func unitName(_ unit: String, _ measure: HighlightMeasure) -> String {
        switch unit {
        case "count": ""
        case "count/min": measure.type == HKQuantityType(.respiratoryRate) ? "br/min" : "bpm"
        case "Cal": "kcal"
        case "hr": "h"
        case "degC": "°C"
        case "degF": "°F"
        case "dBASPL": "dB"
        case "km/hr": "km/h"
        case "mi/hr": "mph"
        default: unit.hasPrefix("mmol") ? "mmol/L" : unit.hasPrefix("mL/") ? "mL/min/kg" : unit
        }
    }
}
