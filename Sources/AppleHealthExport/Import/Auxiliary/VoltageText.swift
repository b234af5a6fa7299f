import Foundation
import HealthFiles

/// The number format of an electrocardiogram's file, which is localized.
struct VoltageText: Equatable {
    /// The number of decimals; `nil` for as many as a number needs.
    var decimals: Int? = 3
    var separator = "."
    var minus = "-"

    /// Parses a text of digits, an optional sign and an optional point or comma, the usual form of lines. Returns `nil`
    /// for any other text and for more than 15 digits.
    static func parsePlain(
        _ text: UnsafeBufferPointer<UInt8>, exponent: Int
    ) -> (value: Double, decimals: Int, separator: UInt8)? {
        var position = 0
        let isNegative = text.first == UInt8(ascii: "-")
        if isNegative { position = 1 }
        var mantissa: Int64 = 0
        var digits = 0
        var decimals = -1
        var separator: UInt8 = 0
        while position < text.count {
            let byte = text[position]
            let digit = byte &- UInt8(ascii: "0")
            if digit < 10 {
                mantissa = mantissa &* 10 &+ Int64(digit)
                digits += 1
                if decimals >= 0 { decimals += 1 }
            } else if decimals < 0, digits > 0, byte == UInt8(ascii: ".") || byte == UInt8(ascii: ",") {
                decimals = 0
                separator = byte
            } else {
                return nil
            }
            guard digits <= 15 else { return nil }
            position += 1
        }
        guard digits > 0, decimals != 0 else { return nil }
        let places = max(0, decimals)
        // The mantissa is below 2^53 and the power of ten is exact, so the division rounds once, as strtod does.
        guard places - exponent <= 22, places - exponent >= 0 else { return nil }
        let value = Double(mantissa) / powersOfTen[places - exponent]
        return (isNegative ? -value : value, places, separator)
    }

    /// Parses any localized number, with digits, minus signs and grouping of other scripts; `nil` for other text.
    static func parse(_ text: some StringProtocol, exponent: Int) -> Double? {
        guard let plain = plain(text) else { return nil }
        let number = exponent == 0 ? DecimalText.parse(plain) : DecimalText.parse("\(plain)e\(exponent)")
        return number.flatMap { $0.isFinite ? $0 : nil }
    }

    /// Converts a localized number to ASCII with a decimal point; `nil` for other text.
    static func plain(_ text: some StringProtocol) -> String? {
        var plain = ""
        var points = 0
        for character in text {
            switch character {
            case "-", "\u{2212}", "\u{FF0D}":
                guard plain.isEmpty else { return nil }
                plain = "-"
            case "+":
                guard plain.isEmpty else { return nil }
            case ".", ",", "\u{66B}":
                // The last one is the decimal separator, those before it are grouping separators.
                plain.removeAll { $0 == "." }
                plain.append(".")
                points += 1
            case "\u{A0}", "\u{202F}", " ", "'", "’", "\u{66C}", "\u{200E}", "\u{200F}", "\u{61C}":
                continue
            default:
                guard character.unicodeScalars.first?.properties.numericType == .decimal,
                    let digit = character.wholeNumberValue, digit < 10
                else { return nil }
                plain.append(String(digit))
            }
        }
        guard plain.contains(where: \.isNumber), plain.last != ".", points < 8, plain.utf8.count < 64 else {
            return nil
        }
        return plain
    }

    private static let powersOfTen: [Double] = (0...22).map { pow(10, Double($0)) }

    // MARK: - Format of a file

    /// The decimals, separator and minus sign, separated by spaces; `nil` for the English format.
    var format: String? {
        if self == VoltageText() { return nil }
        return "\(decimals.map(String.init) ?? "-") \(separator) \(minus)"
    }

    init() {}

    /// Reads what ``format`` returned; any other text gives the English format.
    init(format: String?) {
        guard let parts = format?.split(separator: " ").map(String.init), parts.count == 3,
            [".", ","].contains(parts[1]), ["-", "\u{2212}"].contains(parts[2])
        else { return }
        if parts[0] == "-" {
            decimals = nil
        } else {
            guard let count = Int(parts[0]), (0...15).contains(count) else { return }
            decimals = count
        }
        separator = parts[1]
        minus = parts[2]
    }

    /// Appends a voltage, given in volts, in the unit with this exponent.
    func append(_ volts: Double, exponent: Int, to bytes: inout [UInt8]) {
        guard volts.isFinite else { return }
        if volts.sign == .minus { bytes.append(contentsOf: minus.utf8) }
        let digits = Self.digits(of: abs(volts), exponent: exponent, decimals: decimals ?? 0)
        if separator == "." {
            bytes.append(contentsOf: digits.utf8)
        } else {
            for byte in digits.utf8 { bytes.append(byte == UInt8(ascii: ".") ? UInt8(ascii: ",") : byte) }
        }
    }

    /// The number without an exponent, with a minimum number of decimals.
    private static func digits(of value: Double, exponent: Int, decimals: Int) -> String {
        let places = decimals - exponent
        if (0...22).contains(places) {
            let scaled = (value * powersOfTen[places]).rounded()
            if scaled < 9e15, scaled / powersOfTen[places] == value {
                return point(String(Int64(scaled)), places: decimals)
            }
        }
        // The shortest digits that give this number.
        let text = value.description.lowercased()
        let parts = text.split(separator: "e")
        let power = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
        let whole = parts[0].split(separator: ".", omittingEmptySubsequences: false)
        var fraction = whole.count > 1 ? String(whole[1]) : ""
        if fraction == "0" { fraction = "" }
        var mantissa = String(whole[0]) + fraction
        var shown = fraction.utf8.count - power + exponent
        if shown < 0 {
            mantissa += String(repeating: "0", count: -shown)
            shown = 0
        }
        if shown < decimals {
            mantissa += String(repeating: "0", count: decimals - shown)
            shown = decimals
        }
        return point(String(mantissa.drop { $0 == "0" }), places: shown)
    }

    private static func point(_ digits: String, places: Int) -> String {
        let padded = String(repeating: "0", count: max(0, places + 1 - digits.utf8.count)) + digits
        return places == 0 ? padded : "\(padded.dropLast(places)).\(padded.suffix(places))"
    }
}
