import HealthModel

/// Converts the archive's dates, `yyyy-MM-dd HH:mm:ss ±HHmm`, from and to seconds since 2001-01-01 00:00:00 UTC.
enum ArchiveDate {
    /// Returns the instant, or `nil` if the text is not a date with a time zone. Every form of ``DateText`` is accepted, because
    /// archives made by other tools contain them, and the first versions of iOS 8 wrote a compact one.
    static func parse(_ bytes: UnsafeBufferPointer<UInt8>) -> Double? {
        guard let date = DateText(bytes), date.precision >= .second, date.wallSecond >= LocalClock.firstSecond else {
            return nil
        }
        return date.offset.map { date.instant(offset: $0) }
    }

    static func parse(_ text: String) -> Double? {
        var text = text
        return text.withUTF8 { parse($0) }
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
    /// The offsets of the dates.
    let offsets = DateOffsets()

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
        offsets.add(instant, zone: suffix) { DateText(bytes)?.offset ?? 0 }
        return true
    }
}

/// The offsets from UTC that the dates of an archive have, with a date in each month.
package final class DateOffsets {
    package private(set) var dates: [(instant: Double, offset: Int)] = []
    private var known: Set<UInt64> = []
    private var last: UInt64 = 0

    private static let maximumCount = 10_000

    package init() {}

    /// - Parameter zone: The offset or its text, as a number.
    package func add(_ instant: Double, zone: UInt64, _ offset: () -> Int) {
        let month = UInt64(bitPattern: Int64(instant / 2_592_000))
        let key = zone ^ month
        guard key != last else { return }
        last = key
        guard known.count < Self.maximumCount, known.insert(key).inserted else { return }
        dates.append((instant, offset()))
    }
}
