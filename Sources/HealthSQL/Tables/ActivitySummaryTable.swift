import HealthEngine
import HealthModel

/// `activity_summaries`: the days with rings, as HealthKit computes them.
final class ActivitySummaryTable: VirtualTable {
    enum Column: Int, CaseIterable {
        case day, moveEnergy, moveEnergyGoal, moveTime, moveTimeGoal, exercise, exerciseGoal, stand, standGoal, isPaused
    }

    let context: TableContext

    init(_ context: TableContext) {
        self.context = context
        super.init(
            "activity_summaries",
            [
                SQLColumn("day", .text, "the day, such as 2024-01-31"),
                SQLColumn("move_kcal", .real, "active energy, kilocalories"), SQLColumn("move_goal_kcal", .real, "its goal"),
                SQLColumn("move_min", .real, "move time, minutes"), SQLColumn("move_goal_min", .real, "its goal"),
                SQLColumn("exercise_min", .real, "exercise, minutes"), SQLColumn("exercise_goal_min", .real, "its goal"),
                SQLColumn("stand_hours", .real, "hours with a stand"), SQLColumn("stand_goal_hours", .real, "its goal"),
                SQLColumn("is_paused", .integer, "1 if the rings were paused"),
            ], about: "The activity summary of every day, as in HealthKit.")
    }

    override func open() -> VirtualCursor { ActivitySummaryCursor(context) }

    override func plan(_ request: inout IndexRequest) {
        request.estimate(rows: 2_000, cost: 20_000)
    }
}

/// A cursor over the days with data, in ascending order. Summaries are computed in portions.
final class ActivitySummaryCursor: VirtualCursor {
    private let context: TableContext
    private var portions = DayPortions()
    private var summaries: [ActivitySummaryBody] = []
    private var index = 0
    private var passed: Int64 = 0

    init(_ context: TableContext) {
        self.context = context
    }

    override func filter(_ plan: IndexPlan, _ arguments: [SQLArgument]) throws {
        passed = 0
        let times = try context.reading.summaryTimes()
        let clock = context.clock
        portions = DayPortions(
            times.samples.map { clock.dayNumber(at: $0.lowerBound)...clock.dayNumber(at: $0.upperBound) }
                + times.importedDays.map { day in
                    let number = CivilDate.dayNumber(year: day.year, month: day.month, day: day.day)
                    return number...number
                })
        try fill()
    }

    private func fill() throws {
        (index, summaries) = (0, [])
        while summaries.isEmpty {
            let portion = portions.next()
            guard !portion.isEmpty else { return }
            summaries = try context.reading.activitySummaries(
                portion.flatMap { days in
                    days.map { number in
                        let date = CivilDate.date(dayNumber: number)
                        return SummaryDay(
                            day: Profile.Day(year: date.year, month: date.month, day: date.day),
                            start: Double(context.clock.start(ofDay: number)), end: Double(context.clock.start(ofDay: number + 1)))
                    }
                })
        }
    }

    override var isAtEnd: Bool { index >= summaries.count }

    override func next() throws {
        context.rowsVisited += 1
        index += 1
        passed += 1
        if index >= summaries.count { try fill() }
    }

    override var rowNumber: Int64 { get throws { passed + 1 } }

    override func column(_ index: Int, to result: SQLResult) throws {
        let summary = summaries[self.index]
        func value(_ quantity: QuantityRecord?, _ unit: String) {
            result.value(SQLValue(quantity.flatMap { Units.convert($0.value, from: $0.unit, to: unit) }))
        }
        switch ActivitySummaryTable.Column(rawValue: index) {
        case .day: result.day(number: CivilDate.dayNumber(year: summary.year, month: summary.month, day: summary.day))
        case .moveEnergy: value(summary.activeEnergyBurned, "kcal")
        case .moveEnergyGoal: value(summary.activeEnergyBurnedGoal, "kcal")
        case .moveTime: value(summary.appleMoveTime, "min")
        case .moveTimeGoal: value(summary.appleMoveTimeGoal, "min")
        case .exercise: value(summary.appleExerciseTime, "min")
        case .exerciseGoal: value(summary.appleExerciseTimeGoal, "min")
        case .stand: value(summary.appleStandHours, "count")
        case .standGoal: value(summary.appleStandHoursGoal, "count")
        case .isPaused: result.integer(summary.isPaused ? 1 : 0)
        case nil: result.null()
        }
    }
}
