public import Foundation
import HealthKit

extension SleepReader {
    /// Returns the seconds asleep in the main sleep of the days of an interval, with gaps, to compare periods of sleep
    /// like periods of quantities. The first and the last day are complete.
    ///
    /// - Throws: `HKError` if reading fails; `HKError.errorInvalidArgument` for more than 100,000 days.
    public func days(in interval: DateInterval) async throws -> DailySeries {
        try PeriodLimit.check(interval.duration / 86_400, PeriodLimit.consecutive, "days")
        var gregorian = Calendar(identifier: .gregorian)
        gregorian.timeZone = calendar.timeZone
        let start = gregorian.startOfDay(for: interval.start)
        let nights = try await nights(in: DateInterval(start: start, end: max(start, interval.end)))
        let byDay = Dictionary(nights.map { ($0.day, $0) }) { first, _ in first }
        var days: [DailyValue] = []
        var date = start
        while date < interval.end {
            let night = byDay[gregorian.dateComponents([.year, .month, .day], from: date)]
            days.append(DailyValue(date: date, value: night?.timeAsleep))
            // From noon, because midnight doesn't exist on every day.
            guard let noon = gregorian.date(byAdding: .day, value: 1, to: date + 12 * 3_600) else { break }
            date = gregorian.startOfDay(for: noon)
        }
        return DailySeries(
            unit: .second(), isCumulative: true, interval: DateInterval(start: start, end: max(date, start)), days: days
        )
    }

    /// Returns the trend of the time asleep: the nights of the last days, today's included, against those before.
    ///
    /// - Parameters:
    ///   - now: A time of the last recent day.
    ///   - recentDays: The number of recent days, at least 1.
    ///   - baselineDays: The number of days before them, at least 1.
    /// - Throws: `HKError` if reading fails.
    public func trend(asOf now: Date = Date(), recentDays: Int = 7, baselineDays: Int = 28) async throws -> Trend {
        var gregorian = Calendar(identifier: .gregorian)
        gregorian.timeZone = calendar.timeZone
        func midnight(_ days: Int) -> Date { gregorian.startOfDay(days, after: now) }
        let begin = 1 - max(1, recentDays)
        return Trend(
            recent: try await days(in: DateInterval(start: midnight(begin), end: midnight(1))),
            baseline: try await days(
                in: DateInterval(start: midnight(begin - max(1, baselineDays)), end: midnight(begin))))
    }
}
