public import Foundation
public import HealthKit

/// The value of a quantity type on one day.
public struct DailyValue: Hashable, Sendable {
    /// The beginning of the day, or of the part of a day that is meant.
    public var date: Date
    /// The day's sum of a cumulative type or average of a discrete type; `nil` without samples.
    public var value: Double?
    /// The day's minimum; discrete types only.
    public var minimum: Double?
    /// The day's maximum; discrete types only.
    public var maximum: Double?
    /// Whether only a part of the day is meant, or the day isn't over.
    package var isPartial = false

    /// Creates a value.
    public init(date: Date, value: Double?, minimum: Double? = nil, maximum: Double? = nil) {
        self.date = date
        self.value = value
        self.minimum = minimum
        self.maximum = maximum
    }
}

/// The values of a quantity type on consecutive days, with gaps.
public struct DailySeries: Hashable, Sendable {
    /// The unit of all values.
    public let unit: HKUnit
    /// Whether the values are sums. Otherwise they are averages.
    public let isCumulative: Bool
    /// The interval that the days cover.
    public let interval: DateInterval
    /// One value per day of the interval, in ascending order.
    public let days: [DailyValue]
    /// The sum or the average of all samples of the interval; `nil` if it is that of the days.
    package var whole: Double?

    /// Creates a series.
    public init(unit: HKUnit, isCumulative: Bool, interval: DateInterval, days: [DailyValue]) {
        self.unit = unit
        self.isCumulative = isCumulative
        self.interval = interval
        self.days = days
    }

    /// The figures of all days.
    public var figures: PeriodStatistics { PeriodStatistics(self) }
}

/// The figures of a period. Days without samples don't count.
///
/// Every value is in ``unit``. The average of a discrete type is that of the period's samples, as HealthKit's statistics of
/// the period have it, so that it is the same however the period is divided. That of a cumulative type is of whole days: a
/// part of a day counts only if there is no whole one.
public struct PeriodStatistics: Hashable, Sendable {
    /// The period.
    public let interval: DateInterval
    /// The unit of the figures.
    public let unit: HKUnit
    /// The number of days of the period; parts of a day count as one.
    public let dayCount: Int
    /// The number of days with samples.
    public let daysWithData: Int
    /// The number of whole days with samples.
    package let wholeDays: Int
    /// The sum of a cumulative type; `nil` for discrete types and without samples.
    public let total: Double?
    /// The mean of the days of a cumulative type, or of the samples of a discrete type; here and below, `nil` if there are
    /// none.
    public let average: Double?
    /// The standard deviation from day to day; `nil` for fewer than two days with samples.
    public let standardDeviation: Double?
    /// The minimum: of the days' sums of a cumulative type, of all samples of a discrete type.
    public let minimum: Double?
    /// The maximum: of the days' sums of a cumulative type, of all samples of a discrete type.
    public let maximum: Double?

    /// Calculates the figures of a series.
    public init(_ series: DailySeries) {
        let known = series.days.filter { $0.value?.isFinite ?? false }
        let values = known.compactMap(\.value)
        let whole = known.filter { !$0.isPartial }.compactMap(\.value)
        // Of a level, a part of a day says as much as a day; a sum grows until midnight.
        let compared = series.isCumulative && !whole.isEmpty ? whole : values
        let mean = compared.mean
        interval = series.interval
        unit = series.unit
        dayCount = series.days.count
        daysWithData = values.count
        wholeDays = whole.count
        total = series.isCumulative && !values.isEmpty ? series.whole ?? values.reduce(0, +) : nil
        average = series.isCumulative || values.isEmpty ? mean : series.whole ?? mean
        standardDeviation = Dispersion.deviation(compared)
        minimum = (series.isCumulative ? compared : series.days.compactMap(\.minimum)).min()
        maximum = (series.isCumulative ? values : series.days.compactMap(\.maximum)).max()
    }
}

/// Two periods of a quantity type side by side.
public struct PeriodComparison: Hashable, Sendable {
    /// The earlier period, or the one to compare with.
    public let first: PeriodStatistics
    /// The later period.
    public let second: PeriodStatistics

    /// Creates a comparison of figures in the same unit.
    public init(first: PeriodStatistics, second: PeriodStatistics) {
        self.first = first
        self.second = second
    }

    /// The difference of the averages, second minus first, in their unit; `nil` if one of them has no samples.
    public var change: Double? { first.average.flatMap { before in second.average.map { $0 - before } } }

    /// The change as a fraction of the first average: 0.1 is a tenth more. `nil` if that average is 0 or unknown.
    public var relativeChange: Double? {
        guard let change, let before = first.average, before != 0 else { return nil }
        return change / abs(before)
    }

    /// The difference of the totals, second minus first; `nil` for discrete types and without samples.
    public var totalChange: Double? { first.total.flatMap { before in second.total.map { $0 - before } } }

    /// The difference of the totals as a fraction of the first total; `nil` if that is 0 or unknown.
    public var relativeTotalChange: Double? {
        guard let totalChange, let before = first.total, before != 0 else { return nil }
        return totalChange / abs(before)
    }
}

/// The limit of what is computed for each interval of a period.
///
/// A store can have samples of the year 1 and of the year 9999, and one that lasts all the time between. A list of
/// millions of days would be the answer to a mistake.
enum PeriodLimit {
    /// The maximum number of consecutive days or weeks, with or without data: days of 270 years.
    static let consecutive = 100_000
    /// The maximum number of intervals with data.
    static let intervals = 200_000

    /// - Throws: `HKError.errorInvalidArgument` for more intervals than a limit.
    static func check(_ count: Double, _ limit: Int, _ name: String) throws {
        guard count <= Double(limit) else {
            let text =
                "There would be about \(Int64(min(count, 1e18))) \(name), and at most \(limit) are computed. "
                + "Use longer intervals or a shorter period."
            throw HKError(.errorInvalidArgument, userInfo: [NSLocalizedDescriptionKey: text])
        }
    }
}

extension [Double] {
    /// The mean of the values; `nil` if there are none.
    package var mean: Double? { isEmpty ? nil : reduce(0, +) / Double(count) }
}

/// How the values of a sample of days are spread.
enum Dispersion {
    /// The sample standard deviation, with n − 1; `nil` for fewer than two values.
    static func deviation(_ values: [Double]) -> Double? {
        guard values.count > 1 else { return nil }
        let mean = values.reduce(0, +) / Double(values.count)
        let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        let deviation = (squares / Double(values.count - 1)).squareRoot()
        // The mean of equal values differs from them in its last digits.
        return deviation > 1e-12 * abs(mean) ? deviation : 0
    }
}
