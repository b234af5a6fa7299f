/// Reads the archive's dates in their one usual spelling, 25 bytes long, remembering the day and the
/// offset it met last: in an export nearly every date shares them with its neighbour.
struct DateCursor {
    /// How long a date in the usual spelling is.
    static let length = 25

    /// `yyyy-MM-` and `-dd ` of the day whose first second is ``dayStart``; zeros match no date.
    private var dayHead: UInt64 = 0
    private var dayTail: UInt32 = 0
    /// ` ±HHmm` in the upper six bytes.
    private var zone: UInt64 = 0
    /// Seconds from 2001 to the day's first second in that zone.
    private var dayStart = 0

    private static let zoneMask: UInt64 = 0xFFFF_FFFF_FFFF_0000

    /// The instant written in the 25 bytes at `text`, of which 25 must be readable; NaN where they are
    /// not a date in the usual spelling.
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
        // Only the usual spelling: a longer parser reads the others.
        let bytes = UnsafeBufferPointer(start: text, count: Self.length)
        guard bytes[10] == UInt8(ascii: " "), bytes[19] == UInt8(ascii: " "), let instant = DateText.parse(bytes)
        else { return false }
        let clock = (11..<19).map { Int(bytes[$0]) - 0x30 }
        let seconds = (clock[0] * 10 + clock[1]) * 3_600 + (clock[3] * 10 + clock[4]) * 60 + clock[6] * 10 + clock[7]
        (dayHead, dayTail, zone) = (head, tail, suffix)
        dayStart = Int(instant) - seconds
        return true
    }
}
