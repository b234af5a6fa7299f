public import Foundation
import HealthModel

extension HKQuery {
    /// The summary of one day. Components need a calendar, era (or none), year, month and day of a
    /// Gregorian calendar and nothing finer; others end the process.
    public class func predicateForActivitySummary(with dateComponents: DateComponents) -> NSPredicate {
        let day = checkedDay(dateComponents)
        return predicate(.summaryDay(.equal, day), printed: "dateComponents == day")
    }

    /// Summaries from one day to another, both included.
    public class func predicate(
        forActivitySummariesBetweenStart startDateComponents: DateComponents, end endDateComponents: DateComponents
    ) -> NSPredicate {
        let start = checkedDay(startDateComponents)
        let end = checkedDay(endDateComponents)
        return predicate(
            .and([.summaryDay(.greaterThanOrEqual, start), .summaryDay(.lessThanOrEqual, end)]),
            printed: "start <= dateComponents AND dateComponents <= end")
    }

    /// Checks that components name a day as activity summary predicates want it.
    ///
    /// - Throws: ``ActivitySummaryDateError`` saying which component is missing or must not be set.
    public static func validateActivitySummaryComponents(_ components: DateComponents) throws {
        guard let calendar = components.calendar else { throw ActivitySummaryDateError(reason: "calendar must be set") }
        guard calendar.identifier == .gregorian else { throw ActivitySummaryDateError(reason: "calendar must be Gregorian") }
        let wanted: [(String, Int?)] = [("year", components.year), ("month", components.month), ("day", components.day)]
        for (name, value) in wanted where value == nil {
            throw ActivitySummaryDateError(reason: "\(name) must be set")
        }
        let refused: [(String, Int?)] = [
            ("hour", components.hour), ("minute", components.minute), ("second", components.second),
            ("nanosecond", components.nanosecond),
        ]
        for (name, value) in refused where value != nil {
            throw ActivitySummaryDateError(reason: "\(name) must not be set")
        }
    }

    private static func checkedDay(_ components: DateComponents) -> Int {
        do {
            try validateActivitySummaryComponents(components)
        } catch {
            ProgrammerError.raise("Invalid date components for an activity summary predicate: \(error)")
        }
        return PredicateEvaluation.summaryDay(components)
    }
}
