package import Foundation
import HealthInsights

/// How far a range is moved back to the one that it is compared with.
package struct RangeShift: Sendable {
    private let count: Int
    private let unit: Calendar.Component
    private let calendar: Calendar

    /// Creates a number of days, weeks, months or years.
    package init(_ count: Int, _ unit: Calendar.Component, _ calendar: Calendar) {
        (self.count, self.unit, self.calendar) = (count, unit, calendar)
    }

    /// Creates the shift to the range right before another one: a whole month follows the one before it, whatever its
    /// length. Of other ranges, the smallest number of whole days by which they can be moved without meeting
    /// themselves, so that a day of another length doesn’t shift the hours.
    package init(before range: DateInterval, _ calendar: Calendar) {
        if let unit = [Calendar.Component.month, .year].first(where: {
            calendar.dateInterval(of: $0, for: range.start) == range
        }) {
            self.init(1, unit, calendar)
            return
        }
        let last = range.end - 1
        let (first, final) = (calendar.startOfDay(for: range.start), calendar.startOfDay(for: last))
        let days = Int((final.timeIntervalSince(first) / 86_400).rounded())
        let isWhole = last.timeIntervalSince(final) >= range.start.timeIntervalSince(first)
        self.init(max(1, isWhole ? days + 1 : days), .day, calendar)
    }

    /// Moves a bound of the range.
    package func earlier(_ date: Date) -> Date {
        let isMidnight = calendar.startOfDay(for: date) == date
        let moved = isMidnight ? nil : calendar.date(byAdding: unit, value: -count, to: date)
        return moved ?? calendar.startOfDay(-count, unit, after: date)
    }
}

extension QueryParameters {
    /// The range to compare a range with: from `compareStart` to `compareEnd`, or as `compare` says; `nil` without one.
    ///
    /// - Throws: ``ParameterError``.
    mutating func comparedRange(
        of range: (start: Double?, end: Double), _ calendar: Calendar
    ) throws -> (start: Double, end: Double)? {
        let given = try comparedRange(calendar.timeZone)
        guard let text = try text("compare") else { return given }
        guard given == nil, let start = range.start, start < range.end else {
            throw ParameterError("compare", "Give a start before the end, and neither compareStart nor compareEnd.")
        }
        let dates = DateInterval(start: Date(reference: start), end: Date(reference: range.end))
        let units: [Character: Calendar.Component] = ["d": .day, "w": .weekOfYear, "m": .month, "y": .year]
        let shift: RangeShift
        if text == "previous" {
            shift = RangeShift(before: dates, calendar)
        } else if let count = Int(text.dropLast()), (1...10_000).contains(count),
            let unit = text.last.flatMap({ units[$0] })
        {
            shift = RangeShift(count, unit, calendar)
        } else {
            throw Self.problem("compare", text, "is not a length. Use previous, or a form like 7d, 4w, 1m or 1y.")
        }
        // A month earlier, 30 and 31 March are the same day.
        let earlier = shift.earlier(dates.start).timeIntervalSinceReferenceDate
        return (earlier, max(earlier, shift.earlier(dates.end).timeIntervalSinceReferenceDate))
    }
}
