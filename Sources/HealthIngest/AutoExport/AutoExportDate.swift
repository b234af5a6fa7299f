import Foundation
import HealthJSON
import HealthModel

/// A date as Health Auto Export writes it: `2026-02-06 14:30:00 -0800`, in some locales with AM or PM after a narrow
/// no-break space, and `2026-02-06` for a summarized night.
struct AutoExportDate: Hashable, Sendable {
    /// Seconds since 2001-01-01 00:00:00 UTC.
    var instant: Double
    /// The local time, in seconds since 2001-01-01 00:00:00 local time.
    var wallSecond: Int
    /// Seconds east of UTC.
    var offset: Int
    /// Whether the text has a time of day.
    var hasTime: Bool

    /// The local day, where day 0 is 2001-01-01.
    var day: Int { Int((Double(wallSecond) / 86_400).rounded(.down)) }
    /// The seconds since the local day began.
    var secondOfDay: Int { wallSecond - day * 86_400 }
}

/// Reads dates, in a default time zone where they have none. Use from one thread at a time.
struct AutoExportDateReader {
    private let clock: LocalClock

    init(timeZone: TimeZone) {
        clock = LocalClock(timeZone: timeZone)
    }

    /// Returns the date in a text; `nil` for anything else.
    func date(_ value: JSONValue?) -> AutoExportDate? {
        guard case .string(let text) = value else { return nil }
        return date(text)
    }

    /// Returns the first instant of the local day after a date, in the default time zone if that is the date's own.
    func nextDay(after date: AutoExportDate, days: Int = 1) -> Double {
        let wall = (date.day + days) * 86_400
        if clock.offset(at: Int(date.instant.rounded(.down))) == date.offset {
            return Double(clock.instant(ofWallSecond: wall))
        }
        return Double(wall - date.offset)
    }

    func date(_ text: String) -> AutoExportDate? {
        var text = text
        if let date = text.withUTF8({ Self.date(inUsualForm: $0) }) { return date }
        guard text.utf8.count <= 64 else { return nil }
        var scanner = DateScanner(text)
        guard let year = scanner.number(4...4), scanner.take("-"), let month = scanner.number(1...2), scanner.take("-"),
            let day = scanner.number(1...2), (1900...2200).contains(year),
            CivilDate.isValid(year: year, month: month, day: day)
        else { return nil }
        var second = CivilDate.dayNumber(year: year, month: month, day: day) * 86_400
        var fraction = 0.0
        var hasTime = false
        scanner.skipSpace()
        if scanner.take("T") || !scanner.isAtEnd {
            guard let time = scanner.time() else { return nil }
            second += time.second
            fraction = time.fraction
            hasTime = true
        }
        scanner.skipSpace()
        let offset: Int
        if scanner.isAtEnd {
            offset = second - clock.instant(ofWallSecond: second)
        } else {
            guard let written = scanner.zone(), scanner.isAtEnd else { return nil }
            offset = written
        }
        return AutoExportDate(
            instant: Double(second - offset) + fraction, wallSecond: second, offset: offset, hasTime: hasTime)
    }
}

extension AutoExportDateReader {
    /// The date in a text of the form `2026-02-06 14:30:00 -0800`, at fixed places; `nil` for any other form.
    private static func date(inUsualForm text: UnsafeBufferPointer<UInt8>) -> AutoExportDate? {
        guard text.count == 25, text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-"), text[10] == 0x20,
            text[13] == UInt8(ascii: ":"), text[16] == UInt8(ascii: ":"), text[19] == 0x20
        else { return nil }
        var isNumeric = true
        @inline(__always) func pair(_ place: Int) -> Int {
            let (ten, one) = (text[place] &- 48, text[place + 1] &- 48)
            if ten > 9 || one > 9 { isNumeric = false }
            return Int(ten) * 10 + Int(one)
        }
        let (year, month, day) = (pair(0) * 100 + pair(2), pair(5), pair(8))
        let (hour, minute, second) = (pair(11), pair(14), pair(17))
        let (hours, minutes) = (pair(21), pair(23))
        let sign = text[20] == UInt8(ascii: "+") ? 1 : text[20] == UInt8(ascii: "-") ? -1 : 0
        guard isNumeric, sign != 0, (1900...2200).contains(year), hour < 24, minute < 60, second < 60, hours <= 14,
            minutes < 60, CivilDate.isValid(year: year, month: month, day: day)
        else { return nil }
        let wall =
            CivilDate.dayNumber(year: year, month: month, day: day) * 86_400 + hour * 3_600 + minute * 60 + second
        let offset = sign * (hours * 3_600 + minutes * 60)
        return AutoExportDate(instant: Double(wall - offset), wallSecond: wall, offset: offset, hasTime: true)
    }
}

/// Scans the parts of a date. Digits of every script count, and every kind of space is a space.
private struct DateScanner {
    private let characters: [Character]
    private var place = 0

    init(_ text: String) {
        characters = text.filter { $0 != "\u{200E}" && $0 != "\u{200F}" }.map { $0 }
        skipSpace()
    }

    var isAtEnd: Bool { place >= characters.count }
    private var next: Character? { place < characters.count ? characters[place] : nil }

    mutating func skipSpace() {
        while let next, next.isWhitespace { place += 1 }
    }

    mutating func take(_ character: Character) -> Bool {
        guard next == character else { return false }
        place += 1
        return true
    }

    mutating func number(_ length: ClosedRange<Int>) -> Int? {
        var value = 0
        var count = 0
        while count < length.upperBound, let digit = next?.wholeNumberValue, (0...9).contains(digit) {
            value = value * 10 + digit
            count += 1
            place += 1
        }
        return length.contains(count) ? value : nil
    }

    /// A time of day, with or without seconds, a fraction of them, and AM or PM before or after it.
    mutating func time() -> (second: Int, fraction: Double)? {
        let early = half()
        skipSpace()
        guard let hour = number(1...2), take(":") || take("."), let minute = number(2...2) else { return nil }
        var second = 0
        var fraction = 0.0
        if take(":") {
            guard let given = number(2...2) else { return nil }
            second = given
            if next == "." || next == ",", place + 1 < characters.count, characters[place + 1].isNumber {
                place += 1
                var scale = 0.1
                while let digit = next?.wholeNumberValue {
                    fraction += Double(digit) * scale
                    scale /= 10
                    place += 1
                }
                // Milliseconds are the finest that phones write.
                fraction = (fraction * 1e6).rounded() / 1e6
            }
        }
        skipSpace()
        var hours = hour
        if let isAfternoon = early ?? half() {
            guard (1...12).contains(hour) else { return nil }
            hours = hour % 12 + (isAfternoon ? 12 : 0)
        }
        guard (0...23).contains(hours), minute < 60, second < 60 else { return nil }
        return (hours * 3_600 + minute * 60 + second, fraction)
    }

    /// AM or PM, in the spellings of locales that use Latin letters. Returns whether it is PM.
    private mutating func half() -> Bool? {
        guard let first = next?.lowercased(), first == "a" || first == "p" else { return nil }
        let start = place
        place += 1
        _ = take(".")
        skipSpace()
        guard next?.lowercased() == "m" else {
            place = start
            return nil
        }
        place += 1
        _ = take(".")
        return first == "p"
    }

    /// The offset from UTC in seconds: `Z`, `GMT`, `UTC`, `+01`, `+0100` or `+01:00`.
    mutating func zone() -> Int? {
        if take("Z") { return 0 }
        var isNamed = false
        for name in ["GMT", "UTC"] where characters[place...].starts(with: name) {
            place += name.count
            isNamed = true
        }
        let sign = take("+") ? 1 : take("-") || take("\u{2212}") ? -1 : 0
        guard sign != 0 else { return isNamed ? 0 : nil }
        guard let hours = number(1...2) else { return nil }
        _ = take(":")
        let minutes = isAtEnd ? 0 : number(2...2)
        guard let minutes, hours <= 14, minutes < 60 else { return nil }
        return sign * (hours * 3_600 + minutes * 60)
    }
}
