import Foundation
import HealthEngine
import HealthModel

extension QueryReader {
    /// Returns the summaries of matching days that have data, in order of time.
    func activitySummaries(_ part: QueryPart) throws -> [HKActivitySummary] {
        let days = SummaryDays(filter: SampleFilter(part.filter), calendar: calendar)
        let extent = try engine.summaryExtent(as: caller)
        var bounds: [Double] = []
        if let samples = extent.samples {
            bounds += [samples.lowerBound, samples.upperBound]
        }
        if let imported = extent.importedDays {
            bounds += [days.start(of: imported.lowerBound), days.start(of: imported.upperBound)]
                .compactMap { $0 }
        }
        guard let first = bounds.min(), let last = bounds.max() else { return [] }
        let asked = days.days(covering: first...last)
        guard !asked.isEmpty else { return [] }
        return try engine.activitySummaries(asked, as: caller)
            .map { HKActivitySummary(HKActivitySummary.Fields($0)) }
            .filter { part.residual?($0) ?? true }
    }

    /// Returns whether the commits may have changed a summary.
    func touchesSummaries(_ digest: CommitDigest) throws -> Bool {
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

    /// Returns the matching days between two instants, both included, in ascending order.
    func days(covering extent: ClosedRange<Double>) -> [SummaryDay] {
        let first = calendar.startOfDay(for: Date(timeIntervalSinceReferenceDate: extent.lowerBound))
        var days: [SummaryDay] = []
        var start = first
        while start.timeIntervalSinceReferenceDate <= extent.upperBound {
            guard let next = calendar.date(byAdding: .day, value: 1, to: start).map(calendar.startOfDay),
                next > start
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
