import Foundation
import HealthAnswers
import HealthModel

/// Formats dates for people, and as ISO 8601 with an offset.
///
/// Dates are Gregorian in every year. A `Calendar` would show the Julian date before 1582, and the year 1 B.C. as 1.
struct DateOutput {
    /// The calendar of the days.
    let calendar: Calendar

    private struct Parts {
        var dayNumber = 0
        var hour = 0
        var minute = 0
        var second = 0
        /// The offset from UTC in minutes.
        var offset = 0
    }

    private func parts(_ date: Date) -> Parts {
        let instant = date.timeIntervalSinceReferenceDate
        guard abs(instant) < 1e15 else { return Parts() }
        // Mean solar times of the 19th century have seconds, which the text can't express.
        let offset = calendar.timeZone.secondsFromGMT(for: date) / 60
        let wall = Int(instant.rounded(.down)) + offset * 60
        let day = wall >= 0 ? wall / 86_400 : (wall + 1) / 86_400 - 1
        let second = wall - day * 86_400
        return Parts(
            dayNumber: day, hour: second / 3_600, minute: second / 60 % 60, second: second % 60, offset: offset)
    }

    private func two(_ number: Int) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }

    private func four(_ number: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, 4 - text.count)) + text
    }

    private func day(_ parts: Parts) -> String {
        let date = CivilDate.date(dayNumber: parts.dayNumber)
        return "\(four(date.year))-\(two(date.month))-\(two(date.day))"
    }

    /// `2024-01-31`.
    func day(_ date: Date) -> String {
        day(parts(date))
    }

    /// `2024-01-31 08:30`.
    func minute(_ date: Date) -> String {
        let parts = parts(date)
        return "\(day(parts)) \(two(parts.hour)):\(two(parts.minute))"
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
        let parts = parts(date)
        return "\(day(parts)) \(names[((parts.dayNumber % 7) + 7) % 7])"
    }

    /// `2024-01-31T08:30:00+01:00`, with milliseconds where there are any.
    func iso(_ date: Date) -> String {
        let whole = Date(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate.rounded(.down))
        let parts = parts(whole)
        let fraction = date.timeIntervalSince(whole)
        let milliseconds = (0..<1).contains(fraction) ? Int((fraction * 1_000).rounded(.down)) : 0
        let decimals = milliseconds == 0 ? "" : "." + String(String(1_000 + milliseconds).dropFirst())
        let sign = parts.offset < 0 ? "-" : "+"
        return "\(day(parts))T\(two(parts.hour)):\(two(parts.minute)):\(two(parts.second))\(decimals)"
            + "\(sign)\(two(abs(parts.offset) / 60)):\(two(abs(parts.offset) % 60))"
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
