import Foundation
import HealthAnswers
import HealthModel

/// Formats dates for people, and as ISO 8601 with an offset.
///
/// Dates are Gregorian in every year. A `Calendar` would show the Julian date before 1582.
struct DateOutput {
    /// The calendar of the days.
    let calendar: Calendar

    private var clock: LocalClock { LocalClock(timeZone: calendar.timeZone) }

    /// `2024-01-31`.
    func day(_ date: Date) -> String {
        clock.dayText(date.timeIntervalSinceReferenceDate)
    }

    /// `2024-01-31 08:30`.
    func minute(_ date: Date) -> String {
        let text = iso(Date(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate.rounded(.down)))
        return "\(text.prefix(10)) \(text.dropFirst(11).prefix(5))"
    }

    /// The day if the date is a midnight, as the end of a range the day before; else with the time.
    func short(_ date: Date, isEnd: Bool = false) -> String {
        guard calendar.startOfDay(for: date) == date else { return minute(date) }
        return day(isEnd ? date - 1 : date)
    }

    /// `2024-01-31 08:30 – 2024-02-01 09:00`.
    func span(_ statistic: StatisticsAnswer.Statistic) -> String {
        "\(minute(Date(reference: statistic.start))) – \(minute(Date(reference: statistic.end)))"
    }

    /// `2024-01-31 Wed`.
    func weekday(_ date: Date) -> String {
        // Day 0, the first of 2001, was a Monday.
        let names = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
        let number = clock.dayNumber(at: date.timeIntervalSinceReferenceDate)
        return "\(day(date)) \(names[((number % 7) + 7) % 7])"
    }

    /// `2024-01-31T08:30:00+01:00`, with milliseconds or microseconds where there are any.
    func iso(_ date: Date) -> String {
        clock.text(date.timeIntervalSinceReferenceDate)
    }
}

/// Formats durations and paces for people.
enum DurationOutput {
    /// Hours and minutes: `7:05`, rounded to the minute.
    static func hours(_ seconds: Double) -> String {
        guard seconds.isFinite, abs(seconds) < 1e12 else { return NumberOutput.text(seconds) }
        let minutes = Int((abs(seconds) / 60).rounded())
        return "\(seconds < 0 && minutes > 0 ? "-" : "")\(minutes / 60):\(two(minutes % 60))"
    }

    /// Hours and minutes, or `–`.
    static func hours(_ seconds: Double?) -> String {
        seconds.map { hours($0) } ?? "–"
    }

    /// Minutes and seconds, with hours where there are any: `34:12`, `1:02:10`.
    static func clock(_ seconds: Double) -> String {
        guard seconds.isFinite, abs(seconds) < 1e12 else { return NumberOutput.text(seconds) }
        let whole = Int(abs(seconds).rounded())
        let sign = seconds < 0 && whole > 0 ? "-" : ""
        guard whole >= 3_600 else { return "\(sign)\(whole / 60):\(two(whole % 60))" }
        return "\(sign)\(whole / 3_600):\(two(whole / 60 % 60)):\(two(whole % 60))"
    }

    /// Whole minutes below an hour, and hours and minutes above: `34 min`, `7 h 5 min`.
    static func words(_ seconds: Double) -> String {
        guard seconds.isFinite, abs(seconds) < 1e12 else { return NumberOutput.text(seconds) }
        let minutes = Int((seconds / 60).rounded())
        guard minutes >= 60 else { return "\(minutes) min" }
        return minutes % 60 == 0 ? "\(minutes / 60) h" : "\(minutes / 60) h \(minutes % 60) min"
    }

    /// A time of day from seconds after midnight: `23:40`.
    static func timeOfDay(_ seconds: Double) -> String {
        let minutes = Int((seconds / 60).rounded()) % 1_440
        return "\(two(minutes / 60)):\(two(minutes % 60))"
    }

    private static func two(_ number: Int) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }
}
