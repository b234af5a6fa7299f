import ArgumentParser
import Foundation
import HealthAnswers
import HealthInsights
import HealthJSON
import HealthKit
import HealthModel
import Synchronization

/// The options for a time range.
struct SpanOptions: ParsableArguments {
    @Option(
        name: .long,
        help:
            "Start of the range: 2024-01-01, 2024-01, 2024, today, monday, “last week”, january, “3 weeks ago” or 2024-01-01T08:30."
    )
    var from: String?

    @Option(name: .long, help: "End of the range: a day, month or year that is included, or an instant.")
    var to: String?

    @Option(
        name: .long,
        help:
            "The most recent hours, days, weeks, months or years: 12h, 30d, 6w, 3m, 2y; or the last week, month, quarter or year."
    )
    var last: String?

    func validate() throws {
        if last != nil, from != nil || to != nil {
            throw ValidationError("--last can’t be combined with --from or --to.")
        }
    }

    /// The range as instants. A `nil` bound is open.
    func interval(now: Date, calendar: Calendar) throws -> (start: Date?, end: Date?) {
        let text = DateArgument(calendar: calendar, now: now)
        if let last {
            // The week before this one, unlike the 7 days of 1w.
            return try text.worded("last \(last)").map { ($0.start, $0.end) } ?? (text.back(last), text.now)
        }
        let first = try from.map { try text.span($0, option: "--from") }
        let final = try to.map { try text.span($0, option: "--to") }
        if let first, let final, first.start > final.start, first.start >= final.end {
            throw UsageError("--from is later than --to.")
        }
        return (first?.start, final?.end)
    }
}

/// The options for the time range and the time zone of a command about one store.
struct RangeOptions: ParsableArguments {
    @OptionGroup private var span: SpanOptions

    @Option(name: .long, help: "The time zone that defines days (default: the one given at import, or the system’s).")
    var timeZone: String?

    var from: String? { span.from }
    var to: String? { span.to }
    var last: String? { span.last }

    func validate() throws {
        try TimeZoneArgument.validate(timeZone)
    }

    /// The calendar that defines days: in the time zone given here, the one given at import, or the system's.
    func calendar(_ store: StoreOptions) throws -> Calendar {
        try Self.calendar(timeZone, store)
    }

    /// The calendar of commands about today, which have no range.
    static func calendar(_ timeZone: String?, _ store: StoreOptions) throws -> Calendar {
        DateArgument.calendar(
            in: try timeZone.flatMap { TimeZone(identifier: $0) } ?? store.personTimeZone() ?? .current)
    }

    /// The calendar of commands about no store: in the system's time zone.
    static var machineCalendar: Calendar { DateArgument.calendar(in: .current) }

    /// The range as parameters of a question.
    func parameters(_ calendar: Calendar) throws -> [String: String?] {
        let (start, end) = try interval(now: CurrentTime.now, calendar: calendar)
        let instants = InstantWriter(timeZone: calendar.timeZone)
        func text(_ date: Date?) -> String? { date.map { instants.text($0.timeIntervalSinceReferenceDate) } }
        return ["start": text(start), "end": text(end)]
    }

    /// Whether the range reaches the present day: a streak that ends with an earlier range isn’t the current one.
    func includesToday(_ calendar: Calendar) throws -> Bool {
        let end = try interval(now: CurrentTime.now, calendar: calendar).end
        return end.map { $0 > calendar.startOfDay(for: CurrentTime.now) } ?? true
    }

    /// Moves a date to the range that the range is compared with: the one before, or as many days, months or years earlier.
    func earlier(_ text: String, _ calendar: Calendar) throws -> (Date) -> Date {
        let shift: RangeShift
        if text == "previous" {
            let (start, end) = try compared(text, calendar)
            shift = RangeShift(before: DateInterval(start: start, end: end), calendar)
        } else if let (count, unit) = DateArgument.length(text.replacing("last ", with: "")), unit != .hour {
            shift = RangeShift(count, unit, calendar)
        } else {
            throw UsageError("--compare: “\(text)” is not a period. Use previous, or a form like 7d, 4w, 1m or 1y.")
        }
        return shift.earlier
    }

    /// The range that is compared with another one. Without one, `--compare 1y` is about the last year.
    private func compared(_ text: String, _ calendar: Calendar) throws -> (start: Date, end: Date) {
        let (start, end) = try interval(now: CurrentTime.now, calendar: calendar)
        let length = DateArgument.length(text.replacing("last ", with: "")) == nil ? nil : text
        guard
            let start = try start
                ?? length.map({ try DateArgument(calendar: calendar).back($0.replacing("last ", with: "")) })
        else { throw UsageError("--compare needs a range, such as --last 30d.") }
        return (start, end ?? CurrentTime.now)
    }

    /// The range to compare with, and the range, as parameters of a question.
    func parameters(compare text: String, _ calendar: Calendar) throws -> [String: String?] {
        let (start, end) = try compared(text, calendar)
        let earlier = try earlier(text, calendar)
        let instants = InstantWriter(timeZone: calendar.timeZone)
        return ["compareStart": earlier(start), "compareEnd": earlier(end), "start": start, "end": end].mapValues {
            instants.text($0.timeIntervalSinceReferenceDate)
        }
    }

    /// The parameter of questions about sleep: nights are of the days of a time zone that is given, and otherwise of
    /// the one in which they were recorded.
    static func recordedTimeZones(_ timeZone: String?) -> [String: String?] {
        ["ignoreRecordedTimeZones": timeZone == nil ? nil : "true"]
    }

    /// Filters for what is at least partly in the range.
    func filters(now: Date, calendar: Calendar) throws -> [SampleFilter] {
        let (start, end) = try interval(now: now, calendar: calendar)
        var filters: [SampleFilter] = []
        if let start = start?.timeIntervalSinceReferenceDate {
            // What ends at the midnight on which the range begins is of the day before, unless it is an instant.
            filters.append(.end(.greaterThanOrEqual, start))
            filters.append(.or([.end(.greaterThan, start), .start(.greaterThanOrEqual, start)]))
        }
        if let end { filters.append(.start(.lessThan, end.timeIntervalSinceReferenceDate)) }
        return filters
    }

    /// The range as instants. A `nil` bound is open.
    func interval(now: Date, calendar: Calendar) throws -> (start: Date?, end: Date?) {
        try span.interval(now: now, calendar: calendar)
    }
}

/// The name of a time zone.
enum TimeZoneArgument {
    /// - Throws: `ValidationError` for a name that no time zone has.
    static func validate(_ name: String?) throws {
        if let name, TimeZone(identifier: name) == nil {
            throw ValidationError("“\(name)” is not a time zone. Use a name like Europe/Berlin.")
        }
    }
}

/// Parses dates as people type them.
struct DateArgument {
    let calendar: Calendar
    let now: Date

    init(calendar: Calendar = RangeOptions.machineCalendar, now: Date = CurrentTime.now) {
        (self.calendar, self.now) = (calendar, now)
    }

    /// The calendar of people's days: Gregorian, with weeks that begin on Monday.
    static func calendar(in timeZone: TimeZone) -> Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        calendar.firstWeekday = 2
        return calendar
    }

    /// The interval that a word denotes: a day, a month, a year, or an instant (equal start and end).
    func span(_ text: String, option: String) throws -> (start: Date, end: Date) {
        if let named = named(text.lowercased()) { return named }
        if let period = period(text) { return period }
        if let instant = instant(text) { return (instant, instant) }
        if let worded = worded(text) { return worded }
        throw UsageError(
            "\(option): “\(text)” is not a date. Use a form like 2024-01-31, 2024-01, 2024, today or 2024-01-31T08:30.")
    }

    /// The day, month or year that `2024-01-31`, `2024-01` or `2024` denotes. As in ``DateOutput``, dates are Gregorian
    /// in every year, which those of a `Calendar` aren't before 1582.
    private func period(_ text: String) -> (start: Date, end: Date)? {
        let parts = text.split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "/" }
        let numbers = parts.compactMap { $0.allSatisfy(\.isNumber) ? Int($0) : nil }
        guard (1...3).contains(parts.count), numbers.count == parts.count, parts[0].count == 4 else { return nil }
        let (year, month, day) = (numbers[0], numbers.count > 1 ? numbers[1] : 1, numbers.count > 2 ? numbers[2] : 1)
        guard CivilDate.isValid(year: year, month: month, day: day) else { return nil }
        let first = CivilDate.dayNumber(year: year, month: month, day: day)
        let next =
            switch numbers.count {
            case 1: CivilDate.dayNumber(year: year + 1, month: 1, day: 1)
            case 2: CivilDate.dayNumber(year: month == 12 ? year + 1 : year, month: month % 12 + 1, day: 1)
            default: first + 1
            }
        let clock = LocalClock(timeZone: calendar.timeZone)
        return (Date(reference: Double(clock.start(ofDay: first))), Date(reference: Double(clock.start(ofDay: next))))
    }

    /// The start of the period that `30d`, `12h`, `6w`, `3m` or `2y` describes. Days and longer units start at
    /// midnight.
    func back(_ text: String) throws -> Date {
        guard let (count, unit) = Self.length(text) else {
            throw UsageError(
                "--last: “\(text)” is not a period. Use a form like 12h, 30d, 6w, 3m or 2y, or week, month or year.")
        }
        if unit == .hour { return now.addingTimeInterval(-3_600 * Double(count)) }
        // “The last 7 days” are today and the six days before.
        return calendar.startOfDay(1, after: calendar.startOfDay(-count, unit, after: now))
    }

    private func named(_ text: String) -> (start: Date, end: Date)? {
        let shift: Int
        switch text {
        case "today": shift = 0
        case "yesterday": shift = -1
        case "now": return (now, now)
        default: return nil
        }
        return (calendar.startOfDay(shift, after: now), calendar.startOfDay(shift + 1, after: now))
    }

    /// Parses `2024-01-31T08:30`, optionally with seconds and an offset.
    private func instant(_ text: String) -> Date? {
        if text.contains(":"), let instant = LocalClock(timeZone: calendar.timeZone).instant(of: text) {
            return Date(reference: instant)
        }
        // Hours with one digit.
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = calendar.timeZone
        for format in [
            "yyyy-MM-dd'T'HH:mm:ssXXXXX", "yyyy-MM-dd'T'HH:mmXXXXX", "yyyy-MM-dd'T'HH:mm:ss", "yyyy-MM-dd'T'HH:mm",
            "yyyy-MM-dd HH:mm:ss", "yyyy-MM-dd HH:mm",
        ] {
            formatter.dateFormat = format
            if let date = formatter.date(from: text) { return date }
        }
        return nil
    }
}

/// The option for the day of a command about one day, and its time zone.
struct DayOptions: ParsableArguments {
    @Option(name: .long, help: "The day to show: 2024-01-31 or yesterday (default: today).")
    var day: String?

    @Option(
        name: .long, help: "The time zone that defines the day (default: the one given at import, or the system’s).")
    var timeZone: String?

    func validate() throws {
        try TimeZoneArgument.validate(timeZone)
    }

    /// The calendar that defines days. Sets the current time to the end of the given day.
    func calendar(_ store: StoreOptions) throws -> Calendar {
        let calendar = try RangeOptions.calendar(timeZone, store)
        guard let day else { return calendar }
        let (start, end) = try DateArgument(calendar: calendar, now: CurrentTime.now).span(day, option: "--day")
        guard start <= CurrentTime.now else { throw UsageError("--day is in the future.") }
        CurrentTime.show(min(CurrentTime.now, start == end ? end : end - 1))
        return calendar
    }
}

/// The current time, the same for every part of a command.
///
/// It is the system's time when the command started. `HEALTHKIT_NOW` (ISO 8601 with an offset, such as
/// `2025-11-16T12:00:00-05:00`) overrides it, for tests and for viewing an old archive as of its own time.
enum CurrentTime {
    private static let given = getenv("HEALTHKIT_NOW").map { String(cString: $0) } ?? ""

    private static let started: Date = given.isEmpty ? Date() : (try? Date(given, strategy: .iso8601)) ?? Date()
    private static let shown = Mutex<Date?>(nil)

    static var now: Date { shown.withLock { $0 } ?? started }

    /// Makes another time the current one, for what is shown of an earlier day.
    static func show(_ time: Date) { shown.withLock { $0 = time } }

    /// Whether `HEALTHKIT_NOW` overrides the system's time.
    static var isGiven: Bool { !given.isEmpty }

    /// - Throws: ``UsageError`` if `HEALTHKIT_NOW` is not a valid instant.
    static func check() throws {
        guard given.isEmpty || (try? Date(given, strategy: .iso8601)) != nil else {
            throw UsageError("$HEALTHKIT_NOW is not a date and time. Use a form like 2025-11-16T12:00:00-05:00.")
        }
    }

    /// The clock for the stores that commands open.
    static let clock = HKHealthStore.Configuration.Clock(
        now: { now }, after: HKHealthStore.Configuration.Clock.system.after)
}
