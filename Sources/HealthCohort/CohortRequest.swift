public import Foundation
public import HealthModel

/// A question about many people: one figure of each person per day, week or month, and what these figures are over all
/// people.
///
/// A person's own figure is computed first, as HealthKit computes it: sources merged, samples that cross the end of an
/// interval split. Only then are people put together, each with the same weight.
public struct CohortRequest: Hashable, Sendable {
    /// The figure of a person in an interval.
    public enum Figure: String, CaseIterable, Hashable, Sendable {
        /// The sum of a cumulative type, such as steps.
        case sum
        /// The mean of a discrete type, such as heart rate, according to its aggregation style.
        case average
        /// The lowest value of a discrete type.
        case minimum
        /// The highest value of a discrete type.
        case maximum
        /// The seconds that the samples cover.
        case duration
    }

    /// The length of the intervals.
    public enum Interval: String, CaseIterable, Hashable, Sendable {
        /// Days of the calendar, with 23 to 25 hours.
        case day
        /// Weeks from Monday to Sunday.
        case week
        /// Months of the calendar.
        case month
    }

    /// The quantity type.
    public let type: TypeDescription
    /// The figure of each person.
    public let figure: Figure
    /// The length of the intervals.
    public let interval: Interval
    /// The time zone that defines days, for all people.
    public let timeZone: TimeZone
    /// The bounds of the intervals, ascending, in seconds since 2001: interval `i` lies between bounds `i` and `i + 1`.
    public internal(set) var bounds: [Double]
    /// The quantiles of the people's figures, each between 0 and 1.
    public let quantiles: [Double]
    /// The number of people below which an interval has no result.
    public let minimumPeople: Int
    /// The unit of the results.
    public let unit: String
    /// Whether the answer is for a reader who may not learn the figures of single people: it is rounded, and has only those
    /// quantiles for which there are enough people.
    private(set) var protectsPeople = false
    /// The conversion of people's figures, and that of what is shown.
    private(set) var conversion: UnitConversion
    private(set) var display = UnitConversion.identity
    private let usual: UnitConversion
    private let fromUsual: UnitConversion

    /// The minimum number of people unless a request has another.
    public static let usualMinimumPeople = 10
    /// The most intervals of a request.
    public static let maximumIntervals = 100_000

    /// Creates a request for whole intervals.
    ///
    /// - Parameters:
    ///   - figure: The figure of each person; `nil` for the sum of a cumulative type and the mean of another.
    ///   - range: The time that the intervals cover. The first interval begins at or before its start, and the last
    ///     ends at or after its end.
    ///   - quantiles: Numbers above 0 and below 1: the lowest and highest figures are those of single people.
    ///   - minimumPeople: The number of people below which an interval has no result, at least 2.
    ///   - unit: The unit of the results; `nil` for the usual one of the type. A duration is in seconds.
    /// - Throws: ``CohortError`` for arguments that aren't allowed or don't fit the type.
    public init(
        type: TypeDescription, figure: Figure? = nil, interval: Interval, range: Range<Date>, timeZone: TimeZone,
        quantiles: [Double] = [0.25, 0.5, 0.75], minimumPeople: Int = usualMinimumPeople, unit: String? = nil
    ) throws {
        guard type.kind == .quantity, let style = type.aggregationStyle, let canonical = type.canonicalUnit else {
            throw CohortError(
                "\(type.shortName) is not a quantity type of HealthKit, so there are no figures to compare.")
        }
        let figure = figure ?? (style.isCumulative ? .sum : .average)
        guard figure == .duration || (figure == .sum) == style.isCumulative else {
            throw CohortError(
                style.isCumulative
                    ? "\(type.shortName) is cumulative: people have a sum or a duration, but no \(figure.rawValue)."
                    : "\(type.shortName) is discrete: people have an average, a minimum, a maximum or a duration, but no sum."
            )
        }
        for quantile in quantiles where !(quantile > 0 && quantile < 1) {
            throw CohortError(
                "A quantile is a number above 0 and below 1. The lowest and the highest figure belong to one person.")
        }
        guard minimumPeople >= 2 else { throw CohortError("The minimum number of people is 2 or more.") }
        let measured = figure == .duration ? "s" : canonical
        // Heart rates and the like are kept per second and read per minute.
        let usual = measured == "count/s" ? "count/min" : measured
        guard let conversion = UnitConversion(between: measured, and: unit ?? usual),
            let own = UnitConversion(between: measured, and: usual),
            let fromUsual = UnitConversion(between: usual, and: unit ?? usual)
        else {
            throw CohortError(
                "“\(unit ?? "")” is not a unit of the \(figure.rawValue) of \(type.shortName), such as \(usual).")
        }
        self.type = type
        self.figure = figure
        self.interval = interval
        self.timeZone = timeZone
        self.quantiles = quantiles
        self.minimumPeople = minimumPeople
        self.unit = unit ?? usual
        (self.conversion, self.usual, self.fromUsual) = (conversion, own, fromUsual)
        bounds = try Self.bounds(of: interval, range, timeZone)
    }

    /// The number of intervals.
    public var intervalCount: Int { bounds.count - 1 }

    /// Returns the same request for a reader who may not learn the figures of single people, without the intervals that
    /// haven't ended: the difference of two answers about one that goes on would be what came in between.
    ///
    /// - Throws: ``CohortError`` for a quantile that isn't a multiple of 0.05.
    package func protectingPeople(asOf now: Date) throws -> CohortRequest {
        if let other = quantiles.first(where: { abs($0 * 20 - ($0 * 20).rounded()) > 1e-9 }) {
            throw CohortError("The quantile \(other) isn’t given. Use 0.05, 0.1, 0.15 and so on up to 0.95.")
        }
        var request = self
        request.protectsPeople = true
        let end = now.timeIntervalSinceReferenceDate
        while request.intervalCount > 0, request.bounds[request.intervalCount] > end { request.bounds.removeLast() }
        // Rounded in one unit: a figure in several would be known to more digits.
        (request.conversion, request.display) = (usual, fromUsual)
        return request
    }

    private static func bounds(of interval: Interval, _ range: Range<Date>, _ timeZone: TimeZone) throws -> [Double] {
        guard !range.isEmpty else { throw CohortError("The range of time is empty.") }
        let (component, seconds): (Calendar.Component, Double) =
            switch interval {
            case .day: (.day, 86_400)
            case .week: (.weekOfYear, 7 * 86_400)
            case .month: (.month, 28 * 86_400)
            }
        guard range.upperBound.timeIntervalSince(range.lowerBound) / seconds < Double(maximumIntervals) else {
            throw CohortError(
                "The range has more than \(maximumIntervals) intervals. Use longer ones or a shorter range.")
        }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        calendar.firstWeekday = 2
        guard let first = calendar.dateInterval(of: component, for: range.lowerBound)?.start else {
            throw CohortError("The range of time is outside the calendar.")
        }
        var bounds = [first.timeIntervalSinceReferenceDate]
        var count = 0
        // Counted from the first bound, so that a day that is skipped or lengthened doesn't shift those after it.
        while bounds[count] < range.upperBound.timeIntervalSinceReferenceDate {
            count += 1
            guard let next = calendar.date(byAdding: component, value: count, to: first) else {
                throw CohortError("The range of time is outside the calendar.")
            }
            bounds.append(next.timeIntervalSinceReferenceDate)
        }
        return bounds
    }
}

/// An error of a request about a cohort, or of its progress file. Descriptions never contain a health value.
public struct CohortError: Error, CustomStringConvertible, Hashable, Sendable {
    /// The reason, as a sentence.
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}
