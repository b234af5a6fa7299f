import Foundation
import HealthEngine
import HealthModel

extension QueryReader {
    /// Summaries of the days a part selects that have data, in order of time.
    func activitySummaries(_ part: QueryPart) throws -> [HKActivitySummary] {
        let days = SummaryDays(filter: part.filter, calendar: calendar)
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
            .map { HKActivitySummary(ActivitySummaryFields($0)) }
            .filter { part.residual?($0) ?? true }
    }

    /// Whether commits may have changed a summary.
    func touchesSummaries(_ digest: CommitDigest) throws -> Bool {
        if digest.settingsChanged { return true }
        return try Self.summaryTypes.contains { identifier in
            try engine.code(of: identifier).map(digest.touches) ?? false
        }
    }

    /// What a summary is computed from.
    private static let summaryTypes = [
        "HKQuantityTypeIdentifierActiveEnergyBurned", "HKQuantityTypeIdentifierAppleMoveTime",
        "HKQuantityTypeIdentifierAppleExerciseTime", "HKCategoryTypeIdentifierAppleStandHour",
        "HKActivitySummaryTypeIdentifier",
    ]
}
