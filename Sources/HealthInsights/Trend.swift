public import HealthKit

/// The recent days of a quantity type against the person's own baseline.
///
/// A difference counts if it is more than half of the baseline's standard deviation from day to day, the smallest
/// worthwhile change that Plews et al. 2012 use for weekly averages of heart rate variability. Both periods need values
/// on at least three days, as Plews et al. 2014 found for weekly averages; with fewer, the direction is unknown.
public struct Trend: Hashable, Sendable {
    /// How the recent average compares with the baseline.
    public enum Direction: Hashable, Sendable, CaseIterable {
        /// Above the baseline.
        case higher
        /// Below the baseline.
        case lower
        /// Within the usual variation.
        case similar
        /// There are too few days with samples.
        case unknown
    }

    /// The number of days with samples that a direction requires, in both periods.
    public static let requiredDays = 3

    /// The share of the baseline's standard deviation that a difference must exceed.
    public static let smallestWorthwhileChange = 0.5

    /// The recent days.
    public let recent: PeriodStatistics
    /// The days before the recent ones.
    public let baseline: PeriodStatistics
    /// The days of the baseline and the recent days, in ascending order.
    public let days: [DailyValue]

    /// Creates a trend of series in the same unit.
    public init(recent: DailySeries, baseline: DailySeries) {
        self.recent = recent.figures
        self.baseline = baseline.figures
        days = baseline.days + recent.days
    }

    /// The unit of all values.
    public var unit: HKUnit { recent.unit }

    /// The recent average minus the baseline's, in ``unit``; `nil` if one of them has no samples.
    public var change: Double? { comparison.change }

    /// The change as a fraction of the baseline's average; `nil` if that is 0 or unknown.
    public var relativeChange: Double? { comparison.relativeChange }

    /// The change in standard deviations of the baseline; `nil` if that is 0 or unknown.
    public var standardizedChange: Double? {
        guard let change, let deviation = baseline.standardDeviation, deviation > 0 else { return nil }
        return change / deviation
    }

    /// How the recent average compares with the baseline.
    public var direction: Direction {
        guard recent.daysWithData >= Self.requiredDays, baseline.daysWithData >= Self.requiredDays, let change,
            let deviation = baseline.standardDeviation
        else { return .unknown }
        // Averages of equal values differ in their last digits.
        let noise = 1e-9 * max(abs(recent.average ?? 0), abs(baseline.average ?? 0))
        guard abs(change) > max(Self.smallestWorthwhileChange * deviation, noise) else { return .similar }
        return change > 0 ? .higher : .lower
    }

    private var comparison: PeriodComparison { PeriodComparison(first: baseline, second: recent) }
}

/// This week so far, and the last week until the same point.
public struct WeekComparison: Hashable, Sendable {
    /// This week, from its beginning until now.
    public let current: PeriodStatistics
    /// The last week, from its beginning until the same weekday and time of day.
    public let previous: PeriodStatistics
    /// All of the last week.
    public let previousWeek: PeriodStatistics

    /// Both weeks until the same point.
    public var comparison: PeriodComparison { PeriodComparison(first: previous, second: current) }
}

/// A type's days of the last four weeks, to compare today with.
public struct DailyReference: Hashable, Sendable {
    /// The figures of the days before today.
    public let figures: PeriodStatistics
    /// The average of the days with samples until the present time of day; `nil` for discrete types and without
    /// samples.
    public let averageByNow: Double?

    /// The average of the days with samples; `nil` if there are none.
    public var average: Double? { figures.average }
}
