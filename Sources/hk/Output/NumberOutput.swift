import Foundation

/// Formats numbers for people: grouped by thousands, with few fraction digits.
enum NumberOutput {
    /// `12,345.6`: at most `digits` fraction digits, without trailing zeros.
    static func text(_ value: Double, digits: Int = 2) -> String {
        guard value.isFinite else { return value.isNaN ? "not a number" : value < 0 ? "-∞" : "∞" }
        guard abs(value) < 1e15 else { return String(value) }
        // Small values need more digits to be meaningful.
        let places = value != 0 && abs(value) < 0.1 ? digits + 2 : digits
        let scale = pow(10, Double(places))
        let scaled = Int64((abs(value) * scale).rounded())
        // A value is never shown as zero because it is tiny, other than in whole numbers.
        if scaled == 0, value != 0, digits > 1 { return String(value) }
        var fraction = places == 0 ? "" : String(scaled % Int64(scale))
        fraction = String(repeating: "0", count: places - fraction.count) + fraction
        while fraction.last == "0" { fraction.removeLast() }
        let sign = value < 0 && scaled > 0 ? "-" : ""
        return sign + grouped(Int(scaled / Int64(scale))) + (fraction.isEmpty ? "" : "." + fraction)
    }

    /// `71.4 kg`. Fractions of one, in the unit `%`, are shown as percentages.
    static func quantity(_ value: Double, _ unit: String) -> String {
        var number = text(unit == "%" ? percent(value) : value)
        if unit == "%", value.isFinite, !(value * 100).isFinite { number = "\(value) × 100" }
        return unit.isEmpty ? number : "\(number) \(name(ofUnit: unit))"
    }

    /// A unit as people write it: `mmol/L`, without the mass of a mole.
    static func name(ofUnit unit: String?) -> String {
        guard let unit, let mass = unit.range(of: "mol<"), let end = unit[mass.upperBound...].firstIndex(of: ">") else {
            return unit ?? ""
        }
        return "\(unit[..<mass.lowerBound])mol\(unit[unit.index(after: end)...])"
    }

    /// A fraction of one as a percentage, at most the greatest finite number if the fraction is finite.
    static func percent(_ fraction: Double) -> Double {
        guard fraction.isFinite else { return fraction }
        let limit = Double.greatestFiniteMagnitude
        return max(-limit, min(limit, fraction * 100))
    }

    /// The numbers of one column, with as many fraction digits as suit the largest: `12,346`, `72.3`, `3.14`.
    static func column(_ values: [Double?]) -> [String] {
        // Unit conversions leave whole numbers slightly off.
        let known = values.compactMap { $0 }.filter(\.isFinite)
        let greatest = known.map { abs($0) }.max() ?? 0
        let isWhole = known.allSatisfy { abs($0 - $0.rounded()) < 1e-9 * max(1, abs($0)) }
        let places = isWhole || greatest >= 1_000 ? 0 : greatest >= 10 ? 1 : greatest >= 1 ? 2 : 3
        return values.map { value in
            guard let value else { return "–" }
            let short = text((value * pow(10, Double(places))).rounded() / pow(10, Double(places)), digits: places)
            guard places > 0, value.isFinite, abs(value) >= 0.1 || value == 0 else { return short }
            let there = short.firstIndex(of: ".").map { short.distance(from: $0, to: short.endIndex) - 1 } ?? 0
            return short + (there == 0 ? "." : "") + String(repeating: "0", count: places - there)
        }
    }

    /// The numbers of one column in a unit: fractions of one as percentages, and blood pressures in whole numbers.
    static func column(_ values: [Double?], _ unit: String) -> [String] {
        let percentages = unit == "%" ? values.map { $0.map(percent) } : values
        return column(unit == "mmHg" ? values.map { $0?.rounded() } : percentages)
    }

    /// `1 day`, `1,234 days`.
    static func counted(_ count: Int, _ noun: String) -> String { "\(grouped(count)) \(noun)\(count == 1 ? "" : "s")" }

    /// `1,234,567`.
    static func grouped(_ value: Int) -> String {
        let digits = Array(String(value.magnitude))
        var text = value < 0 ? "-" : ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { text.append(",") }
            text.append(digit)
        }
        return text
    }

    /// The number without grouping, rounded to twelve significant digits to hide binary rounding errors.
    static func plain(_ value: Double) -> String {
        guard value.isFinite, value != 0 else { return value == 0 ? "0" : "\(value)" }
        let scale = pow(10, 11 - log10(abs(value)).rounded(.down))
        guard scale.isFinite, scale > 0 else { return "\(value)" }
        let rounded = (value * scale).rounded() / scale
        return Int64(exactly: rounded).map { String($0) } ?? "\(rounded)"
    }
}
