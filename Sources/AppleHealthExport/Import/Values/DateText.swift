import HealthModel

/// The archive's dates, `yyyy-MM-dd HH:mm:ss ±HHmm`, as seconds since 2001-01-01 00:00:00 UTC and back.
enum DateText {
    /// The instant, or `nil` where the text is no date with a zone. Fractions of a second, `T` for the
    /// blank, `Z` and `±HH:mm` are taken too: archives made by other tools have them.
    static func parse(_ bytes: UnsafeBufferPointer<UInt8>) -> Double? {
        guard bytes.count >= 20, let day = parseDay(UnsafeBufferPointer(rebasing: bytes[0..<10])),
            bytes[10] == UInt8(ascii: " ") || bytes[10] == UInt8(ascii: "T"),
            let hour = digits(bytes, 11), bytes[13] == UInt8(ascii: ":"),
            let minute = digits(bytes, 14), bytes[16] == UInt8(ascii: ":"),
            let second = digits(bytes, 17), hour < 24, minute < 60, second < 60
        else { return nil }
        var position = 19
        var fraction = 0.0
        if bytes[position] == UInt8(ascii: ".") {
            var scale = 1.0
            var digitsSeen = 0
            position += 1
            while position < bytes.count, let digit = digit(bytes[position]) {
                fraction = fraction * 10 + Double(digit)
                scale *= 10
                digitsSeen += 1
                position += 1
            }
            guard digitsSeen > 0, digitsSeen <= 9 else { return nil }
            fraction /= scale
        }
        guard let offset = parseOffset(bytes, from: position) else { return nil }
        let whole = day * 86_400 + hour * 3_600 + minute * 60 + second - offset
        return Double(whole) + fraction
    }

    static func parse(_ text: String) -> Double? {
        var text = text
        return text.withUTF8 { parse($0) }
    }

    /// The day number (see ``CivilDate``) of `yyyy-MM-dd`, or `nil` where there is no such day.
    static func parseDay(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        guard bytes.count == 10, let century = digits(bytes, 0), let rest = digits(bytes, 2),
            bytes[4] == UInt8(ascii: "-"), let month = digits(bytes, 5),
            bytes[7] == UInt8(ascii: "-"), let day = digits(bytes, 8),
            CivilDate.isValid(year: century * 100 + rest, month: month, day: day)
        else { return nil }
        return CivilDate.dayNumber(year: century * 100 + rest, month: month, day: day)
    }

    static func parseDay(_ text: String) -> Int? {
        var text = text
        return text.withUTF8 { parseDay($0) }
    }

    /// The instant as the archive writes it, at `offset` seconds east of UTC; fractions are cut to
    /// microseconds and only written when there are any.
    static func print(_ instant: Double, offset: Int = 0) -> String {
        let micros = Int(((instant - instant.rounded(.down)) * 1e6).rounded())
        let local = Int(instant.rounded(.down)) + offset + micros / 1_000_000
        let day = local >= 0 ? local / 86_400 : (local - 86_399) / 86_400
        let second = local - day * 86_400
        let fraction = micros % 1_000_000
        var text = printDay(day) + " " + pad(second / 3_600) + ":" + pad(second / 60 % 60) + ":" + pad(second % 60)
        if fraction > 0 {
            var digits = String(fraction + 1_000_000).dropFirst()
            while digits.last == "0" { digits.removeLast() }
            text += "." + digits
        }
        let minutes = abs(offset) / 60
        return text + (offset < 0 ? " -" : " +") + pad(minutes / 60) + pad(minutes % 60)
    }

    /// A day number as `yyyy-MM-dd`.
    static func printDay(_ dayNumber: Int) -> String {
        let (year, month, day) = CivilDate.date(dayNumber: dayNumber)
        return String(repeating: "0", count: max(0, 4 - String(year).count)) + "\(year)-" + pad(month) + "-" + pad(day)
    }

    /// Seconds east of UTC, from ` ±HHmm`, `±HH:mm` or `Z` that must reach to the end.
    private static func parseOffset(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
        var position = start
        if position < bytes.count, bytes[position] == UInt8(ascii: " ") { position += 1 }
        guard position < bytes.count else { return nil }
        if bytes[position] == UInt8(ascii: "Z"), position + 1 == bytes.count { return 0 }
        guard bytes[position] == UInt8(ascii: "+") || bytes[position] == UInt8(ascii: "-"),
            let hours = digits(bytes, position + 1)
        else { return nil }
        let isNegative = bytes[position] == UInt8(ascii: "-")
        position += 3
        if position < bytes.count, bytes[position] == UInt8(ascii: ":") { position += 1 }
        guard let minutes = digits(bytes, position), position + 2 == bytes.count, hours <= 18, minutes < 60
        else { return nil }
        return (hours * 3_600 + minutes * 60) * (isNegative ? -1 : 1)
    }

    @inline(__always)
    private static func digit(_ byte: UInt8) -> Int? {
        let value = byte &- UInt8(ascii: "0")
        return value < 10 ? Int(value) : nil
    }

    @inline(__always)
    private static func digits(_ bytes: UnsafeBufferPointer<UInt8>, _ offset: Int) -> Int? {
        guard offset + 1 < bytes.count, let tens = digit(bytes[offset]), let ones = digit(bytes[offset + 1])
        else { return nil }
        return tens * 10 + ones
    }

    private static func pad(_ number: Int) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }
}
