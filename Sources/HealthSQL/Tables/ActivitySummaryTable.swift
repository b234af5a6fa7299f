import HealthEngine
import HealthModel

/// `activity_summaries`: the days with rings, as HealthKit computes them.
final class ActivitySummaryTable: VirtualTable {
    enum Column: Int, CaseIterable {
        case day, moveEnergy, moveEnergyGoal, moveTime, moveTimeGoal, exercise, exerciseGoal, stand, standGoal, isPaused
    }

    let context: TableContext
    /// The rows of a store whose days are one portion, once all were made: a join without a condition on the day asks
    /// for them again and again.
    fileprivate var whole: [ActivitySummaryBody]?

    init(_ context: TableContext) {
        self.context = context
        super.init(.activitySummaries)
    }

    override func open() -> VirtualCursor { ActivitySummaryCursor(self) }

    override func plan(_ request: inout IndexRequest) {
        let byDay = request.take(
            Column.day.rawValue, [.equal, .greater, .greaterOrEqual, .less, .lessOrEqual, .like, .glob])
        if request.order == [IndexRequest.Key(column: Column.day.rawValue, isDescending: false)] {
            request.deliver(.natural)
        }
        let rows = byDay.isEmpty ? 2_000.0 : 100
        request.estimate(rows: rows, cost: 200 + 10 * rows)
    }
}

/// A cursor over the days with data, in ascending order. Summaries are computed in portions.
final class ActivitySummaryCursor: BatchCursor<ActivitySummaryBody> {
    private let table: ActivitySummaryTable
    private var portions = DayBatches()
    /// The summaries of the table, if they are what is asked for.
    private var kept: [ActivitySummaryBody]?
    /// Whether the next portion is all there is of all days.
    private var isWhole = false

    init(_ table: ActivitySummaryTable) {
        self.table = table
        super.init(table.context)
    }

    override func filter(_ plan: IndexPlan, _ arguments: [SQLArgument]) throws {
        (portions, kept, isWhole) = (DayBatches(), nil, false)
        var bounds = TimeBounds()
        for (bound, value) in zip(plan.bounds, arguments) { bounds.take(.reach, bound.comparison, text: value) }
        if !bounds.isEmpty, let reach = bounds.reach {
            kept = bounds.filters.isEmpty ? table.whole : nil
            if kept == nil {
                let times = try context.reading.summaryTimes(within: reach)
                let clock = context.clock
                let wanted = clock.dayNumber(at: reach.lowerBound)...clock.dayNumber(at: reach.upperBound)
                let imported = times.importedDays.map {
                    CivilDate.dayNumber(year: $0.year, month: $0.month, day: $0.day)
                }
                .filter { wanted.contains($0) }
                portions = DayBatches(DayBatches.days(times.samples, clock) + imported.map { $0...$0 })
                isWhole = bounds.filters.isEmpty
            }
        }
        try start()
    }

    override func nextPortion() throws -> [ActivitySummaryBody]? {
        if let kept {
            self.kept = nil
            return kept
        }
        let portion = portions.next()
        guard !portion.isEmpty else { return nil }
        let days = portion.joined().map { SummaryDay(number: $0, in: context.clock) }
        context.daysComputed += days.count
        let summaries = try context.reading.activitySummaries(days)
        if isWhole, portions.isEmpty { table.whole = summaries }
        isWhole = false
        return summaries
    }

    override func column(_ index: Int, to result: SQLResult) throws {
        let summary = row
        func value(_ quantity: QuantityRecord?, _ unit: String) {
            result.value(SQLValue(quantity?.value(in: unit)))
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
