public import HealthKit

/// The last seven days of a measure against the person's own half year before, and whether they stand out.
///
/// A week is compared with weeks, because its average varies less than days do. Of what is measured at rest, single days
/// are compared with days, too. Both ranges are a ``UsualRange``.
public struct Highlight: Hashable, Sendable {
    /// The result of a comparison with the usual range.
    public enum Finding: Hashable, Sendable, CaseIterable {
        /// The average of the week.
        case week
        /// At least one day, but not the average of the week.
        case day
        /// Nothing: all is as usual.
        case usual
        /// It isn't known, because there is too little data, or all of it is equal.
        case unknown
    }

    /// Above or below what is usual.
    public enum Direction: Hashable, Sendable, CaseIterable {
        /// Above it.
        case higher
        /// Below it.
        case lower
    }

    /// The number of weeks before that are read.
    public static let weeks = 26
    /// The number of those weeks that must have data.
    public static let requiredWeeks = 8
    /// The number of days before that must have data for single days to be compared.
    public static let requiredDays = 28
    /// The number of days of a week that must have data, as for a ``Trend``.
    public static let requiredDaysOfWeek = Trend.requiredDays

    /// The measure that is compared.
    public let measure: HighlightMeasure
    /// The unit of all values; seconds for time asleep.
    public let unit: HKUnit
    /// The days of the week. Of sums, they are over; else the last one is today.
    public let days: [DailyValue]
    /// The average of the week: of the samples of a discrete type, of the days with data otherwise; `nil` if fewer than
    /// three days have data.
    public let average: Double?
    /// The number of weeks before that count.
    public let weekCount: Int
    /// The usual averages of weeks; `nil` if it isn't known.
    public let usualWeeks: UsualRange?
    /// The usual values of days; `nil` if it isn't known, or if days aren't compared.
    public let usualDays: UsualRange?

    /// Compares a week with what was before.
    ///
    /// - Parameters:
    ///   - measure: What is measured.
    ///   - unit: The unit of all values.
    ///   - days: The days of the week.
    ///   - average: The average of the week.
    ///   - weeks: The averages of the weeks before with data on at least three days.
    ///   - before: The values of the days before.
    public init(
        _ measure: HighlightMeasure, unit: HKUnit, days: [DailyValue], average: Double?, weeks: [Double],
        before: [Double]
    ) {
        (self.measure, self.unit, self.days) = (measure, unit, days)
        self.average = days.count { $0.value != nil } >= Self.requiredDaysOfWeek ? average : nil
        weekCount = weeks.count
        let possible = measure.possible(in: unit)
        usualWeeks = weeks.count >= Self.requiredWeeks ? UsualRange(weeks, possible: possible) : nil
        let comparesDays = measure.comparesDays && before.count >= Self.requiredDays
        usualDays = comparesDays ? UsualRange(before, possible: possible) : nil
    }

    /// The days outside of the usual range of days.
    public var unusualDays: [DailyValue] {
        guard let usualDays else { return [] }
        return days.filter { $0.value.map { !usualDays.contains($0) } ?? false }
    }

    /// The result of the comparison.
    public var finding: Finding {
        if let average, let usualWeeks, !usualWeeks.contains(average) { return .week }
        if !unusualDays.isEmpty { return .day }
        return average != nil && usualWeeks != nil ? .usual : .unknown
    }

    /// The day that stands out most, of the days that do.
    public var mostUnusualDay: DailyValue? {
        guard let usualDays else { return nil }
        func distance(_ day: DailyValue) -> Double { abs(usualDays.standardized(day.value ?? usualDays.median)) }
        return unusualDays.max { distance($0) < distance($1) }
    }

    /// The value to show: that of the day that stands out, else the average of the week.
    public var value: Double? { finding == .day ? mostUnusualDay?.value : average }

    /// The range that ``value`` is compared with.
    public var usual: UsualRange? { finding == .day ? usualDays : usualWeeks }

    /// How many deviations ``value`` is above the median of ``usual``, or below it if negative.
    public var standardized: Double? {
        guard let value, let usual else { return nil }
        return usual.standardized(value)
    }

    /// Whether ``value`` is above or below what is usual; `nil` if it doesn't stand out.
    public var direction: Direction? {
        guard finding == .week || finding == .day, let standardized else { return nil }
        return standardized > 0 ? .higher : .lower
    }
}
