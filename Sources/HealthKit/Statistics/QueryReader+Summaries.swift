import Foundation
import HealthEngine
import HealthModel

extension QueryReader {
    /// Returns the summaries of matching days that have data, in order of time.
    func activitySummaries(_ part: QueryPart) throws -> [HKActivitySummary] {
        let days = SummaryDays(filter: part.filter, calendar: calendar)
        guard let range = days.range else { return [] }
        let asked = try days.days(at: try engine.summaryTimes(within: range, as: caller))
        guard !asked.isEmpty else { return [] }
        return try engine.activitySummaries(asked, as: caller)
            .map { HKActivitySummary($0) }
            .filter { part.residual?($0) ?? true }
    }

    /// The summaries of a query that keeps running.
    struct SummaryChanges: Sendable {
        /// The records of all of them by day; an application can change the objects.
        fileprivate var known: [Int: ActivitySummaryBody]
        /// Those that are new or modified, in order of time.
        var changed: [HKActivitySummary]
    }

    /// Returns the summaries, and which of them are new or modified since the last time; `nil` if none is. A day that
    /// lost its data is modified: its figures are zero.
    func summaryChanges(
        _ part: QueryPart, since last: SummaryChanges?, _ digest: CommitDigest?
    ) throws -> SummaryChanges? {
        if let digest, try !touchesSummaries(digest) { return nil }
        let summaries = try activitySummaries(part)
        let known = Dictionary(uniqueKeysWithValues: summaries.map { ($0.dayNumber, $0.record) })
        guard let last else { return SummaryChanges(known: known, changed: summaries) }
        let lost = last.known.filter { known[$0.key] == nil }.values.map {
            HKActivitySummary(ActivitySummaryBody(year: $0.year, month: $0.month, day: $0.day))
        }
        let changed = summaries.filter { last.known[$0.dayNumber] != $0.record } + lost
        guard !changed.isEmpty else { return nil }
        return SummaryChanges(known: known, changed: changed.sorted { $0.dayNumber < $1.dayNumber })
    }

    /// Returns whether the commits may have changed a summary.
    private func touchesSummaries(_ digest: CommitDigest) throws -> Bool {
        if digest.settingsChanged { return true }
        return try Self.summaryTypes.contains { identifier in
            try engine.code(of: identifier).map(digest.touches) ?? false
        }
    }

    /// The types that summaries are computed from.
    private static let summaryTypes = [
        "HKQuantityTypeIdentifierActiveEnergyBurned", "HKQuantityTypeIdentifierAppleMoveTime",
        "HKQuantityTypeIdentifierAppleExerciseTime", "HKCategoryTypeIdentifierAppleStandHour",
        "HKActivitySummaryTypeIdentifier",
    ]
}

/// Determines the days of an activity summary query.
struct SummaryDays: Sendable {
    /// A filter for days; any other condition matches no day.
    let filter: SampleFilter
    private let calendar: Calendar

    /// - Parameter calendar: Determines the time zone; days are Gregorian, as in the original.
    init(filter: SampleFilter, calendar: Calendar) {
        self.filter = filter
        var gregorian = Calendar(identifier: .gregorian)
        gregorian.timeZone = calendar.timeZone
        self.calendar = gregorian
    }

    /// The number of days beyond which summaries aren't computed.
    static let maximumCount = 500_000

    /// The time that can contain matching days, a few days longer on both sides; `nil` if no day can match.
    var range: ClosedRange<Double>? {
        let numbers = Self.numbers(filter)
        guard numbers.lower <= numbers.upper else { return nil }
        func instant(_ number: Int, _ direction: Double) -> Double {
            guard (10_101...99_991_231).contains(number),
                let start = start(of: Profile.Day(year: number / 10_000, month: number / 100 % 100, day: number % 100))
            else { return direction * .infinity }
            return start + direction * 3 * 86_400
        }
        let (first, last) = (instant(numbers.lower, -1), instant(numbers.upper, 1))
        return first <= last ? first...last : nil
    }

    /// The first and last number of a day that can match a filter.
    private static func numbers(_ filter: SampleFilter) -> (lower: Int, upper: Int) {
        switch filter {
        case .and(let parts):
            parts.map(numbers).reduce((.min, .max)) { (max($0.lower, $1.lower), min($0.upper, $1.upper)) }
        case .or(let parts):
            parts.map(numbers).reduce((.max, .min)) { (min($0.lower, $1.lower), max($0.upper, $1.upper)) }
        case .summaryDay(.equal, let day): (day, day)
        case .summaryDay(.lessThan, let day), .summaryDay(.lessThanOrEqual, let day): (.min, day)
        case .summaryDay(.greaterThan, let day), .summaryDay(.greaterThanOrEqual, let day): (day, .max)
        default: (.min, .max)
        }
    }

    /// Returns the matching days on which there can be data, in ascending order.
    ///
    /// - Throws: ``HKError/errorInvalidArgument`` for more than ``maximumCount`` days.
    func days(at times: SummaryTimes) throws -> [SummaryDay] {
        guard times.dayCount <= Double(Self.maximumCount) else {
            throw HKError.make(
                .errorInvalidArgument,
                "The activity summaries would be of about \(Int64(min(times.dayCount, 1e18))) days, and those of at most "
                    + "\(Self.maximumCount) are computed. Use a predicate for fewer days.")
        }
        var days: [SummaryDay] = []
        for stretch in times.samples {
            // A stretch can begin on the day on which the one before ended.
            let found = self.days(covering: stretch)
            days += found.drop { day in days.last.map { day.day <= $0.day } ?? false }
        }
        let known = Set(days.map(\.day))
        for day in times.importedDays where !known.contains(day) {
            guard let start = start(of: day) else { continue }
            days += self.days(covering: start...start)
        }
        return days.sorted { $0.start < $1.start }
    }

    /// Returns the matching days between two instants, both included, in ascending order.
    func days(covering extent: ClosedRange<Double>) -> [SummaryDay] {
        let first = calendar.startOfDay(for: Date(timeIntervalSinceReferenceDate: extent.lowerBound))
        var days: [SummaryDay] = []
        var start = first
        while start.timeIntervalSinceReferenceDate <= extent.upperBound {
            guard let next = calendar.date(byAdding: .day, value: 1, to: start).map(calendar.startOfDay), next > start
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

    /// Returns the first instant of a day, in seconds since 2001.
    func start(of day: Profile.Day) -> Double? {
        calendar.date(from: DateComponents(year: day.year, month: day.month, day: day.day))?
            .timeIntervalSinceReferenceDate
    }

    /// Returns whether a day matches a filter.
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
