import Foundation
import HealthEngine
import HealthModel

/// The days that a question asks for with `start` and `end`; today without them.
struct DayRange: Sendable {
    /// The numbers of the days.
    private let numbers: Range<Int>
    private let timeZone: TimeZone

    /// The days with their bounds.
    var days: some RandomAccessCollection<SummaryDay> {
        let clock = LocalClock(timeZone: timeZone)
        return numbers.lazy.map { SummaryDay(number: $0, in: clock) }
    }

    /// - Throws: ``ParameterError`` for a range that ends before it starts, or that has too many days.
    init(_ parameters: inout QueryParameters, _ setting: QuestionSetting, maximum: Int = .max) throws {
        let (start, end) = try parameters.range(setting.timeZone)
        timeZone = setting.timeZone
        let clock = LocalClock(timeZone: timeZone)
        let today = clock.dayNumber(at: setting.now.timeIntervalSinceReferenceDate)
        let last =
            end.map { clock.dayNumber(at: $0.nextDown) } ?? max(today, start.map { clock.dayNumber(at: $0) } ?? today)
        let first = start.map { clock.dayNumber(at: $0) } ?? (end == nil ? today : last)
        guard last - first < maximum else {
            throw ParameterError("end", "The range has more than \(maximum) days.")
        }
        numbers = first..<max(first, last + 1)
    }
}

extension QueryParameters {
    /// The range from `start` to `end`, in seconds since 2001. An open bound is `nil`.
    ///
    /// - Throws: ``ParameterError`` for a range that ends before it starts.
    mutating func range(_ timeZone: TimeZone) throws -> (start: Double?, end: Double?) {
        let (start, end) = (try instant("start", timeZone), try instant("end", timeZone))
        if let start, let end, start > end { throw ParameterError("end", "The range ends before it starts.") }
        return (start, end)
    }

    /// The range to compare with, from `compareStart` to `compareEnd`; `nil` without one.
    ///
    /// - Throws: ``ParameterError`` for one without the other, or a range that ends before it starts.
    mutating func comparedRange(_ timeZone: TimeZone) throws -> (start: Double, end: Double)? {
        let (start, end) = (try instant("compareStart", timeZone), try instant("compareEnd", timeZone))
        guard (start == nil) == (end == nil), start ?? 0 <= end ?? 0 else {
            throw ParameterError("compareEnd", "Give compareStart and a compareEnd after it.")
        }
        return start.flatMap { start in end.map { (start, $0) } }
    }
}
