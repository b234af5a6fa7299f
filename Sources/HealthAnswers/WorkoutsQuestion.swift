import Foundation
package import HealthInsights
import HealthKit
import HealthModel

/// The workouts of a range, the newest first.
package struct WorkoutsQuestion: Question {
    package static let about = QuestionDescription(
        path: "workouts", tool: "get_workouts", group: "Workouts", title: "Workouts",
        summary: "Workouts, the newest first, with activity, duration, energy, distance, pace and heart rate.",
        parameters: WorkoutSelection.parameters + [
            .init(name: "limit", kind: .integer(0...limit), about: "The number of workouts; 10 by default, 0 for all."),
            .init(
                name: "offset", kind: .integer(0...limit),
                about: "The number of workouts that are left out before them."),
        ])

    private static let limit = 1_000_000

    private let selection: WorkoutSelection
    private let limit: Int
    private let offset: Int

    package init(_ parameters: inout QueryParameters, _ setting: QuestionSetting) throws {
        selection = try WorkoutSelection(&parameters, setting)
        limit = try parameters.integer("limit", in: 0...Self.limit) ?? 10
        offset = try parameters.integer("offset", in: 0...Self.limit) ?? 0
    }

    package func answer(_ context: some QuestionContext) async throws -> WorkoutsAnswer {
        let chosen = try await selection.workouts(context)
        let rest = chosen.dropFirst(offset)
        return WorkoutsAnswer(
            workouts: Array(limit == 0 ? rest : rest.prefix(limit)), count: chosen.count, units: selection.units)
    }
}

/// Workouts, the newest first.
package struct WorkoutsAnswer: AnswerObject, Sendable {
    package let workouts: [WorkoutAnswer]
    /// The number of all workouts of the range.
    let count: Int
    /// The units of the person.
    package let units: WorkoutUnits

    package static let fields: [AnswerField<Self>] = [.init("workouts", \.workouts), .init("count", \.count)]
}

/// The workouts that a question is about.
struct WorkoutSelection: Sendable {
    static let parameters =
        QuestionDescription.Parameter.range + [
            .init(
                name: "activityType", kind: .text, about: "Types of activity, such as running: names or raw values.",
                isList: true)
        ]

    let calendar: Calendar
    let units: WorkoutUnits
    private let start: Double?
    private let end: Double?
    private let types: [HKWorkoutActivityType]?

    init(_ parameters: inout QueryParameters, _ setting: QuestionSetting) throws {
        calendar = setting.calendar
        units = try WorkoutUnits(setting)
        (start, end) = try parameters.range(setting.timeZone)
        types = try parameters.list("activityType")?.map { text in
            let wanted = text.lowercased().filter { $0.isLetter || $0.isNumber }
            let raw = UInt(text) ?? (0...4_000).first { ValueNames.activity($0)?.lowercased() == wanted }
            guard let raw, let type = HKWorkoutActivityType(rawValue: raw) else {
                throw QueryParameters.problem(
                    "activityType", text, "is not a type of activity. Use a name such as running.")
            }
            return type
        }
    }

    /// The workouts that begin in the range, the newest first, with their numbers among all.
    func workouts(_ context: some QuestionContext) async throws -> [WorkoutAnswer] {
        let history = WorkoutHistory(store: context.healthStore(calendar: calendar), calendar: calendar)
        let all = try await context.silently([]) { try await history.summaries() }
        return all.reversed().enumerated().map { index, workout in
            WorkoutAnswer(summary: workout, units: units, number: index + 1)
        }.filter { answer in
            let began = answer.summary.start.timeIntervalSinceReferenceDate
            return (start.map { began >= $0 } ?? true) && (end.map { began < $0 } ?? true)
                && (types?.contains(answer.summary.activityType) ?? true)
        }
    }

    /// The weeks of the range, else those from the first to the last of the workouts, in ascending order.
    func weeks(_ context: some QuestionContext) async throws -> [WorkoutWeek] {
        let workouts = Array(try await workouts(context).map(\.summary).reversed())
        let first = start.map(Date.init(reference:)) ?? workouts.first?.start
        guard let first, let last = end.map(Date.init(reference:)) ?? (workouts.last?.start).map({ $0 + 1 })
        else { return [] }
        return try WorkoutWeek.weeks(
            of: workouts, in: DateInterval(start: first, end: max(first, last)), calendar: calendar)
    }
}

/// The sums of the workouts of each week.
package struct WorkoutWeeksQuestion: Question {
    package static let about = QuestionDescription(
        path: "workouts/weeks", tool: "get_workout_weeks", group: "Workouts", title: "Weeks of workouts",
        summary: "The sums of the workouts of each week, by type of activity. Weeks without workouts are among them.",
        parameters: WorkoutSelection.parameters)

    private let selection: WorkoutSelection

    package init(_ parameters: inout QueryParameters, _ setting: QuestionSetting) throws {
        selection = try WorkoutSelection(&parameters, setting)
    }

    package func answer(_ context: some QuestionContext) async throws -> WorkoutWeeksAnswer {
        WorkoutWeeksAnswer(weeks: try await selection.weeks(context), units: selection.units)
    }
}

/// The sums of the workouts of weeks, in ascending order.
package struct WorkoutWeeksAnswer: AnswerObject, Sendable {
    package let weeks: [WorkoutWeek]
    /// The units of the person.
    package let units: WorkoutUnits

    package static let fields: [AnswerField<Self>] = [
        .init("weeks") { answer in answer.weeks.map { Week(week: $0, units: answer.units) } },
        .init("summary") { answer in
            WorkoutFiguresAnswer(
                figures: WorkoutFigures(answer.weeks.flatMap(\.workouts)), units: answer.units, hasPace: false)
        },
        .init("averageWeek") { answer in
            answer.weeks.isEmpty
                ? nil : answer.weeks.reduce(0) { $0 + $1.figures.duration } / Double(answer.weeks.count)
        },
    ]

    struct Week: AnswerObject {
        let week: WorkoutWeek
        let units: WorkoutUnits

        static let fields: [AnswerField<Self>] =
            [.init("startDate", \.week.interval.start), .init("endDate", \.week.interval.end)]
            + AnswerField.members {
                WorkoutFiguresAnswer(figures: $0.week.figures, units: $0.units, hasPace: $0.week.activities.count < 2)
            } + [
                .init("activities") { answer in
                    answer.week.activities.map { Activity(activity: $0, units: answer.units) }
                }
            ]
    }

    struct Activity: AnswerObject {
        let activity: WorkoutWeek.Activity
        let units: WorkoutUnits

        static let fields: [AnswerField<Self>] =
            [
                .init("workoutActivityType") { Int($0.activity.activityType.rawValue) },
                .init("workoutActivityTypeName") { ValueNames.activity($0.activity.activityType.rawValue) },
            ] + AnswerField.members { WorkoutFiguresAnswer(figures: $0.activity.figures, units: $0.units) }
    }
}

/// The best workouts of each type of activity.
package struct WorkoutRecordsQuestion: Question {
    package static let about = QuestionDescription(
        path: "workouts/records", tool: "get_workout_records", group: "Workouts", title: "Records",
        summary:
            "The longest, farthest and fastest workout of each type of activity, and the one with the most energy.",
        parameters: WorkoutSelection.parameters)

    private let selection: WorkoutSelection

    package init(_ parameters: inout QueryParameters, _ setting: QuestionSetting) throws {
        selection = try WorkoutSelection(&parameters, setting)
    }

    package func answer(_ context: some QuestionContext) async throws -> WorkoutRecordsAnswer {
        let workouts = Array(try await selection.workouts(context).map(\.summary).reversed())
        return WorkoutRecordsAnswer(records: WorkoutRecords.records(of: workouts), units: selection.units)
    }
}

/// The best workouts of each type of activity, the most frequent type first.
package struct WorkoutRecordsAnswer: AnswerObject, Sendable {
    package let records: [WorkoutRecords]
    /// The units of the person.
    package let units: WorkoutUnits

    package static let fields: [AnswerField<Self>] = [
        .init("records") { answer in answer.records.map { Activity(records: $0, units: answer.units) } }
    ]

    struct Activity: AnswerObject {
        let records: WorkoutRecords
        let units: WorkoutUnits

        private func answer(_ workout: WorkoutSummary?) -> WorkoutAnswer? {
            workout.map { WorkoutAnswer(summary: $0, units: units) }
        }

        static let fields: [AnswerField<Self>] = [
            .init("workoutActivityType") { Int($0.records.activityType.rawValue) },
            .init("workoutActivityTypeName") { ValueNames.activity($0.records.activityType.rawValue) },
            .init("count", \.records.count), .init("longest") { $0.answer($0.records.longest) },
            .init("farthest") { $0.answer($0.records.farthest) }, .init("fastest") { $0.answer($0.records.fastest) },
            .init("mostEnergy") { $0.answer($0.records.mostEnergy) },
        ]
    }
}
