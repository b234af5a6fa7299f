import Foundation
import HealthEngine
package import HealthInsights
package import HealthKit
import HealthModel

/// The activity rings of days.
package struct RingsQuestion: Question {
    private let range: DayRange
    private let unit: HKUnit
    private let calendar: Calendar
    private let intervals: AnswerIntervals?

    package init(_ parameters: inout QueryParameters, _ setting: QuestionSetting) throws {
        range = try DayRange(&parameters, setting)
        unit = try setting.energyUnit()
        calendar = setting.calendar
        intervals = try AnswerIntervals(&parameters, .intervalOfDays, setting)
    }

    package func answer(_ context: some QuestionContext) async throws -> RingsAnswer {
        guard let first = range.days.first, let last = range.days.last else { return RingsAnswer(days: [], unit: unit) }
        let store = context.healthStore(calendar: calendar)
        return RingsAnswer(
            days: try await context.silently([]) {
                try await DayRings.days(
                    from: Date(reference: first.start), to: Date(reference: last.start), in: store, calendar: calendar)
            }, unit: unit, intervals: intervals)
    }
}

/// The activity rings of days, in ascending order. Days without rings are left out.
package struct RingsAnswer: AnswerObject, Sendable {
    package let days: [DayRings]
    /// The person's unit of energy.
    package let unit: HKUnit
    /// The intervals whose averages are wanted in place of days.
    var intervals: AnswerIntervals?

    package static let fields: [AnswerField<Self>] = [
        .init("activitySummaries") { answer in
            answer.intervals == nil ? answer.days.map { DayRingsAnswer(day: $0, unit: answer.unit) } : nil
        },
        .init("intervals") { answer in
            answer.intervals?.groups(of: answer.days, by: \.day).map {
                Interval(interval: $0, figures: RingsFigures($1, energyUnit: answer.unit))
            }
        },
        .init("summary") { RingsFigures($0.days, energyUnit: $0.unit) },
    ]

    /// The rings of a longer interval.
    struct Interval: AnswerObject {
        let interval: DateInterval
        let figures: RingsFigures?

        static let fields: [AnswerField<Self>] = [
            .init("startDate", \.interval.start), .init("endDate", \.interval.end), .init("summary", \.figures),
        ]
    }
}

/// The rings of a day in the person's unit of energy.
struct DayRingsAnswer: AnswerObject {
    let day: DayRings
    let unit: HKUnit

    static let fields: [AnswerField<Self>] = [
        .init("date") { AnswerDay($0.day.day) }, .init("activityMoveMode", \.day.moveMode.rawValue),
        .init("activityMoveModeName") { "\($0.day.moveMode)" },
        .init("activeEnergyBurned") { $0.day.energy.quantity.record(in: $0.unit) },
        .init("activeEnergyBurnedGoal") { $0.day.energy.goal?.record(in: $0.unit) },
        .init("appleMoveTime") { $0.day.moveTime.quantity.record(in: .minute()) },
        .init("appleMoveTimeGoal") { $0.day.moveTime.goal?.record(in: .minute()) },
        .init("appleExerciseTime") { $0.day.exercise.quantity.record(in: .minute()) },
        .init("exerciseTimeGoal") { $0.day.exercise.goal?.record(in: .minute()) },
        .init("appleStandHours") { $0.day.stand.quantity.record(in: .count()) },
        .init("standHoursGoal") { $0.day.stand.goal?.record(in: .count()) }, .init("isPaused", \.day.isPaused),
        .init("rings", \.day.progress),
    ]
}

extension RingProgress: AnswerObject {
    package static let fields: [AnswerField<Self>] = [
        .init("move", unit: "fraction of the goal", \.move),
        .init("exercise", unit: "fraction of the goal", \.exercise),
        .init("stand", unit: "fraction of the goal", \.stand),
    ]
}

extension RingsFigures: AnswerObject {
    package static let fields: [AnswerField<Self>] = [
        .init("days", unit: "d", \.days), .init("move", unit: "kcal, or min if the Move ring measures time", \.move),
        .init("exercise", unit: "min", \.exercise), .init("stand", unit: "h", \.stand),
        .init("closed", \.closed),
        .init("closedShare", unit: "fraction") { figures in
            AnswerNumbers(
                entries: Counts.fields.map(\.name).enumerated().map { index, name in
                    let closed = figures.closed
                    let count = [closed.move, closed.exercise, closed.stand, closed.all][index]
                    return (name, Double(count) / Double(figures.days))
                })
        }, .init("longestStreak", unit: "d", \.longestStreak), .init("currentStreak", unit: "d", \.currentStreak),
    ]
}

extension RingsFigures.Counts: AnswerObject {
    package static let fields: [AnswerField<Self>] = [
        .init("move", unit: "d", \.move), .init("exercise", unit: "d", \.exercise), .init("stand", unit: "d", \.stand),
        .init("all", unit: "d", \.all),
    ]
}
