import Foundation
import HealthInsights

/// Periods as people name them.
extension DateArgument {
    private static let units: [(name: String, component: Calendar.Component)] = [
        ("hour", .hour), ("day", .day), ("week", .weekOfYear), ("month", .month), ("quarter", .quarter),
        ("year", .year),
    ]

    /// The number and the unit of a length: `30d`, `6 weeks`, `year`.
    static func length(_ text: String) -> (count: Int, unit: Calendar.Component)? {
        guard let match = text.lowercased().wholeMatch(of: /(\d*) *([a-z]+)/),
            let count = match.1.isEmpty ? 1 : Int(match.1), (1...100_000).contains(count),
            let unit = units.first(where: {
                match.2 == $0.name || match.2 == $0.name + "s" || !match.1.isEmpty && match.2 == $0.name.prefix(1)
            })
        else { return nil }
        return unit.name == "quarter" ? (3 * count, .month) : (count, unit.component)
    }

    /// The period that words denote: `last week`, `this month`, `monday`, `january`, `nov 10 2024` or `3 weeks ago`. Of
    /// periods that come again, the latest that has begun.
    func worded(_ text: String) -> (start: Date, end: Date)? {
        func period(_ start: Date, _ unit: Calendar.Component = .day) -> (start: Date, end: Date) {
            (start, calendar.startOfDay(1, unit, after: start))
        }
        var words = text.lowercased().split { !$0.isLetter && !$0.isNumber }
        if words.last == "ago", let (count, unit) = Self.length(words.dropLast().joined(separator: " ")), unit != .hour
        {
            return period(calendar.startOfDay(-count, unit, after: now))
        }
        let isPast = words.first == "last"
        let isNamed = isPast || words.first == "this"
        if isNamed { words.removeFirst() }
        guard let first = words.first, first.count > 2 || words.count > 1 else { return nil }
        if isNamed, let unit = Self.units.first(where: { $0.name == first && $0.component != .hour })?.component,
            let current = calendar.dateInterval(of: unit, for: now), words.count == 1
        {
            return (isPast ? calendar.dateInterval(of: unit, for: current.start - 1) : current).map {
                ($0.start, $0.end)
            }
        }
        let formatter = DateFormatter()
        (formatter.locale, formatter.timeZone) = (Locale(identifier: "en_US_POSIX"), calendar.timeZone)
        if words.count == 1, let day = formatter.weekdaySymbols.firstIndex(where: { $0.lowercased().hasPrefix(first) })
        {
            let days = (isPast ? 1...7 : 0...6).map { calendar.startOfDay(-$0, after: now) }
            return days.first { calendar.component(.weekday, from: $0) == day + 1 }.map { period($0) }
        }
        let hasYear = words.last?.count == 4 && words.last.flatMap { Int($0) } != nil
        let year = calendar.component(.year, from: now)
        for year in hasYear ? [""] : [" \(year)", " \(year - 1)"] {
            let name = words.joined(separator: " ") + year
            for format in ["MMMM yyyy", "MMMM d yyyy", "d MMMM yyyy"]
            where format.split(separator: " ").count == name.split(separator: " ").count {
                formatter.dateFormat = format
                guard let start = formatter.date(from: name) else { continue }
                let found = period(start, format.contains("d") ? .day : .month)
                if hasYear || (isPast ? found.end : start) <= now { return found }
            }
        }
        return nil
    }
}
