import Foundation
import HealthModel

/// The days of a range, and those of them that have data: what the figures of an answer are based on.
package struct AnswerCoverage: AnswerObject, Sendable {
    private let days: Int
    private let found: Set<Int>

    /// The parameter `coverage`: the range of which it is asked for.
    struct Asked: Sendable {
        private var start: Double?
        private var end: Double?
        private let setting: QuestionSetting

        /// - Parameter range: In seconds since 2001.
        init?(
            _ parameters: inout QueryParameters, of range: (start: Double?, end: Double?), _ setting: QuestionSetting
        ) throws {
            guard try parameters.flag("coverage") else { return nil }
            (start, end, self.setting) = (range.start, range.end, setting)
        }

        /// The same of another range.
        func within(_ start: Double, _ end: Double) -> Asked {
            var asked = self
            (asked.start, asked.end) = (start, end)
            return asked
        }

        /// The coverage by data on the days of some instants. Days to come aren't counted. Without a start, the range
        /// begins with the data.
        func coverage(of instants: some Sequence<Double>) -> AnswerCoverage {
            let clock = LocalClock(timeZone: setting.timeZone)
            let found = Set(instants.map(clock.dayNumber(at:)))
            let today = clock.dayNumber(at: setting.now.timeIntervalSinceReferenceDate)
            let last = min(end.map { clock.dayNumber(at: $0.nextDown) } ?? today, today)
            let first = start.map(clock.dayNumber(at:)) ?? found.min() ?? last + 1
            return AnswerCoverage(
                days: max(0, last - first + 1), found: found.filter { $0 >= first && $0 <= last })
        }
    }

    package static let fields: [AnswerField<Self>] = [
        .init("days", \.days), .init("daysWithData", \.found.count),
        .init("firstDate") { $0.found.min().map(AnswerDay.init(number:)) },
        .init("lastDate") { $0.found.max().map(AnswerDay.init(number:)) },
    ]
}
