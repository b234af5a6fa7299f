public import Foundation
public import HealthKit

/// Reads trends and comparisons of quantity types from a store.
///
/// Sums are merged across sources and split at the bounds of days by HealthKit's statistics, and the average of a discrete
/// type over a period is that of HealthKit's statistics of the period. Types that may not be read are empty.
public struct TrendReader: Sendable {
    private let store: HKHealthStore
    let calendar: Calendar

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - store: The store to read.
    ///   - calendar: The calendar that determines days and weeks.
    public init(store: HKHealthStore, calendar: Calendar = .current) {
        self.store = store
        self.calendar = calendar
    }

    /// Returns the values of the days of an interval. The first and the last one may be parts of a day.
    ///
    /// - Parameters:
    ///   - type: A quantity type.
    ///   - interval: The interval; its end is not included.
    ///   - unit: The unit of the values; by default, the person's preferred unit.
    /// - Throws: `HKError` if reading fails; `HKError.errorInvalidArgument` for more than 100,000 days.
    public func days(of type: HKQuantityType, in interval: DateInterval, unit: HKUnit? = nil) async throws
        -> DailySeries
    {
        try PeriodLimit.check(interval.duration / 86_400, PeriodLimit.consecutive, "days")
        let unit = try await resolved(unit, of: type)
        let isCumulative = type.aggregationStyle == .cumulative
        var days: [DailyValue] = []
        var position = interval.start
        // A part of a day is a separate interval, because statistics of days have whole days.
        if calendar.startOfDay(for: position) < position {
            let end = min(calendar.startOfDay(1, after: position), interval.end)
            days.append(try await part(of: type, from: position, to: end, unit))
            position = end
        }
        let last = max(position, calendar.startOfDay(for: interval.end))
        days += try await wholeDays(of: type, in: DateInterval(start: position, end: last), unit)
        if last < interval.end { days.append(try await part(of: type, from: last, to: interval.end, unit)) }
        var series = DailySeries(unit: unit, isCumulative: isCumulative, interval: interval, days: days)
        if !isCumulative, days.count(where: { $0.value != nil }) > 1 {
            series.whole = try await part(of: type, from: interval.start, to: interval.end, unit).value
        }
        return series
    }

    /// Returns the figures of an interval, from the values of its days.
    ///
    /// - Throws: `HKError` if reading fails.
    public func figures(of type: HKQuantityType, in interval: DateInterval, unit: HKUnit? = nil) async throws
        -> PeriodStatistics
    {
        try await days(of: type, in: interval, unit: unit).figures
    }

    /// Returns the trend of the complete days before a date.
    ///
    /// Today doesn't count: it is not over, so its sum would be too small.
    ///
    /// - Parameters:
    ///   - type: A quantity type.
    ///   - now: A time of the day after the recent days.
    ///   - recentDays: The number of recent days, at least 1.
    ///   - baselineDays: The number of days before them, at least 1.
    ///   - unit: The unit of the values; by default, the person's preferred unit.
    /// - Throws: `HKError` if reading fails.
    public func trend(
        of type: HKQuantityType, asOf now: Date = Date(), recentDays: Int = 7, baselineDays: Int = 28,
        unit: HKUnit? = nil
    ) async throws -> Trend {
        let unit = try await resolved(unit, of: type)
        let today = calendar.startOfDay(for: now)
        let recent = DateInterval(start: calendar.startOfDay(-max(1, recentDays), after: today), end: today)
        let baseline = DateInterval(
            start: calendar.startOfDay(-max(1, baselineDays), after: recent.start), end: recent.start)
        return Trend(
            recent: try await days(of: type, in: recent, unit: unit),
            baseline: try await days(of: type, in: baseline, unit: unit))
    }

    /// Returns this week so far and the last week until the same point.
    ///
    /// - Throws: `HKError` if reading fails.
    public func weekComparison(
        of type: HKQuantityType, asOf now: Date = Date(), unit: HKUnit? = nil
    ) async throws -> WeekComparison {
        let unit = try await resolved(unit, of: type)
        let start = calendar.dateInterval(of: .weekOfYear, for: now)?.start ?? calendar.startOfDay(for: now)
        let previous = calendar.startOfDay(-7, after: start)
        return WeekComparison(
            current: try await figures(of: type, in: DateInterval(start: start, end: max(start, now)), unit: unit),
            previous: try await figures(
                of: type, in: DateInterval(start: previous, end: min(start, max(previous, day(-7, from: now)))),
                unit: unit),
            previousWeek: try await figures(of: type, in: DateInterval(start: previous, end: start), unit: unit))
    }

    /// Compares two intervals.
    ///
    /// - Throws: `HKError` if reading fails.
    public func comparison(
        of type: HKQuantityType, _ first: DateInterval, with second: DateInterval, unit: HKUnit? = nil
    ) async throws -> PeriodComparison {
        let unit = try await resolved(unit, of: type)
        return PeriodComparison(
            first: try await figures(of: type, in: first, unit: unit),
            second: try await figures(of: type, in: second, unit: unit))
    }

    /// Returns the days of the four weeks before today, and what they had until the present time of day.
    ///
    /// - Throws: `HKError` if reading fails.
    public func reference(
        of type: HKQuantityType, asOf now: Date = Date(), days count: Int = 28, unit: HKUnit? = nil
    ) async throws -> DailyReference {
        let unit = try await resolved(unit, of: type)
        let today = calendar.startOfDay(for: now)
        let interval = DateInterval(start: calendar.startOfDay(-max(1, count), after: today), end: today)
        let series = try await days(of: type, in: interval, unit: unit)
        guard series.isCumulative else { return DailyReference(figures: series.figures, averageByNow: nil) }
        let elapsed = calendar.dateComponents([.hour, .minute, .second], from: now)
        var sums: [Date: Double] = [:]
        let quarters = try await collection(of: type, in: interval, .cumulativeSum, DateComponents(minute: 15))
        var remaining = quarters.statistics()[...]
        for day in series.days where day.value != nil {
            let end = calendar.startOfDay(1, after: day.date)
            let present =
                calendar.date(
                    bySettingHour: elapsed.hour ?? 0, minute: elapsed.minute ?? 0, second: elapsed.second ?? 0,
                    of: day.date) ?? day.date
            var sum = 0.0
            while let quarter = remaining.first, quarter.startDate < end {
                remaining.removeFirst()
                guard quarter.startDate >= day.date else { continue }
                let share =
                    present.timeIntervalSince(quarter.startDate) / quarter.endDate.timeIntervalSince(quarter.startDate)
                sum += (quarter.sumQuantity()?.doubleValue(for: unit) ?? 0) * min(1, max(0, share))
            }
            sums[day.date] = sum
        }
        return DailyReference(
            figures: series.figures,
            averageByNow: sums.values.sorted().mean)
    }

    /// Returns the values of intervals of any length, each at its start. Intervals without samples are left out.
    ///
    /// - Throws: `HKError` if reading fails.
    public func values(
        of type: HKQuantityType, in interval: DateInterval, every length: DateComponents, unit: HKUnit
    ) async throws -> [DailyValue] {
        try await collection(of: type, in: interval, Self.options(type), length).statistics().map {
            Self.value($0, unit)
        }
    }

    // MARK: Statistics

    private func wholeDays(of type: HKQuantityType, in interval: DateInterval, _ unit: HKUnit) async throws
        -> [DailyValue]
    {
        guard interval.duration > 0 else { return [] }
        let collection = try await collection(of: type, in: interval, Self.options(type), DateComponents(day: 1))
        var values: [Date: DailyValue] = [:]
        for statistics in collection.statistics() {
            // Where a change of the clock skips midnight, the statistics of days and calendars disagree on their first
            // hour.
            let date = calendar.startOfDay(for: statistics.startDate + 6 * 3_600)
            values[date] = Self.value(statistics, unit)
            values[date]?.date = date
        }
        var days: [DailyValue] = []
        var date = interval.start
        while date < interval.end {
            days.append(values[date] ?? DailyValue(date: date, value: nil))
            date = calendar.startOfDay(1, after: date)
        }
        return days
    }

    /// The value of an interval of any length.
    private func part(
        of type: HKQuantityType, from start: Date, to end: Date, _ unit: HKUnit
    ) async throws -> DailyValue {
        let seconds = end.timeIntervalSince(start)
        guard seconds > 0 else { return DailyValue(date: start, value: nil) }
        let length = DateComponents(
            second: Int(seconds), nanosecond: Int(((seconds - seconds.rounded(.down)) * 1e9).rounded()))
        let collection = try await collection(
            of: type, in: DateInterval(start: start, end: end), Self.options(type), length)
        let found = collection.statistics().first { abs($0.startDate.timeIntervalSince(start)) < 1e-3 }
        var value = found.map { Self.value($0, unit) } ?? DailyValue(date: start, value: nil)
        value.isPartial = true
        return value
    }

    private func collection(
        of type: HKQuantityType, in interval: DateInterval, _ options: HKStatisticsOptions, _ length: DateComponents
    ) async throws -> HKStatisticsCollection {
        var length = length
        length.calendar = calendar
        // Nothing is known about single days of a sample that lasts for years, and its intervals would be millions.
        let year = 366 * 86_400.0
        let samples = NSCompoundPredicate(andPredicateWithSubpredicates: [
            HKQuery.predicateForSamples(withStart: interval.start, end: interval.end),
            HKQuery.predicateForSamples(
                withStart: interval.start - year, end: interval.end + year, options: [.strictStartDate, .strictEndDate]),
        ])
        return try await HKStatisticsCollectionQueryDescriptor(
            predicate: .quantitySample(type: type, predicate: samples), options: options, anchorDate: interval.start,
            intervalComponents: length
        ).result(for: store)
    }

    private static func options(_ type: HKQuantityType) -> HKStatisticsOptions {
        type.aggregationStyle == .cumulative ? .cumulativeSum : [.discreteAverage, .discreteMin, .discreteMax]
    }

    private static func value(_ statistics: HKStatistics, _ unit: HKUnit) -> DailyValue {
        let value = statistics.sumQuantity() ?? statistics.averageQuantity()
        return DailyValue(
            date: statistics.startDate, value: value?.doubleValue(for: unit),
            minimum: statistics.minimumQuantity()?.doubleValue(for: unit),
            maximum: statistics.maximumQuantity()?.doubleValue(for: unit))
    }

    private func resolved(_ unit: HKUnit?, of type: HKQuantityType) async throws -> HKUnit {
        if let unit { return unit }
        return try await store.preferredUnits(for: [type])[type] ?? .count()
    }

    /// The sample that ends last, of those that begin before a time.
    func latestSample(of type: HKQuantityType, before date: Date) async throws -> HKQuantitySample? {
        func first(from start: Date?, by order: SortDescriptor<HKQuantitySample>) async throws -> HKQuantitySample? {
            let predicate = HKQuery.predicateForSamples(withStart: start, end: date)
            return try await HKSampleQueryDescriptor(
                predicates: [.quantitySample(type: type, predicate: predicate)], sortDescriptors: [order], limit: 1
            ).result(for: store).first
        }
        // Samples are in the order of their starts: those that can end later than the last one are few.
        guard let last = try await first(from: nil, by: SortDescriptor(\.startDate, order: .reverse)) else {
            return nil
        }
        return try await first(from: last.endDate, by: SortDescriptor(\.endDate, order: .reverse)) ?? last
    }

    // MARK: Days

    private func day(_ count: Int, from date: Date) -> Date {
        calendar.date(byAdding: .day, value: count, to: date) ?? date.addingTimeInterval(86_400 * Double(count))
    }
}

extension Calendar {
    /// The beginning of the day that is a number of days, or of longer units, after that of a date.
    package func startOfDay(_ count: Int, _ unit: Calendar.Component = .day, after date: Date) -> Date {
        // From noon, because midnight doesn't exist on every day.
        let noon = startOfDay(for: date) + 12 * 3_600
        return startOfDay(for: self.date(byAdding: unit, value: count, to: noon) ?? noon)
    }
}
