public import Foundation

/// An instant in a batch: ISO 8601 text in UTC with as many digits of the second as the number has, such as
/// `2026-03-01T07:30:00.25Z`, so that a date comes back bit for bit.
///
/// `Date` keeps seconds since 2001-01-01 00:00:00 UTC. The text is written and read in decimal around that instant;
/// arithmetic in another epoch would round. An instant outside the years 0 to 9999 is a number of those seconds.
public struct SyncDate: Codable, Hashable, Sendable {
    /// Seconds since 2001-01-01 00:00:00 UTC.
    public var seconds: Double

    /// Creates an instant from seconds since 2001-01-01 00:00:00 UTC.
    public init(seconds: Double) {
        self.seconds = seconds
    }

    /// Creates an instant from a date.
    public init(_ date: Date) {
        seconds = date.timeIntervalSinceReferenceDate
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let seconds = try? container.decode(Double.self) {
            self.seconds = seconds
            return
        }
        guard let seconds = Self.seconds(of: try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "A date must have a form like 2026-03-01T07:30:00Z.")
        }
        self.seconds = seconds
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if let text = Self.text(of: seconds) {
            try container.encode(text)
        } else {
            try container.encode(seconds)
        }
    }
}

// MARK: - Text

extension SyncDate {
    /// Days from 1970-01-01 to 2001-01-01.
    private static let referenceDay = 11_323

    /// The text of an instant; `nil` for one outside the years 0 to 9999.
    static func text(of seconds: Double) -> String? {
        let whole = seconds.rounded(.down)
        guard seconds.isFinite, let number = Int(exactly: whole), number.magnitude < 300_000_000_000 else { return nil }
        let (day, second) = number.quotientAndRemainder(flooringBy: 86_400)
        let date = civil(day: day + referenceDay)
        guard (0...9999).contains(date.year) else { return nil }
        var text = pad(date.year, 4) + "-" + pad(date.month, 2) + "-" + pad(date.day, 2) + "T"
        text += pad(second / 3600, 2) + ":" + pad(second / 60 % 60, 2) + ":" + pad(second % 60, 2)
        let digits = fraction(of: abs(seconds))
        if !digits.isEmpty { text += "." + (seconds < 0 ? complement(digits) : digits) }
        return text + "Z"
    }

    /// The seconds that a text means; `nil` for a text of another form.
    static func seconds(of text: String) -> Double? {
        let bytes = Array(text.utf8)
        guard bytes.count >= 20 else { return nil }
        func number(_ range: Range<Int>) -> Int? {
            var value = 0
            for byte in bytes[range] {
                guard (48...57).contains(byte) else { return nil }
                value = value * 10 + Int(byte - 48)
            }
            return value
        }
        func isMark(_ mark: Character, at place: Int) -> Bool { bytes[place] == mark.asciiValue }
        guard let year = number(0..<4), isMark("-", at: 4), let month = number(5..<7), isMark("-", at: 7),
            let day = number(8..<10), isMark("T", at: 10), let hour = number(11..<13), isMark(":", at: 13),
            let minute = number(14..<16), isMark(":", at: 16), let second = number(17..<19),
            (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second < 60
        else { return nil }
        var place = 19
        var digits = ""
        if isMark(".", at: place) {
            place += 1
            let start = place
            while place < bytes.count, (48...57).contains(bytes[place]) { place += 1 }
            guard place > start else { return nil }
            digits = String(decoding: bytes[start..<place], as: UTF8.self)
            while digits.hasSuffix("0") { digits.removeLast() }
        }
        guard let offset = offset(bytes[place...]) else { return nil }
        let days = Self.day(year: year, month: month, day: day) - referenceDay
        let whole = days * 86_400 + hour * 3600 + minute * 60 + second - offset
        if digits.isEmpty { return Double(whole) }
        return whole >= 0 ? Double("\(whole).\(digits)") : Double("-\(-whole - 1).\(complement(digits))")
    }

    /// The seconds east of Greenwich in `Z` or a form like `+02:00`.
    private static func offset(_ bytes: ArraySlice<UInt8>) -> Int? {
        let text = String(decoding: bytes, as: UTF8.self)
        if text == "Z" { return 0 }
        let parts = text.dropFirst().split(separator: ":", omittingEmptySubsequences: false)
        guard let sign = text.first, sign == "+" || sign == "-", parts.count == 2, parts.allSatisfy({ $0.count == 2 }),
            let hours = Int(parts[0]), let minutes = Int(parts[1]), (0..<24).contains(hours), (0..<60).contains(minutes)
        else { return nil }
        return (sign == "-" ? -1 : 1) * (hours * 3600 + minutes * 60)
    }

    /// The decimal digits behind the point, without trailing zeros.
    private static func fraction(of number: Double) -> String {
        var (mantissa, exponent) = ("\(number)", 0)
        if let mark = mantissa.firstIndex(of: "e") {
            exponent = Int(mantissa[mantissa.index(after: mark)...]) ?? 0
            mantissa = String(mantissa[..<mark])
        }
        let parts = mantissa.split(separator: ".", omittingEmptySubsequences: false)
        var digits = parts.count > 1 ? String(parts[1]) : ""
        // Only numbers near 0 are written with a power of ten here.
        if exponent < 0 { digits = String(repeating: "0", count: -exponent - 1) + parts[0] + digits }
        while digits.hasSuffix("0") { digits.removeLast() }
        return digits
    }

    /// The digits of 1 minus the fraction with these digits, of which the last is not 0.
    private static func complement(_ digits: String) -> String {
        var bytes = digits.utf8.map { 57 - ($0 - 48) }
        if let last = bytes.popLast() { bytes.append(last + 1) }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func pad(_ number: Int, _ width: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, width - text.count)) + text
    }

    // MARK: Calendar

    /// The Gregorian date of a day counted from 1970-01-01, in cycles of 400 years that begin on 1 March.
    private static func civil(day: Int) -> (year: Int, month: Int, day: Int) {
        let (era, inEra) = (day + 719_468).quotientAndRemainder(flooringBy: 146_097)
        let year = (inEra - inEra / 1460 + inEra / 36_524 - inEra / 146_096) / 365
        let inYear = inEra - (365 * year + year / 4 - year / 100)
        let shifted = (5 * inYear + 2) / 153
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        return (year + era * 400 + (month <= 2 ? 1 : 0), month, inYear - (153 * shifted + 2) / 5 + 1)
    }

    /// The day of a Gregorian date, counted from 1970-01-01.
    private static func day(year: Int, month: Int, day: Int) -> Int {
        let (era, inEra) = (month <= 2 ? year - 1 : year).quotientAndRemainder(flooringBy: 400)
        let inYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + inEra * 365 + inEra / 4 - inEra / 100 + inYear - 719_468
    }
}

extension Int {
    /// The quotient rounded down, and the remainder, which is not negative.
    fileprivate func quotientAndRemainder(flooringBy divisor: Int) -> (Int, Int) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
