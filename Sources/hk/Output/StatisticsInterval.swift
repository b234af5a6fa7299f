import ArgumentParser
import Foundation

/// The length of the intervals of statistics.
enum StatisticsInterval: String, ExpressibleByArgument, CaseIterable {
    case hour, day, week, month, year

    var components: DateComponents {
        switch self {
        case .hour: DateComponents(hour: 1)
        case .day: DateComponents(day: 1)
        case .week: DateComponents(day: 7)
        case .month: DateComponents(month: 1)
        case .year: DateComponents(year: 1)
        }
    }

    var calendarComponent: Calendar.Component {
        switch self {
        case .hour: .hour
        case .day: .day
        case .week: .weekOfYear
        case .month: .month
        case .year: .year
        }
    }

    /// The name of the interval that begins at a date.
    func label(_ start: Date, _ dates: DateOutput) -> String {
        switch self {
        case .hour: dates.minute(start)
        case .day: dates.weekday(start)
        case .week: "week of \(dates.day(start))"
        case .month: String(dates.day(start + 15 * Self.secondsPerDay).prefix(7))
        case .year: String(dates.day(start + 182 * Self.secondsPerDay).prefix(4))
        }
    }

    /// The approximate number of intervals in a time.
    func count(in seconds: TimeInterval) -> Int {
        let length =
            switch self {
            case .hour: Self.secondsPerDay / 24
            case .day: Self.secondsPerDay
            case .week: 7 * Self.secondsPerDay
            case .month: 30.436875 * Self.secondsPerDay
            case .year: 365.2425 * Self.secondsPerDay
            }
        return Int((seconds / length).rounded())
    }

    /// Months and years are named by their middle: those of a `Calendar` before 1582 begin up to ten days before or after
    /// the Gregorian ones.
    private static let secondsPerDay: TimeInterval = 86_400
}
