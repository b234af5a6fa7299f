package import Foundation
package import HealthModel

/// Writes instants as ISO 8601 with an offset, with as many fractional digits as are needed to read back exactly the
/// same number. The counterpart is ``InstantReader``.
///
/// Use from one thread at a time, because the clock remembers what it looked up.
package struct InstantWriter {
    private let clock: LocalClock

    /// Creates a writer for a time zone.
    package init(timeZone: TimeZone) {
        clock = LocalClock(timeZone: timeZone)
    }

    /// Creates a writer with a clock, which no other thread uses.
    package init(clock: LocalClock) {
        self.clock = clock
    }

    /// The time zone of the texts.
    package var timeZone: TimeZone { clock.timeZone }

    /// The length of the offset at the end, `+01:00`.
    private static let offsetLength = 6
    /// Numbers up to this magnitude are exact in the product with a power of ten.
    private static let exactLimit = 0x1p53

    /// Appends the text of an instant, in seconds since 2001.
    package func write(_ instant: Double, to bytes: inout [UInt8]) {
        let whole = instant.rounded(.down)
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: LocalClock.maximumInstantLength) { buffer in
            guard let start = buffer.baseAddress else { return }
            let length = clock.writeInstant(whole, to: start)
            let text = UnsafeBufferPointer(start: start, count: length)
            guard instant != whole, instant.isFinite, abs(instant) < LocalClock.farthestInstant else {
                return bytes.append(contentsOf: text)
            }
            bytes.append(contentsOf: text.dropLast(Self.offsetLength))
            bytes.append(UInt8(ascii: "."))
            Self.writeFraction(of: instant, whole: whole, to: &bytes)
            bytes.append(contentsOf: text.suffix(Self.offsetLength))
        }
    }

    /// The text of an instant, in seconds since 2001.
    package func text(_ instant: Double) -> String {
        var bytes: [UInt8] = []
        write(instant, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func writeFraction(of instant: Double, whole: Double, to bytes: inout [UInt8]) {
        for (digits, scale) in [(3, 1e3), (6, 1e6)] {
            let scaled = (instant * scale).rounded()
            guard abs(scaled) < exactLimit, scaled / scale == instant else { continue }
            let fraction = Int(scaled - whole * scale)
            var place = Int(scale) / 10
            for _ in 0..<digits {
                bytes.append(UInt8(48 + fraction / place % 10))
                place /= 10
            }
            return
        }
        bytes += decimals(of: instant)
    }

    /// The digits after the point of `instant - floor(instant)`, from the shortest text of the instant.
    private static func decimals(of instant: Double) -> [UInt8] {
        let text = "\(abs(instant))"
        let parts = text.split(separator: "e")
        let number = parts[0].split(separator: ".", omittingEmptySubsequences: false)
        var digits = Array((number[0] + (number.count > 1 ? number[1] : "")).utf8)
        let exponent = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
        let point = number[0].utf8.count + exponent
        if point < 0 { digits.insert(contentsOf: [UInt8](repeating: 48, count: min(-point, 330)), at: 0) }
        var fraction = Array(digits.dropFirst(max(point, 0)))
        while fraction.last == 48 { fraction.removeLast() }
        if instant < 0, !fraction.isEmpty {
            // The fraction above the next lower whole number is the complement.
            for index in fraction.indices { fraction[index] = 48 + 57 - fraction[index] }
            fraction[fraction.count - 1] += 1
        }
        return fraction.isEmpty ? [48] : fraction
    }
}

extension LocalClock {
    /// Instants are written within about 8,000 years of 2001.
    fileprivate static let farthestInstant = 2.6e11
}

/// Reads ISO 8601 texts as instants. The counterpart is ``InstantWriter``.
///
/// Accepts `2024`, `2024-01`, `2024-01-31`, and days followed by `T` or a space, a time of day with or without seconds,
/// and an offset: `Z`, `+01:00`, `+0100` or `+01`. A text without an offset is local.
///
/// Use from one thread at a time, because the clock remembers what it looked up.
package struct InstantReader {
    private let clock: LocalClock

    /// Creates a reader.
    /// - Parameter timeZone: The time zone of texts without an offset.
    package init(timeZone: TimeZone) {
        clock = LocalClock(timeZone: timeZone)
    }

    /// Returns the seconds since 2001, or `nil` for any other text.
    package func instant(of text: String) -> Double? {
        var text = text
        return text.withUTF8 { instant(of: $0) }
    }

    /// Returns the seconds since 2001, or `nil` for any other text.
    package func instant(of text: UnsafeBufferPointer<UInt8>) -> Double? {
        if let instant = InstantParser.instant(ofProgramText: text) { return instant }
        var parser = InstantParser(text: text)
        guard parser.parse() else { return nil }
        let second = parser.offset.map { parser.second - $0 } ?? clock.instant(ofWallSecond: parser.second)
        guard parser.fractionEnd > parser.fractionStart else { return Double(second) }
        return InstantParser.sum(second, UnsafeBufferPointer(rebasing: text[parser.fractionStart..<parser.fractionEnd]))
    }
}

/// The components of a date in a text.
private struct InstantParser {
    let text: UnsafeBufferPointer<UInt8>
    /// Seconds since 2001-01-01 00:00:00 in the text's own time zone.
    var second = 0
    /// The offset from UTC in seconds, if the text has one.
    var offset: Int?
    /// The place of the digits after the point.
    var fractionStart = 0
    var fractionEnd = 0
    private var place = 0

    init(text: UnsafeBufferPointer<UInt8>) {
        self.text = text
    }

    private mutating func digits(_ count: Int) -> Int? {
        guard place + count <= text.count else { return nil }
        var number = 0
        for index in place..<place + count {
            guard text[index] >= 48, text[index] <= 57 else { return nil }
            number = number * 10 + Int(text[index] - 48)
        }
        place += count
        return number
    }

    private mutating func accept(_ one: Unicode.Scalar, _ other: Unicode.Scalar) -> Bool {
        guard place < text.count, text[place] == UInt8(ascii: one) || text[place] == UInt8(ascii: other) else {
            return false
        }
        place += 1
        return true
    }

    private mutating func accept(_ letter: Unicode.Scalar) -> Bool { accept(letter, letter) }

    mutating func parse() -> Bool {
        guard let year = digits(4) else { return false }
        var (month, day) = (1, 1)
        var hasDay = false
        if accept("-") {
            guard let given = digits(2) else { return false }
            month = given
            if accept("-") {
                guard let given = digits(2) else { return false }
                day = given
                hasDay = true
            }
        }
        guard CivilDate.isValid(year: year, month: month, day: day) else { return false }
        second = CivilDate.dayNumber(year: year, month: month, day: day) * 86_400
        guard hasDay, accept("T", "t") || accept(" ") else { return place == text.count }
        guard let hour = digits(2), hour < 24, accept(":"), let minute = digits(2), minute < 60 else { return false }
        second += hour * 3_600 + minute * 60
        if accept(":") {
            guard let given = digits(2), given < 61 else { return false }
            second += given
            if accept(".", ",") {
                fractionStart = place
                while place < text.count, text[place] >= 48, text[place] <= 57 { place += 1 }
                fractionEnd = place
                guard fractionEnd > fractionStart else { return false }
            }
        }
        guard place < text.count else { return true }
        _ = accept(" ")
        return zone() && place == text.count
    }

    private mutating func zone() -> Bool {
        if accept("Z", "z") {
            offset = 0
            return true
        }
        let sign = accept("+") ? 1 : accept("-") ? -1 : 0
        guard sign != 0, let hours = digits(2), hours < 24 else { return false }
        var minutes = 0
        if place < text.count {
            _ = accept(":")
            guard let given = digits(2), given < 60 else { return false }
            minutes = given
        }
        offset = sign * (hours * 3_600 + minutes * 60)
        return true
    }

    /// The instant of a text in the form that programs write, `2025-05-01T08:00:00.250+02:00`, at fixed places; `nil`
    /// for any other form, and for a date that does not exist.
    static func instant(ofProgramText text: UnsafeBufferPointer<UInt8>) -> Double? {
        let count = text.count
        guard count >= 20, text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-"), text[10] == UInt8(ascii: "T"),
            text[13] == UInt8(ascii: ":"), text[16] == UInt8(ascii: ":")
        else { return nil }
        var isNumeric = true
        @inline(__always) func pair(_ place: Int) -> Int {
            let (ten, one) = (text[place] &- 48, text[place + 1] &- 48)
            if ten > 9 || one > 9 { isNumeric = false }
            return Int(ten) * 10 + Int(one)
        }
        let (year, month, day) = (pair(0) * 100 + pair(2), pair(5), pair(8))
        let (hour, minute, second) = (pair(11), pair(14), pair(17))
        guard isNumeric, hour < 24, minute < 60, second < 61, CivilDate.isValid(year: year, month: month, day: day)
        else {
            return nil
        }
        var zone = 19
        if text[zone] == UInt8(ascii: ".") {
            zone += 1
            while zone < count, text[zone] &- 48 <= 9 { zone += 1 }
            guard zone > 20, zone < count else { return nil }
        }
        var whole =
            CivilDate.dayNumber(year: year, month: month, day: day) * 86_400 + hour * 3_600 + minute * 60 + second
        switch text[zone] {
        case UInt8(ascii: "Z"):
            guard zone + 1 == count else { return nil }
        case UInt8(ascii: "+"), UInt8(ascii: "-"):
            guard zone + 6 == count, text[zone + 3] == UInt8(ascii: ":") else { return nil }
            let (hours, minutes) = (pair(zone + 1), pair(zone + 4))
            guard isNumeric, hours < 24, minutes < 60 else { return nil }
            let offset = hours * 3_600 + minutes * 60
            whole += text[zone] == UInt8(ascii: "+") ? -offset : offset
        default: return nil
        }
        guard zone > 19 else { return Double(whole) }
        return sum(whole, UnsafeBufferPointer(rebasing: text[20..<zone]))
    }

    /// The nearest number to a whole second plus decimal digits.
    static func sum(_ second: Int, _ digits: UnsafeBufferPointer<UInt8>) -> Double {
        if digits.count <= 9 {
            var scaled = 0
            var scale = 1
            for digit in digits {
                scaled = scaled * 10 + Int(digit - 48)
                scale *= 10
            }
            let (product, overflow) = second.multipliedReportingOverflow(by: scale)
            // Both numbers are exact, so the quotient is the nearest number.
            if !overflow, abs(product) < 1 << 52 { return Double(product + scaled) / Double(scale) }
        }
        let fraction = String(decoding: digits, as: UTF8.self)
        if second >= 0 { return Double("\(second).\(fraction)") ?? Double(second) }
        // -3 + 0.25 is -2.75: the complement of the digits, under the next higher whole second.
        var complement = digits.map { 57 - ($0 - 48) }
        var index = complement.count - 1
        while index >= 0 {
            complement[index] += 1
            guard complement[index] > 57 else { break }
            complement[index] = 48
            index -= 1
        }
        let whole = index < 0 ? -second : -second - 1
        return Double("-\(whole).\(String(decoding: complement, as: UTF8.self))") ?? Double(second)
    }
}
