import HealthFiles
import HealthModel

/// Formats instants as the archive's dates of 25 bytes, caching the last day: the counterpart of ``DateCursor``.
///
/// Fractions of a second are truncated, as the archive has none. An instant whose local date isn't in the years 1 to
/// 9999 is written in UTC, and one that isn't there either is clamped.
struct DateStamp {
    /// The length of a date in bytes.
    static let length = 25

    /// Seconds east of UTC; whole minutes.
    let offset: Int
    /// First local second of the day in ``head``, counted from 2001-01-01 00:00:00 local time.
    private var dayStart = Int.max
    /// `yyyy-MM-` and `-dd ` of that day.
    private var head: UInt64 = 0
    private var tail: UInt32 = 0
    /// Two bytes that are overwritten, then ` ±HHmm`.
    private let zone: UInt64
    /// The same for UTC.
    private static let utc = zone(of: 0)

    /// 0001-01-01 00:00:00 and 9999-12-31 23:59:59, in seconds since 2001.
    private static let first = LocalClock.firstSecond
    private static let last = LocalClock.lastSecond

    init(offset: Int) {
        self.offset = offset / 60 * 60
        zone = Self.zone(of: offset)
    }

    private static func zone(of offset: Int) -> UInt64 {
        let minutes = abs(offset) / 60
        let sign = UInt64(offset < 0 ? UInt8(ascii: "-") : UInt8(ascii: "+"))
        return UInt64(UInt8(ascii: " ")) << 16 | sign << 24 | pair(minutes / 60) << 32 | pair(minutes % 60) << 48
    }

    /// The instant that reading the text gives.
    func rounded(_ instant: Double) -> Double {
        let (local, zone) = local(instant)
        return Double(zone == Self.utc ? local : local - offset)
    }

    /// Whether an instant is in the years 1 to 9999.
    @inline(__always)
    static func canWrite(_ instant: Double) -> Bool {
        instant >= Double(first) && instant < Double(last + 1)
    }

    /// Writes the 25 bytes.
    @inline(__always)
    mutating func write(_ instant: Double, to target: UnsafeMutablePointer<UInt8>) {
        let (local, zone) = local(instant)
        var second = local &- dayStart
        if second < 0 || second >= 86_400 {
            learn(local)
            second = local - dayStart
        }
        let hour = second / 3_600
        let minute = second / 60 - hour * 60
        let clock =
            Self.pair(hour) | Self.pair(minute) << 24 | Self.pair(second - hour * 3_600 - minute * 60) << 48
            | 0x0000_3A00_003A_0000
        let raw = UnsafeMutableRawPointer(target)
        raw.storeBytes(of: head.littleEndian, as: UInt64.self)
        (raw + 7).storeBytes(of: tail.littleEndian, as: UInt32.self)
        (raw + 17).storeBytes(of: zone.littleEndian, as: UInt64.self)
        (raw + 11).storeBytes(of: clock.littleEndian, as: UInt64.self)
    }

    /// The date as text.
    func text(_ instant: Double) -> String {
        var copy = self
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 32) { buffer in
            guard let base = buffer.baseAddress else { return "" }
            copy.write(instant, to: base)
            return String(decoding: UnsafeBufferPointer(start: base, count: Self.length), as: UTF8.self)
        }
    }

    /// The second of the date, and the zone it is in.
    @inline(__always)
    private func local(_ instant: Double) -> (second: Int, zone: UInt64) {
        // Beyond these values every date is out of range; NaN is treated as the first.
        guard instant > -1e12, instant < 1e12 else { return (instant > 0 ? Self.last : Self.first, Self.utc) }
        let second = Int(instant.rounded(.down))
        let local = second &+ offset
        if local >= Self.first, local <= Self.last { return (local, zone) }
        return (min(max(second, Self.first), Self.last), Self.utc)
    }

    private mutating func learn(_ local: Int) {
        let day = CivilDate.split(local).day
        dayStart = day * 86_400
        let (year, month, dayOfMonth) = CivilDate.date(dayNumber: day)
        let dash = UInt64(UInt8(ascii: "-"))
        head = Self.pair(year / 100) | Self.pair(year % 100) << 16 | dash << 32 | Self.pair(month) << 40 | dash << 56
        tail = UInt32(dash | Self.pair(dayOfMonth) << 8 | UInt64(UInt8(ascii: " ")) << 24)
    }

    /// Two digits, the first in the low byte.
    @inline(__always)
    private static func pair(_ number: Int) -> UInt64 {
        let tens = (number &* 103) >> 10
        return UInt64(truncatingIfNeeded: 0x3030 &+ tens &+ (number &- tens &* 10) << 8)
    }
}

extension ArchiveDate {
    /// Returns the instant in the archive's form, at `offset` seconds east of UTC: as ``DateStamp`` writes it, with a fraction if there
    /// is any, rounded to microseconds.
    static func print(_ instant: Double, offset: Int = 0) -> String {
        let stamp = DateStamp(offset: offset)
        guard DateStamp.canWrite(instant) else { return stamp.text(instant) }
        let micros = ((instant - instant.rounded(.down)) * 1e6).rounded()
        var text = stamp.text(instant.rounded(.down) + (micros == 1e6 ? 1 : 0))
        if micros > 0, micros < 1e6 {
            var digits = String(Int(micros) + 1_000_000).dropFirst()
            while digits.last == "0" { digits.removeLast() }
            text.insert(contentsOf: "." + digits, at: text.index(text.startIndex, offsetBy: 19))
        }
        return text
    }
}
