import Foundation
import HealthEngine
import HealthFormats
package import HealthInsights
import HealthKit
import HealthModel

/// The workouts of a range, the newest first.
package struct WorkoutsQuestion: Question {
    private let selection: WorkoutSelection
    private let limit: Int
    private let offset: Int

    package init(_ parameters: inout QueryParameters, _ setting: QuestionSetting) throws {
        selection = try WorkoutSelection(&parameters, setting)
        limit = try parameters.integer(.workoutCount) ?? 10
        offset = try parameters.integer(.offset) ?? 0
    }

    package func answer(_ context: some QuestionContext) async throws -> WorkoutsAnswer {
        let chosen = try await selection.workouts(context)
        let rest = chosen.dropFirst(offset)
        return WorkoutsAnswer(
            workouts: Array(limit == 0 ? rest : rest.prefix(limit)), count: chosen.count, units: selection.units,
            coverage: selection.coverage(of: chosen.map(\.summary)))
    }
}

/// Workouts, the newest first.
package struct WorkoutsAnswer: AnswerObject, Sendable {
    package let workouts: [WorkoutAnswer]
    /// The number of all workouts of the range.
    let count: Int
    /// The units of the person.
    package let units: WorkoutUnits
    let coverage: AnswerCoverage?

    package static let fields: [AnswerField<Self>] = [
        .init("workouts", \.workouts), .init("count", \.count), .init("coverage", \.coverage),
    ]
}

/// The workouts that a question is about.
struct WorkoutSelection: Sendable {
    let calendar: Calendar
    let units: WorkoutUnits
    fileprivate let start: Double?
    fileprivate let end: Double?
    private let types: [HKWorkoutActivityType]?
    private let covered: AnswerCoverage.Asked?

    init(_ parameters: inout QueryParameters, _ setting: QuestionSetting) throws {
        calendar = setting.calendar
        units = try WorkoutUnits(setting)
        (start, end) = try parameters.range(setting.timeZone)
        covered = try AnswerCoverage.Asked(&parameters, of: (start, end), setting)
        types = try parameters.list("activityType")?.flatMap { text -> [HKWorkoutActivityType] in
            let raws = ValueNames.activities(called: text)
            guard !raws.isEmpty else {
                throw QueryParameters.problem(
                    "activityType", text, "is not a type of activity. Use a name such as running.")
            }
            return raws.compactMap(HKWorkoutActivityType.init(rawValue:))
        }
    }

    /// The workouts that begin in the range, the newest first, with their numbers among all.
    func workouts(_ context: some QuestionContext) async throws -> [WorkoutAnswer] {
        try await all(context).filter { isInRange($0.summary) }
    }

    /// The days with workouts, if they are asked for.
    func coverage(of workouts: [WorkoutSummary]) -> AnswerCoverage? {
        covered?.coverage(of: workouts.map(\.start.timeIntervalSinceReferenceDate))
    }

    private func isInRange(_ workout: WorkoutSummary) -> Bool {
        let began = workout.start.timeIntervalSinceReferenceDate
        return (start.map { began >= $0 } ?? true) && (end.map { began < $0 } ?? true)
    }

    /// The workouts of any time.
    private func all(_ context: some QuestionContext) async throws -> [WorkoutAnswer] {
        let history = WorkoutHistory(store: context.healthStore(calendar: calendar), calendar: calendar)
        let all = try await context.silently([]) { try await history.summaries() }
        return all.reversed().enumerated().map { index, workout in
            WorkoutAnswer(summary: workout, units: units, number: index + 1)
        }.filter { types?.contains($0.summary.activityType) ?? true }
    }

    /// The weeks of the range, else those from the first to the last of the workouts, in ascending order; and when the
    /// first workout of any time began.
    fileprivate func weeks(
        every component: Calendar.Component, _ context: some QuestionContext
    ) async throws -> (weeks: [WorkoutWeek], first: Date?) {
        let all = Array(try await all(context).map(\.summary).reversed())
        let workouts = all.filter(isInRange)
        let first = start.map(Date.init(reference:)) ?? workouts.first?.start
        guard let first, let last = end.map(Date.init(reference:)) ?? (workouts.last?.start).map({ $0 + 1 })
        else { return ([], nil) }
        let weeks = try WorkoutWeek.weeks(
            of: workouts, in: DateInterval(start: first, end: max(first, last)), every: component, calendar: calendar)
        return (weeks, all.first?.start)
    }
}

/// The sums of the workouts of each week.
package struct WorkoutWeeksQuestion: Question {
    /// The workouts whose heart rates are read at once.
    private static let mostLoads = 1_000

    private let selection: WorkoutSelection
    private let component: Calendar.Component
    private let hasLoads: Bool

    package init(_ parameters: inout QueryParameters, _ setting: QuestionSetting) throws {
        let setting = try setting.withFirstWeekday(&parameters)
        selection = try WorkoutSelection(&parameters, setting)
        let name = try parameters.choice(.period, "is not a period. Use day, week, month, quarter or year.")
        component = name.flatMap { Calendar.Component.named[$0] } ?? .weekOfYear
        hasLoads = try parameters.flag("load")
    }

    package func answer(_ context: some QuestionContext) async throws -> WorkoutWeeksAnswer {
        let (weeks, first) = try await selection.weeks(every: component, context)
        return WorkoutWeeksAnswer(
            weeks: weeks, units: selection.units, first: first, range: (selection.start, selection.end),
            now: context.now.timeIntervalSinceReferenceDate,
            loads: hasLoads ? try await loads(of: weeks, context) : nil,
            coverage: selection.coverage(of: weeks.flatMap(\.workouts)))
    }

    /// The training loads of workouts by their identifiers. Those without heart rates have none.
    private func loads(of weeks: [WorkoutWeek], _ context: some QuestionContext) async throws -> [UUID: Double] {
        let calendar = selection.calendar
        let history = WorkoutHistory(store: context.healthStore(calendar: calendar), calendar: calendar)
        guard let first = weeks.first?.interval.start, let last = weeks.last?.interval.end else { return [:] }
        let chosen = Set(weeks.flatMap(\.workouts).map(\.uuid))
        guard chosen.count <= Self.mostLoads else {
            throw EngineError.invalidArgument(
                "The training load is computed for at most \(Self.mostLoads) workouts. Ask for a shorter range.")
        }
        return try await context.silently([:]) {
            var loads: [UUID: Double] = [:]
            for workout in try await history.workouts(in: DateInterval(start: first, end: last))
            where chosen.contains(workout.uuid) { loads[workout.uuid] = try await history.trainingLoad(of: workout) }
            return loads
        }
    }
}

/// The sums of the workouts of weeks, in ascending order.
package struct WorkoutWeeksAnswer: AnswerObject, Sendable {
    package let weeks: [WorkoutWeek]
    /// The units of the person.
    package let units: WorkoutUnits
    /// When the first workout of any time began.
    let first: Date?
    let range: (start: Double?, end: Double?)
    let now: Double
    /// The training loads by workout, if they were asked for.
    let loads: [UUID: Double]?
    let coverage: AnswerCoverage?

    /// The part of a week that the range has, if it isn't all of it.
    package func cut(_ week: WorkoutWeek) -> PeriodCut {
        PeriodCut(
            of: week.interval.start.timeIntervalSinceReferenceDate..<week.interval.end.timeIntervalSinceReferenceDate,
            from: range.start, until: range.end, now: now)
    }

    package static let fields: [AnswerField<Self>] = [
        .init("weeks") { answer in answer.weeks.map { answer.week($0) } },
        .init("summary") { answer in
            WorkoutFiguresAnswer(
                figures: WorkoutFigures(answer.weeks.flatMap(\.workouts)), units: answer.units)
        },
        .init("wholeWeeks", \.wholeWeeks.count),
        .init("averageWeek") { $0.wholeWeeks.map(\.figures.duration).mean },
        .init("averageLoad", unit: "min", \.averageLoad),
        .init("workoutsWithoutLoad") { answer in
            answer.loads.map { loads in answer.weeks.flatMap(\.workouts).count { loads[$0.uuid] == nil } }
        }, .init("coverage", \.coverage),
    ]

    private func week(_ week: WorkoutWeek) -> Week {
        Week(week: week, units: units, cut: cut(week), load: loads.map { Self.load(of: week, $0) } ?? nil)
    }

    /// The load of a week; `nil` if none of its workouts has one.
    private static func load(of week: WorkoutWeek, _ loads: [UUID: Double]) -> Double? {
        let known = week.workouts.compactMap { loads[$0.uuid] }
        return known.isEmpty && !week.workouts.isEmpty ? nil : known.reduce(0, +)
    }

    /// The average load of the whole weeks whose load is known.
    private var averageLoad: Double? {
        guard let loads else { return nil }
        return wholeWeeks.compactMap { Self.load(of: $0, loads) }.mean
    }

    /// The weeks since the first workout that are over and that the range has whole.
    private var wholeWeeks: [WorkoutWeek] {
        weeks.filter { week in
            let cut = cut(week)
            return cut.from == nil && cut.until == nil && week.interval.end.timeIntervalSinceReferenceDate <= now
                && first.map { week.interval.end > $0 } ?? false
        }
    }

    struct Week: AnswerObject {
        let week: WorkoutWeek
        let units: WorkoutUnits
        let cut: PeriodCut
        let load: Double?

        static let fields: [AnswerField<Self>] =
            [.init("startDate", \.week.interval.start), .init("endDate", \.week.interval.end)]
            + AnswerField<Self>.members(of: \.cut)
            + AnswerField.members {
                WorkoutFiguresAnswer(
                    figures: $0.week.figures, units: $0.units,
                    activityType: $0.week.activities.count == 1 ? $0.week.activities[0].activityType : nil)
            } + [
                .init("trainingLoad", unit: "min", \.load),
                .init("activities") { answer in
                    answer.week.activities.map { Activity(activity: $0, units: answer.units) }
                },
            ]
    }

    struct Activity: AnswerObject {
        let activity: WorkoutWeek.Activity
        let units: WorkoutUnits

        static let fields: [AnswerField<Self>] =
            [
                .init("workoutActivityType") { Int($0.activity.activityType.rawValue) },
                .init("workoutActivityTypeName") { ValueNames.activity($0.activity.activityType.rawValue) },
            ]
            + AnswerField.members {
                WorkoutFiguresAnswer(
                    figures: $0.activity.figures, units: $0.units, activityType: $0.activity.activityType)
            }
    }
}

/// The best workouts of each type of activity.
package struct WorkoutRecordsQuestion: Question {
    private let selection: WorkoutSelection
    private let hasDistances: Bool

    package init(_ parameters: inout QueryParameters, _ setting: QuestionSetting) throws {
        selection = try WorkoutSelection(&parameters, setting)
        hasDistances = try parameters.flag("distances")
    }

    package func answer(_ context: some QuestionContext) async throws -> WorkoutRecordsAnswer {
        let workouts = Array(try await selection.workouts(context).map(\.summary).reversed())
        var answer = WorkoutRecordsAnswer(
            records: WorkoutRecords.records(of: workouts), units: selection.units,
            coverage: selection.coverage(of: workouts))
        guard hasDistances, let first = workouts.first, let last = workouts.last else { return answer }
        let history = WorkoutHistory(
            store: context.healthStore(calendar: selection.calendar), calendar: selection.calendar)
        let chosen = Set(workouts.map(\.uuid))
        answer.distances = try await context.silently([]) {
            let all = try await history.workouts(in: DateInterval(start: first.start, end: last.start + 1))
            return try await history.distanceRecords(of: all.filter { chosen.contains($0.uuid) })
        }
        return answer
    }
}

/// The best workouts of each type of activity, the most frequent type first.
package struct WorkoutRecordsAnswer: AnswerObject, Sendable {
    package let records: [WorkoutRecords]
    /// The units of the person.
    package let units: WorkoutUnits
    let coverage: AnswerCoverage?
    /// The records over distances, if they were asked for.
    package fileprivate(set) var distances: [DistanceRecord]?

    package static let fields: [AnswerField<Self>] = [
        .init("records") { answer in answer.records.map { Activity(records: $0, units: answer.units) } },
        .init("fastestDistances", \.distances), .init("coverage", \.coverage),
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

extension DistanceRecord: AnswerObject {
    package static let fields: [AnswerField<Self>] = [
        .init("workoutActivityTypeName") { ValueNames.activity($0.activityType.rawValue) },
        .init("meters", unit: "m", \.meters), .init("duration", unit: "s", \.duration), .init("startDate", \.start),
        .init("uuid", \.uuid),
    ]
}
