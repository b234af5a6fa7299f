import Foundation
import HealthEngine
import HealthModel

/// Which days an activity summary query asks for, cut in the person's calendar.
struct SummaryDays: Sendable {
    /// A filter over days; anything else in it matches no day.
    let filter: SampleFilter
    private let calendar: Calendar

    /// - Parameter calendar: gives the time zone; days are Gregorian, as the original's are.
    init(filter: SampleFilter, calendar: Calendar) {
        self.filter = filter
        var gregorian = Calendar(identifier: .gregorian)
        gregorian.timeZone = calendar.timeZone
        self.calendar = gregorian
    }

    /// The days between two instants, both included, that satisfy the filter; ascending.
    func days(covering extent: ClosedRange<Double>) -> [SummaryDay] {
        let first = calendar.startOfDay(for: Date(timeIntervalSinceReferenceDate: extent.lowerBound))
        var days: [SummaryDay] = []
        var start = first
        var index = 0
        while start.timeIntervalSinceReferenceDate <= extent.upperBound {
            index += 1
            guard let next = calendar.date(byAdding: .day, value: 1, to: start).map(calendar.startOfDay),
                next > start
            else { break }
            let parts = calendar.dateComponents([.year, .month, .day], from: start)
            let day = Profile.Day(year: parts.year ?? 0, month: parts.month ?? 0, day: parts.day ?? 0)
            if Self.matches(filter, day.number) {
                days.append(
                    SummaryDay(
                        day: day, start: start.timeIntervalSinceReferenceDate,
                        end: next.timeIntervalSinceReferenceDate))
            }
            start = next
        }
        return days
    }

    /// The first instant of a day, in seconds since 2001.
    func start(of day: Profile.Day) -> Double? {
        calendar.date(from: DateComponents(year: day.year, month: day.month, day: day.day))?
            .timeIntervalSinceReferenceDate
    }

    /// Whether a day satisfies a filter.
    static func matches(_ filter: SampleFilter, _ day: Int) -> Bool {
        switch filter {
        case .all: true
        case .and(let parts): parts.allSatisfy { matches($0, day) }
        case .or(let parts): parts.contains { matches($0, day) }
        case .not(let part): !matches(part, day)
        case .summaryDay(let comparison, let wanted):
            comparison.holds(day < wanted ? -1 : day > wanted ? 1 : 0)
        default: false
        }
    }
}
