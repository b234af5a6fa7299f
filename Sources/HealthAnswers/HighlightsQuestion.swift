import Foundation
import HealthEngine
package import HealthInsights
import HealthKit
import HealthModel
import HealthImport

/// The findings that stand out in the last seven days, against the person's own half year before.
package struct HighlightsQuestion: Question {
    private let measures: [HighlightMeasure]
    private let sleep: SleepSources
    private let calendar: Calendar
    /// The last moment of an earlier day.
    private let end: Date?

    package init(_ parameters: inout QueryParameters, _ setting: QuestionSetting) throws {
        sleep = try SleepSources(&parameters, setting)
        calendar = setting.calendar
        end = try parameters.instant("day", setting.timeZone).map {
            let clock = LocalClock(timeZone: setting.timeZone)
            return Date(reference: SummaryDay(number: clock.dayNumber(at: $0), in: clock).end.nextDown)
        }
        // A type without data is not read at all.
        let stored = try setting.engine.readable(
            setting.engine.typeOverview(as: setting.caller).map(\.type), as: setting.caller)
        let known = Set(stored.map(\.identifier))
        measures = HighlightMeasure.all.filter { known.contains($0.type.identifier) }
    }

    package func answer(_ context: some QuestionContext) async throws -> HighlightsAnswer {
        let reader = HighlightReader(
            store: context.healthStore(calendar: calendar), calendar: calendar, sleepReader: sleep.reader(context))
        let now = min(context.now, end ?? context.now)
        let found = try await context.silently([]) { try await reader.highlights(of: measures, asOf: now) }
        return HighlightsAnswer(highlights: found, day: now, calendar: calendar)
    }
}

/// The highlights, the most unusual first; the measures within their usual range; and those that aren't known.
package struct HighlightsAnswer: AnswerObject, Sendable {
    /// The highlights, the most unusual first.
    package let highlights: [Entry]
    package let usual: [Entry]
    package let unknown: [Entry]
    let day: DateComponents

    init(highlights found: [Highlight], day: Date, calendar: Calendar) {
        self.day = calendar.dateComponents([.year, .month, .day], from: day)
        let entries = found.map { Entry(highlight: $0, calendar: calendar) }
        highlights = entries.filter { $0.highlight.direction != nil }.sorted {
            abs($0.highlight.standardized ?? 0) > abs($1.highlight.standardized ?? 0)
        }
        usual = entries.filter { $0.highlight.finding == .usual }
        unknown = entries.filter { $0.highlight.finding == .unknown }
    }

    package static let fields: [AnswerField<Self>] = [
        .init("date") { AnswerDay($0.day) }, .init("highlights", \.highlights), .init("usual", \.usual),
        .init("unknown", \.unknown),
    ]

    /// A measure.
    package struct Entry: AnswerObject, Sendable {
        package let highlight: Highlight
        let calendar: Calendar

        /// The texts for people.
        package var text: HighlightText { HighlightText(highlight, calendar: calendar) }

        /// The end of the last of the seven days, at midnight.
        private var end: Date? {
            highlight.days.last.flatMap { calendar.dateInterval(of: .day, for: $0.date)?.end }
        }

        package static let fields: [AnswerField<Self>] = [
            .init("type", \.highlight.measure.type.identifier), .init("name", \.text.name),
            .init("unit", \.highlight.unit.unitString), .init("isCumulative", \.highlight.measure.isCumulative),
            .init("finding") { "\($0.highlight.finding)" },
            .init("direction") { $0.highlight.direction.map { "\($0)" } },
            .init("startDate", \.highlight.days.first?.date), .init("endDate", \.end),
            .init("value", \.highlight.value),
            .init("valueDate") { $0.highlight.finding == .day ? $0.highlight.mostUnusualDay?.date : nil },
            .init("usual", \.highlight.usual),
            .init("standardized", unit: "standard deviations", \.highlight.standardized),
            .init("days", \.highlight.days), .init("unusualDays", \.highlight.unusualDays),
            .init("usualDays", \.highlight.usualDays), .init("weeks", unit: "count", \.highlight.weekCount),
            .init("fractionDigits", \.text.fractionDigits), .init("text", \.text.sentence),
        ]
    }
}

extension UsualRange: AnswerObject {
    package static let fields: [AnswerField<Self>] = [
        .init("minimum", \.minimum), .init("maximum", \.maximum), .init("median", \.median),
        .init("standardDeviation", \.deviation), .init("count", unit: "count", \.count),
    ]
}
