import Foundation
package import HealthInsights
import HealthFormats
import HealthKit
import HealthModel

/// The menstrual cycles that begin in a range.
package struct CyclesQuestion: Question {
    private let calendar: Calendar
    private let start: Date?
    private let end: Date?
    private let listsDays: Bool

    package init(_ parameters: inout QueryParameters, _ setting: QuestionSetting) throws {
        calendar = setting.calendar
        let range = try parameters.range(setting.timeZone)
        (start, end) = (range.start.map(Date.init(reference:)), range.end.map(Date.init(reference:)))
        listsDays = try parameters.flag("days")
    }

    package func answer(_ context: some QuestionContext) async throws -> CyclesAnswer {
        let all = try await context.silently(nil) {
            try await MenstrualCycles.read(from: context.healthStore(calendar: calendar), calendar: calendar)
        }
        func isInRange(_ day: Date) -> Bool { start.map { day >= $0 } ?? true && end.map { day < $0 } ?? true }
        return CyclesAnswer(
            cycles: all?.cycles.filter { isInRange($0.start) } ?? [],
            days: listsDays ? all?.days.filter { isInRange($0.start) } ?? [] : nil, calendar: calendar)
    }
}

/// Menstrual cycles in ascending order.
package struct CyclesAnswer: AnswerObject, Sendable {
    package let cycles: [MenstrualCycles.Cycle]
    let days: [MenstrualCycles.Day]?
    let calendar: Calendar

    package static let fields: [AnswerField<Self>] = [
        .init("cycles") { answer in answer.cycles.map { Cycle(cycle: $0, calendar: answer.calendar) } },
        .init("averageDays", \.averageDays),
        .init("averagePeriodDays") { $0.cycles.map { Double($0.periodDays) }.mean },
        .init("days") { answer in answer.days?.map { Day(day: $0, calendar: answer.calendar) } },
    ]

    /// The average length in days of the cycles that are over.
    package var averageDays: Double? { cycles.compactMap(\.days).map(Double.init).mean }

    struct Cycle: AnswerObject {
        let cycle: MenstrualCycles.Cycle
        let calendar: Calendar

        static let fields: [AnswerField<Self>] = [
            .init("startDay") { AnswerDay(of: $0.cycle.start, $0.calendar) },
            .init("periodDays", unit: "d", \.cycle.periodDays), .init("days", unit: "d", \.cycle.days),
        ]
    }

    struct Day: AnswerObject {
        let day: MenstrualCycles.Day
        let calendar: Calendar

        static let fields: [AnswerField<Self>] = [
            .init("date") { AnswerDay(of: $0.day.start, $0.calendar) }, .init("value", \.day.flow),
            .init("valueName") { answer in
                TypeCatalog.description(for: HKCategoryTypeIdentifier.menstrualFlow.rawValue)
                    .flatMap { ValueNames.name(of: answer.day.flow, of: $0) }
            },
        ]
    }
}
