import HealthModel

/// Converts the archive's dates, `yyyy-MM-dd HH:mm:ss ±HHmm`, from and to seconds since 2001-01-01 00:00:00 UTC.
package enum ArchiveDate {
    /// Returns the instant, or `nil` if the text is not a date with a time zone. Fractions of a second, `T` in place of
    /// the space, `Z` and `±HH:mm` are accepted, because archives made by other tools contain them, and so is
    /// `yyyyMMddHHmmss±HHmm`, as the first versions of iOS 8 wrote it.
    static func parse(_ bytes: UnsafeBufferPointer<UInt8>) -> Double? {
        if bytes.count == earlyLength { return parseEarly(bytes) }
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

    /// The length of `yyyyMMddHHmmss±HHmm`, in which no other format is.
    private static let earlyLength = 19

    private static func parseEarly(_ bytes: UnsafeBufferPointer<UInt8>) -> Double? {
        guard let century = digits(bytes, 0), let rest = digits(bytes, 2), let month = digits(bytes, 4),
            let day = digits(bytes, 6), let hour = digits(bytes, 8), let minute = digits(bytes, 10),
            let second = digits(bytes, 12), hour < 24, minute < 60, second < 60,
            CivilDate.isValid(year: century * 100 + rest, month: month, day: day),
            let offset = parseOffset(bytes, from: 14)
        else { return nil }
        let dayNumber = CivilDate.dayNumber(year: century * 100 + rest, month: month, day: day)
        return Double(dayNumber * 86_400 + hour * 3_600 + minute * 60 + second - offset)
    }

    package static func parse(_ text: String) -> Double? {
        var text = text
        return text.withUTF8 { parse($0) }
    }

    /// Returns the day number (see ``CivilDate``) of `yyyy-MM-dd`, or `nil` if there is no such day.
    static func parseDay(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        guard bytes.count == 10, let century = digits(bytes, 0), let rest = digits(bytes, 2),
            bytes[4] == UInt8(ascii: "-"), let month = digits(bytes, 5), bytes[7] == UInt8(ascii: "-"),
            let day = digits(bytes, 8), CivilDate.isValid(year: century * 100 + rest, month: month, day: day)
        else { return nil }
        return CivilDate.dayNumber(year: century * 100 + rest, month: month, day: day)
    }

    static func parseDay(_ text: String) -> Int? {
        var text = text
        return text.withUTF8 { parseDay($0) }
    }

    /// The seconds that can be printed: the years 1 to 9999.
    private static let printable =
        CivilDate.dayNumber(year: 1, month: 1, day: 1) * 86_400...CivilDate.dayNumber(year: 9999, month: 12, day: 31)
        * 86_400 + 86_399

    /// Returns the instant in the archive's form, at `offset` seconds east of UTC. Fractions are rounded to
    /// microseconds and only written if there are any. An instant whose local date isn't in the years 1 to 9999 is
    /// written in UTC; one that isn't there either becomes the nearest that can be written, and NaN the earliest.
    static func print(_ instant: Double, offset: Int = 0) -> String {
        let (first, last) = (Double(printable.lowerBound), Double(printable.upperBound))
        let instant = instant >= first ? min(instant, last) : first
        let micros = Int(((instant - instant.rounded(.down)) * 1e6).rounded())
        let whole = Int(instant.rounded(.down)) + micros / 1_000_000
        let offset = printable.contains(whole + offset) ? offset : 0
        let local = whole + offset
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

    /// An instant within 31,688 years of 2001: a store can have dates that no calendar has.
    static func bounded(_ instant: Double) -> Double { min(max(instant, -1e12), 1e12) }

    /// Returns a day number as `yyyy-MM-dd`.
    static func printDay(_ dayNumber: Int) -> String {
        let (year, month, day) = CivilDate.date(dayNumber: dayNumber)
        return String(repeating: "0", count: max(0, 4 - String(year).count)) + "\(year)-" + pad(month) + "-" + pad(day)
    }

    /// Parses ` ±HHmm`, `±HH:mm` or `Z` up to the end of the text, in seconds east of UTC.
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

/// Parses the archive's dates in their usual form of 25 bytes. It remembers the last day and UTC offset, which nearly
/// every date of an export shares with the one before.
struct DateCursor {
    /// The length of a date in the usual form.
    static let length = 25

    /// `yyyy-MM-` and `-dd ` of the day that begins at ``dayStart``; zeros match no date.
    private var dayHead: UInt64 = 0
    private var dayTail: UInt32 = 0
    /// ` ±HHmm` in the upper six bytes.
    private var zone: UInt64 = 0
    /// The first second of the day in that time zone, since 2001.
    private var dayStart = 0

    private static let zoneMask: UInt64 = 0xFFFF_FFFF_FFFF_0000

    /// Returns the instant in the 25 bytes at `text`, all of which must be readable; NaN if they are not a date in the
    /// usual form.
    @inline(__always)
    mutating func parse(_ text: UnsafePointer<UInt8>) -> Double {
        let raw = UnsafeRawPointer(text)
        let head = UInt64(littleEndian: raw.loadUnaligned(as: UInt64.self))
        let tail = UInt32(littleEndian: raw.loadUnaligned(fromByteOffset: 7, as: UInt32.self))
        let suffix = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: 17, as: UInt64.self)) & Self.zoneMask
        // `HH:mm:ss` minus `00:00:00`: digits 0 to 9 at the digits' places, zeros at the colons'.
        let clock = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: 11, as: UInt64.self)) ^ 0x3030_3A30_303A_3030
        // A digit above 9, or anything but zero at a colon, reaches the byte's top bit.
        let overflow = (clock &+ 0x7676_7F76_767F_7676) | clock
        guard overflow & 0x8080_8080_8080_8080 == 0 else { return .nan }
        let pairs = clock &* 10 &+ (clock >> 8)
        let hour = Int(pairs & 0xFF)
        let minute = Int(pairs >> 24 & 0xFF)
        let second = Int(pairs >> 48 & 0xFF)
        guard hour < 24, minute < 60, second < 60 else { return .nan }
        if head != dayHead || tail != dayTail || suffix != zone {
            guard learn(text, head, tail, suffix) else { return .nan }
        }
        return Double(dayStart &+ hour &* 3_600 &+ minute &* 60 &+ second)
    }

    private mutating func learn(
        _ text: UnsafePointer<UInt8>, _ head: UInt64, _ tail: UInt32, _ suffix: UInt64
    ) -> Bool {
        // Other forms are left to ``ArchiveDate/parse(_:)``.
        let bytes = UnsafeBufferPointer(start: text, count: Self.length)
        guard bytes[10] == UInt8(ascii: " "), bytes[19] == UInt8(ascii: " "), let instant = ArchiveDate.parse(bytes)
        else { return false }
        let clock = (11..<19).map { Int(bytes[$0]) - 0x30 }
        let seconds = (clock[0] * 10 + clock[1]) * 3_600 + (clock[3] * 10 + clock[4]) * 60 + clock[6] * 10 + clock[7]
        (dayHead, dayTail, zone) = (head, tail, suffix)
        dayStart = Int(instant) - seconds
        return true
    }
}
