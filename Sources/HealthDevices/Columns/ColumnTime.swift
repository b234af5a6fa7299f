import Foundation
import HealthFiles
import HealthJSON
import HealthModel

/// How the cells of a table write dates.
enum ColumnTimeFormat: Hashable, Sendable {
    /// `2025-05-01`, also with ` 08:30`, `T08:30:15.250` and an offset from UTC.
    case iso
    /// The day with which a text in that format begins, for a service whose times of days mean nothing.
    case day
    /// Seconds or parts of them since 1970.
    case unix(perSecond: Double)
    /// Milliseconds since 1970 on the clock on the wall, as some programs write the beginning of a day.
    case wall
    /// Days since the end of 1899, as spreadsheets store dates.
    case spreadsheet
    /// As a person of some country writes it, with the name of the month or in the order of day, month and year.
    case written
    /// Fields such as `dd.MM.yyyy HH:mm`, as Unicode names them.
    case pattern([ColumnTimeField])

    /// `nil` for a text that isn't a format.
    init?(_ text: String) {
        switch text {
        case "iso8601", "iso": self = .iso
        case "day": self = .day
        case "unix", "seconds": self = .unix(perSecond: 1)
        case "milliseconds": self = .unix(perSecond: 1e3)
        case "local milliseconds": self = .wall
        case "microseconds": self = .unix(perSecond: 1e6)
        case "nanoseconds": self = .unix(perSecond: 1e9)
        case "spreadsheet": self = .spreadsheet
        case "written": self = .written
        default:
            guard let fields = ColumnTimeField.fields(of: text) else { return nil }
            self = .pattern(fields)
        }
    }

    /// Reads a date, in seconds since 2001-01-01 00:00:00 UTC; `nil` for another text.
    ///
    /// - Parameters:
    ///   - clock: The time zone of dates that don't state theirs.
    ///   - decimal: The decimal separator of dates that are numbers.
    func parse(_ text: String, _ clock: LocalClock, decimal: Character = ".") -> Double? {
        // Nothing groups the thousands of a date.
        var number: Double? { Double(decimal == "," ? text.replacing(",", with: ".") : text) }
        switch self {
        case .iso: return clock.instant(of: text)
        case .day: return clock.instant(of: String(text.prefix(10)))
        case .unix(let perSecond):
            guard let seconds = number.map({ $0 / perSecond }), abs(seconds) < 1e11 else { return nil }
            return seconds - Date.timeIntervalBetween1970AndReferenceDate
        case .wall:
            guard let instant = Self.unix(perSecond: 1e3).parse(text, clock, decimal: decimal) else { return nil }
            return Double(clock.instant(ofWallSecond: Int(instant.rounded(.down))))
        case .spreadsheet:
            // 2001-01-01 is day 36,892.
            guard let days = number, (1...200_000).contains(days) else { return nil }
            let second = ((days - 36_892) * 86_400).rounded()
            return Double(clock.instant(ofWallSecond: Int(second)))
        case .written: return LocalizedDate(text)?.instant(clock)
        case .pattern(let fields): return ColumnTimeField.parse(text, fields)?.instant(clock)
        }
    }
}

/// A part of a date's pattern.
enum ColumnTimeField: Hashable, Sendable {
    case year(Int), month, monthName, day, hour, halfDayHour, minute, second, fraction, halfDay, offset
    case literal(String)

    /// The fields of a pattern; `nil` if it has letters that aren't fields, or no year, month and day.
    static func fields(of pattern: String) -> [ColumnTimeField]? {
        var fields: [ColumnTimeField] = []
        var rest = Substring(pattern)
        while let letter = rest.first {
            let run = rest.prefix { $0 == letter }
            rest = rest.dropFirst(run.count)
            switch letter {
            case "y", "u": fields.append(.year(run.count))
            case "M", "L": fields.append(run.count > 2 ? .monthName : .month)
            case "d": fields.append(.day)
            case "H": fields.append(.hour)
            case "h": fields.append(.halfDayHour)
            case "m": fields.append(.minute)
            case "s": fields.append(.second)
            case "S": fields.append(.fraction)
            case "a": fields.append(.halfDay)
            case "X", "x", "Z": fields.append(.offset)
            case "'":
                let quoted = rest.prefix { $0 != "'" }
                guard run.count == 1, quoted.count < rest.count else { return nil }
                fields.append(.literal(String(quoted)))
                rest = rest.dropFirst(quoted.count + 1)
            case _ where letter.isLetter: return nil
            default: fields.append(.literal(String(run)))
            }
        }
        let hasDate =
            fields.contains(.day) && (fields.contains(.month) || fields.contains(.monthName))
            && fields.contains { if case .year = $0 { true } else { false } }
        return hasDate ? fields : nil
    }

    /// Reads the parts of a date from a text in which they have this order.
    static func parse(_ text: String, _ fields: [ColumnTimeField]) -> LocalizedDate? {
        // Some locales write a narrow no-break space before AM and PM.
        var rest = Substring(text.replacing("\u{202F}", with: " "))
        var date = LocalizedDate()
        func digits(_ maximum: Int) -> Int? {
            let run = rest.prefix(maximum).prefix { $0.isASCII && $0.isNumber }
            rest = rest.dropFirst(run.count)
            return Int(run)
        }
        for field in fields {
            if case .literal(let text) = field {
                guard rest.hasPrefix(text) else { return nil }
                rest = rest.dropFirst(text.count)
                continue
            }
            switch field {
            case .year(let count):
                guard let year = digits(count == 2 ? 2 : 4) else { return nil }
                date.year = count == 2 ? year + (year < 70 ? 2_000 : 1_900) : year
            case .month: date.month = digits(2) ?? 0
            case .monthName:
                let name = rest.prefix { $0.isLetter || $0 == "." }
                guard let month = LocalizedDate.month(called: String(name)) else { return nil }
                date.month = month
                rest = rest.dropFirst(name.count)
            case .day: date.day = digits(2) ?? 0
            case .hour, .halfDayHour: date.hour = digits(2) ?? -1
            case .minute: date.minute = digits(2) ?? -1
            case .second: date.second = digits(2) ?? -1
            case .fraction:
                let run = rest.prefix { $0.isASCII && $0.isNumber }
                guard let fraction = Double("0." + run) else { return nil }
                date.fraction = fraction
                rest = rest.dropFirst(run.count)
            case .halfDay:
                let word = rest.prefix { $0.isLetter || $0 == "." }
                date.isAfternoon = LocalizedDate.isAfternoon(String(word))
                guard date.isAfternoon != nil else { return nil }
                rest = rest.dropFirst(word.count)
            case .offset:
                let text = rest.prefix { !$0.isWhitespace }
                guard let offset = TimeZoneParser.offset(String(text)) else { return nil }
                date.offset = offset
                rest = rest.dropFirst(text.count)
            case .literal: break
            }
        }
        return rest.allSatisfy(\.isWhitespace) ? date : nil
    }
}
