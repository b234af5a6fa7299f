import ArgumentParser
import Foundation

/// Reads dates as people type them.
struct DateText {
    let calendar: Calendar
    let now: Date

    /// The span a word stands for: a day, a month, a year, or an instant (start and end the same).
    func span(_ text: String, option: String) throws -> (start: Date, end: Date) {
        if let named = named(text.lowercased()) { return named }
        let parts = text.split(separator: "-").compactMap { Int($0) }
        let count = text.split(separator: "-", omittingEmptySubsequences: false).count
        if text.allSatisfy({ $0.isNumber || $0 == "-" }), parts.count == count, (1...3).contains(count), parts[0] > 1_000 {
            let components = DateComponents(
                year: parts[0], month: count > 1 ? parts[1] : 1, day: count > 2 ? parts[2] : 1)
            if let start = calendar.date(from: components), agrees(start, components),
                let end = calendar.date(byAdding: [.year, .month, .day][count - 1], value: 1, to: start)
            {
                return (start, end)
            }
        }
        if let instant = instant(text) { return (instant, instant) }
        throw UsageError(
            "\(option) “\(text)” is no date; it is wanted like 2024-01-31, 2024-01, 2024, today, or 2024-01-31T08:30.")
    }

    /// The instant that lies as far back as `30d`, `12h`, `6w`, `3m` or `2y` say. Days and longer begin at midnight.
    func back(_ text: String) throws -> Date {
        let units: [Character: Calendar.Component] = [
            "h": .hour, "d": .day, "w": .weekOfYear, "m": .month, "y": .year,
        ]
        guard let letter = text.last, let unit = units[letter], let count = Int(text.dropLast()), count > 0 else {
            throw UsageError("--last “\(text)” is no span; it is wanted like 12h, 30d, 6w, 3m or 2y.")
        }
        if unit == .hour { return now.addingTimeInterval(-3_600 * Double(count)) }
        // “The last 7 days” are today and the six days before.
        let today = calendar.startOfDay(for: now)
        let first = calendar.date(byAdding: unit, value: -count, to: today) ?? today
        return calendar.date(byAdding: .day, value: 1, to: first) ?? first
    }

    private func named(_ text: String) -> (start: Date, end: Date)? {
        let shift: Int
        switch text {
        case "today": shift = 0
        case "yesterday": shift = -1
        case "now": return (now, now)
        default: return nil
        }
        guard let start = calendar.date(byAdding: .day, value: shift, to: calendar.startOfDay(for: now)),
            let end = calendar.date(byAdding: .day, value: 1, to: start)
        else { return nil }
        return (start, end)
    }

    /// `2024-01-31T08:30`, with seconds and an offset if given.
    private func instant(_ text: String) -> Date? {
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

    /// Calendars roll 31 February over; people did not mean that.
    private func agrees(_ date: Date, _ wanted: DateComponents) -> Bool {
        let found = calendar.dateComponents([.year, .month, .day], from: date)
        return found.year == wanted.year && found.month == wanted.month && found.day == wanted.day
    }
}
