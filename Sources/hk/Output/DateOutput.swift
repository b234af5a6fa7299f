import Foundation

/// Formats dates for people, and as ISO 8601 with an offset.
struct DateOutput {
    let calendar: Calendar

    init(calendar: Calendar) {
        self.calendar = calendar
    }

    private func parts(_ date: Date) -> DateComponents {
        calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: date)
    }

    private func two(_ number: Int?) -> String {
        let number = number ?? 0
        return number < 10 ? "0\(number)" : "\(number)"
    }

    private func four(_ number: Int?) -> String {
        let text = String(number ?? 0)
        return String(repeating: "0", count: max(0, 4 - text.count)) + text
    }

    /// `2024-01-31`.
    func day(_ date: Date) -> String {
        let parts = parts(date)
        return "\(four(parts.year))-\(two(parts.month))-\(two(parts.day))"
    }

    /// `2024-01-31 08:30`.
    func minute(_ date: Date) -> String {
        let parts = parts(date)
        return "\(day(date)) \(two(parts.hour)):\(two(parts.minute))"
    }

    /// `2024-01-31 Wed`.
    func weekday(_ date: Date) -> String {
        let names = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
        return "\(day(date)) \(names[calendar.component(.weekday, from: date) - 1])"
    }

    /// `2024-01-31T08:30:00+01:00`, with milliseconds where there are any.
    func iso(_ date: Date) -> String {
        let whole = Date(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate.rounded(.down))
        let parts = parts(whole)
        let milliseconds = Int((date.timeIntervalSince(whole) * 1_000).rounded(.down))
        let fraction = milliseconds == 0 ? "" : "." + String(String(1_000 + milliseconds).dropFirst())
        let offset = calendar.timeZone.secondsFromGMT(for: date) / 60
        let sign = offset < 0 ? "-" : "+"
        return "\(day(whole))T\(two(parts.hour)):\(two(parts.minute)):\(two(parts.second))\(fraction)"
            + "\(sign)\(two(abs(offset) / 60)):\(two(abs(offset) % 60))"
    }
}

extension Date {
    /// Creates a date from seconds since 2001-01-01 00:00 UTC, the engine's reference date.
    init(reference seconds: Double) {
        self.init(timeIntervalSinceReferenceDate: seconds)
    }
}
