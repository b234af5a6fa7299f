public import Foundation
public import HealthKit

/// The latest value of a type, and its last four weeks, as a list of types shows them.
public struct RecentValues: Hashable, Sendable {
    /// The unit of all values.
    public let unit: HKUnit
    /// The latest value: of a sample, or the sum of the latest day of a cumulative type, which can be today so far.
    public let latest: DailyValue
    /// Whether the latest value is of a day rather than of a moment.
    public let isOfDay: Bool
    /// The 28 days before today.
    public let days: [DailyValue]

    /// The number of days before today.
    static let dayCount = 28
}

extension TrendReader {
    /// Returns the latest value of a type and the 28 days before today; `nil` if there is no sample before now.
    ///
    /// - Parameters:
    ///   - type: A quantity type.
    ///   - now: The time; samples that begin after it don't count.
    ///   - unit: The unit of the values; by default, the person's preferred unit.
    /// - Throws: `HKError` if reading fails.
    public func recentValues(
        of type: HKQuantityType, asOf now: Date = Date(), unit: HKUnit? = nil
    ) async throws -> RecentValues? {
        let today = calendar.startOfDay(0, after: now)
        let month = DateInterval(start: calendar.startOfDay(-RecentValues.dayCount, after: now), end: max(today, now))
        let series = try await days(of: type, in: month, unit: unit)
        let whole = Array(series.days.prefix(RecentValues.dayCount))
        func values(_ latest: DailyValue) -> RecentValues {
            RecentValues(unit: series.unit, latest: latest, isOfDay: series.isCumulative, days: whole)
        }
        if series.isCumulative, let latest = series.days.last(where: { $0.value != nil }) { return values(latest) }
        guard let sample = try await latestSample(of: type, before: now) else { return nil }
        guard series.isCumulative else {
            let value = sample.quantity.doubleValue(for: series.unit)
            return values(DailyValue(date: sample.endDate, value: value))
        }
        let start = calendar.startOfDay(0, after: sample.endDate)
        let day = DateInterval(start: start, end: calendar.startOfDay(1, after: start))
        return try await days(of: type, in: day, unit: series.unit).days.first.map(values)
    }
}

extension SleepReader {
    /// Returns the time asleep in the latest night, if it is one of the last four weeks, and in the 28 nights until
    /// yesterday's.
    ///
    /// - Throws: `HKError` if reading fails.
    public func recentValues(asOf now: Date = Date()) async throws -> RecentValues? {
        let first = calendar.startOfDay(-RecentValues.dayCount, after: now)
        let series = try await days(in: DateInterval(start: first, end: calendar.startOfDay(for: now) + 12 * 3_600))
        guard let latest = series.days.last(where: { $0.value != nil }) else { return nil }
        return RecentValues(
            unit: series.unit, latest: latest, isOfDay: true, days: Array(series.days.prefix(RecentValues.dayCount)))
    }
}
