package import Foundation
import HealthEngine
package import HealthModel

/// The intervals of statistics, as a question names their length.
package struct StatisticsIntervals: Hashable, Sendable {
    package let intervals: LocalIntervals
    /// The name or text of the length.
    package let name: String

    /// Reads a length such as `day` or `15m`. Without an anchor, weeks begin on the calendar's first weekday.
    ///
    /// - Throws: ``ParameterError``.
    init(_ text: String, anchor: Double?, calendar: Calendar) throws {
        guard let length = Self.length(text) else {
            throw QueryParameters.problem(
                "interval", text,
                "is not an interval. Use minute, hour, day, week, month, quarter, year, or a number with m, h, d or w.")
        }
        // Day 0, the first of 2001, was a Monday, the second weekday of a calendar.
        let day = text == "week" || text.hasSuffix("w") ? (calendar.firstWeekday + 5) % 7 : 0
        let first = Double(LocalClock(timeZone: calendar.timeZone).start(ofDay: day))
        intervals = LocalIntervals(length, anchor: anchor ?? first, timeZone: calendar.timeZone, reach: .remoteDates)
        name = text
    }

    /// A regular expression that matches every name of an interval.
    static let pattern = "^(minute|hour|day|week|month|quarter|year|[1-9][0-9]{0,3}[mhdw])$"

    private static let lengths: [String: LocalIntervals.Length] = [
        "minute": .seconds(60), "hour": .seconds(3_600), "day": .days(1), "week": .days(7), "month": .months(1),
        "quarter": .months(3), "year": .months(12),
    ]

    private static func length(_ text: String) -> LocalIntervals.Length? {
        if let length = lengths[text] { return length }
        guard let unit = text.last, let count = Int(text.dropLast()), (1...10_000).contains(count), text.first != "+"
        else {
            return nil
        }
        switch unit {
        case "m": return .seconds(60 * count)
        case "h": return .seconds(3_600 * count)
        case "d": return .days(count)
        case "w": return .days(7 * count)
        default: return nil
        }
    }

    /// The intervals as a calendar has them, for types that aren't counted by the engine.
    ///
    /// - Throws: ``ParameterError`` for any other length.
    func calendarComponent() throws -> Calendar.Component {
        guard let component = Calendar.Component.named[name] else {
            throw ParameterError("interval", "For a category type use hour, day, week, month, quarter or year.")
        }
        return component
    }

    /// The largest number of intervals in one answer.
    static let maximumCount = 200_000
    /// The beginning of the error about more.
    package static let tooMany = "There would be more than \(maximumCount) intervals."
    /// The number of intervals whose bounds are computed without looking where there are samples.
    private static let maximumKnownCount = 10_000.0

    /// How the engine divides time.
    ///
    /// Of a sample that lasts for years, only the intervals of the range are computed.
    func buckets(from start: Double?, to end: Double?) -> StatisticsRequest.Buckets {
        let reach = intervals.reach
        if let start, let end, start < end, start >= reach.earliest, end <= reach.latest,
            (end - start) / intervals.approximateLength < Self.maximumKnownCount,
            let bounds = intervals.bounds(from: start, through: end.nextDown, maximumCount: Self.maximumCount)
        {
            return .instants(bounds)
        }
        let (first, last) = (start ?? -.infinity, end ?? .infinity)
        return .intervals(length: intervals.approximateLength, within: first <= last ? first...last : nil) {
            stretches in
            guard stretches.allSatisfy({ $0.lowerBound >= reach.earliest && $0.upperBound <= reach.latest }) else {
                throw EngineError.invalidArgument("The dates of the samples are too remote for the intervals.")
            }
            return try bounds(covering: stretches)
        }
    }

    /// Ascending bounds that cover ascending stretches of time: one at or before the start of each, one after its end.
    ///
    /// - Throws: ``ParameterError`` for more than ``maximumCount`` intervals.
    func bounds(covering stretches: [ClosedRange<Double>]) throws -> [Double] {
        guard let bounds = intervals.bounds(covering: stretches, maximumCount: Self.maximumCount) else {
            throw ParameterError("interval", "\(Self.tooMany) Use longer ones or a shorter range.")
        }
        return bounds
    }
}

/// The part of a period that is in a range: its figures are not to be compared with those of a complete period.
package struct PeriodCut: AnswerObject, Sendable {
    /// Where the range begins, if that is within the period.
    package let from: Date?
    /// Where the range ends, if that is within the period. The current period ends now.
    package let until: Date?

    /// The cut of nothing.
    static let none = PeriodCut(of: 0..<0, from: nil, until: nil, now: 0)

    /// Compares a period with a range, in seconds since 2001.
    init(of period: Range<Double>, from start: Double?, until end: Double?, now: Double) {
        func within(_ instant: Double?, before end: Double) -> Date? {
            instant.flatMap { $0 > period.lowerBound && $0 < end ? Date(reference: $0) : nil }
        }
        from = within(start, before: period.upperBound)
        until = within(end, before: min(period.upperBound, now))
    }

    package static let fields: [AnswerField<Self>] = [.init("from", \.from), .init("until", \.until)]
}
