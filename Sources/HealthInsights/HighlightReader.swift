public import Foundation
public import HealthKit

/// Reads what stands out in the last seven days.
public struct HighlightReader: Sendable {
    private let calendar: Calendar
    private let sleepReader: SleepReader
    private let trends: TrendReader

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - store: The store to read.
    ///   - calendar: The calendar that determines days.
    ///   - sleepReader: Reads the nights; by default, a reader of the same store and calendar.
    public init(store: HKHealthStore, calendar: Calendar = .current, sleepReader: SleepReader? = nil) {
        self.calendar = calendar
        self.sleepReader = sleepReader ?? SleepReader(store: store, calendar: calendar)
        trends = TrendReader(store: store, calendar: calendar)
    }

    /// The types to request authorization for.
    public static var typesToRead: Set<HKObjectType> { Set(HighlightMeasure.all.map(\.type)) }

    /// Compares the last seven days of measures with the half year before. Measures without any data are left out.
    ///
    /// The days of sums are over, because today's would be too small; others are those until now.
    ///
    /// - Parameters:
    ///   - measures: What is read, in the order of the answer.
    ///   - now: The time; samples that begin after it don't count.
    /// - Throws: `HKError` if reading fails.
    public func highlights(
        of measures: [HighlightMeasure] = HighlightMeasure.all, asOf now: Date = Date()
    ) async throws -> [Highlight] {
        var highlights: [Highlight] = []
        for measure in measures {
            if let highlight = try await highlight(of: measure, asOf: now) { highlights.append(highlight) }
        }
        return highlights
    }

    private func highlight(of measure: HighlightMeasure, asOf now: Date) async throws -> Highlight? {
        let tomorrow = calendar.startOfDay(1, after: now)
        // At its last instant, a day is over.
        let end = measure.isCumulative && now + 1 < tomorrow ? calendar.startOfDay(for: now) : tomorrow
        let count = Highlight.weeks + 1
        let start = calendar.startOfDay(-7 * count, after: end)
        let interval = DateInterval(start: start, end: max(start, measure.isSleep ? end : min(end, now)))
        let series: DailySeries
        var averages: [Int: Double] = [:]
        if let type = measure.type as? HKQuantityType {
            series = try await trends.days(of: type, in: interval)
            if !series.isCumulative, series.days.contains(where: { $0.value != nil }) {
                let values = try await trends.values(
                    of: type, in: interval, every: DateComponents(day: 7), unit: series.unit)
                for one in values {
                    averages[Int((one.date.timeIntervalSince(start) / (7 * 86_400)).rounded())] = one.value
                }
            }
        } else {
            series = try await sleepReader.days(in: interval)
        }
        // At midnight, nothing of the last day is read.
        let days = (series.days + [DailyValue(date: interval.end, value: nil)]).prefix(7 * count)
        guard days.contains(where: { $0.value != nil }) else { return nil }
        let weeks = (0..<count).map { week in
            let values = days.dropFirst(7 * week).prefix(7).compactMap(\.value)
            return (days: values.count, average: series.isCumulative ? values.mean : averages[week])
        }
        return Highlight(
            measure, unit: series.unit, days: Array(days.dropFirst(7 * Highlight.weeks)), average: weeks.last?.average,
            weeks: weeks.dropLast().filter { $0.days >= Highlight.requiredDaysOfWeek }.compactMap(\.average),
            before: days.prefix(7 * Highlight.weeks).compactMap(\.value))
    }
}
