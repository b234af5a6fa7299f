import Foundation
import HealthModel

/// Reads times as Fitbit's lists have them, `05/01/24 07:00:07`, without a zone.
struct FitbitTimestamp {
    /// The date that was read last, and its day.
    private var date: UInt64 = 0
    private var day = 0

    /// The seconds since 2001-01-01 00:00:00 in the zone of the text; `nil` for anything else.
    mutating func second(_ text: UnsafeBufferPointer<UInt8>) -> Int? {
        guard text.count == 17, text[8] == UInt8(ascii: " "), text[11] == UInt8(ascii: ":"),
            text[14] == UInt8(ascii: ":")
        else { return nil }
        let date = UnsafeRawBufferPointer(text).loadUnaligned(as: UInt64.self)
        if date != self.date {
            guard let day = Self.day(text) else { return nil }
            (self.date, self.day) = (date, day)
        }
        guard let hour = Self.pair(text, 9), let minute = Self.pair(text, 12), let second = Self.pair(text, 15),
            hour < 24, minute < 60, second < 61
        else { return nil }
        return day * 86_400 + hour * 3_600 + minute * 60 + second
    }

    /// The day number of `05/01/24`, with which a text begins.
    static func day(_ text: UnsafeBufferPointer<UInt8>) -> Int? {
        guard text.count >= 8, text[2] == UInt8(ascii: "/"), text[5] == UInt8(ascii: "/"),
            let month = pair(text, 0), let day = pair(text, 3), let year = pair(text, 6),
            CivilDate.isValid(year: 2_000 + year, month: month, day: day)
        else { return nil }
        return CivilDate.dayNumber(year: 2_000 + year, month: month, day: day)
    }

    @inline(__always)
    private static func pair(_ text: UnsafeBufferPointer<UInt8>, _ place: Int) -> Int? {
        let (ten, one) = (text[place] &- 48, text[place + 1] &- 48)
        return ten <= 9 && one <= 9 ? Int(ten) * 10 + Int(one) : nil
    }
}
