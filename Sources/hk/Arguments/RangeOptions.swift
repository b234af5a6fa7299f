import ArgumentParser
import Foundation

/// The time a command looks at, as people type it.
struct RangeOptions: ParsableArguments {
    @Option(
        name: .long,
        help: "From this day or instant on: 2024-01-01, 2024-01, 2024, today, yesterday, 2024-01-01T08:30.")
    var from: String?

    @Option(name: .long, help: "Up to and with this day, month or year, or up to this instant.")
    var to: String?

    @Option(name: .long, help: "The last so many hours, days, weeks, months or years: 12h, 30d, 6w, 3m, 2y.")
    var last: String?

    @Option(name: .long, help: "The time zone days are cut in; the one named at import, or the machine's, if not given.")
    var timeZone: String?

    func validate() throws {
        if last != nil, from != nil || to != nil {
            throw ValidationError("--last stands alone, without --from and --to.")
        }
        if let timeZone, TimeZone(identifier: timeZone) == nil {
            throw ValidationError("“\(timeZone)” is no time zone; it is wanted like Europe/Berlin.")
        }
    }

    /// The calendar days are cut with: in the zone given here, else in the one named when an archive was
    /// imported, else in the machine's.
    func calendar(_ store: StoreOptions) throws -> Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone =
            try timeZone.flatMap { TimeZone(identifier: $0) } ?? store.personTimeZone() ?? .current
        calendar.firstWeekday = 2
        return calendar
    }

    /// The range as instants; a `nil` bound is open.
    func interval(now: Date, calendar: Calendar) throws -> (start: Date?, end: Date?) {
        let text = DateText(calendar: calendar, now: now)
        if let last { return (try text.back(last), now) }
        let first = try from.map { try text.span($0, option: "--from") }
        let final = try to.map { try text.span($0, option: "--to") }
        if let first, let final, first.start > final.start, first.start >= final.end {
            throw UsageError("--from lies after --to.")
        }
        return (first?.start, final?.end)
    }
}

extension RangeOptions {
    /// The calendar of commands without a range: Gregorian, in the machine's time zone.
    static var machineCalendar: Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .current
        return calendar
    }
}
