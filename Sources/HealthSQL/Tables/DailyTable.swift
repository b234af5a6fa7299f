import Foundation
import HealthEngine
import HealthModel

/// `daily`: HealthKit's statistics of every local day, with sources merged so that nothing is counted twice.
final class DailyTable: VirtualTable {
    enum Column: Int, CaseIterable {
        case type, day, sum, average, minimum, maximum, unit, startTime, endTime
    }

    let context: TableContext

    init(_ context: TableContext) {
        self.context = context
        super.init(.daily)
    }

    override func open() -> VirtualCursor { DailyCursor(context) }

    override func plan(_ request: inout IndexRequest) {
        let byType = request.take(Column.type.rawValue, [.equal], isExact: true, collation: "NOCASE")
        let byDay = request.take(
            Column.day.rawValue, [.equal, .greater, .greaterOrEqual, .less, .lessOrEqual, .like, .glob])
        var order = request.order[...]
        if order.first == IndexRequest.Key(column: Column.type.rawValue, isDescending: false) {
            order = order.dropFirst()
        }
        if !byType.isEmpty || order.count < request.order.count, order.count <= 1,
            order.allSatisfy({ $0 == IndexRequest.Key(column: Column.day.rawValue, isDescending: false) })
        {
            request.deliver(.natural)
        }
        let rows = (byType.isEmpty ? 100_000.0 : 2_000) / (byDay.isEmpty ? 1 : 20)
        request.estimate(rows: rows, cost: 100 * rows)
    }
}

/// A cursor over days, type by type. Days are computed in portions, so that those of a sample that lasts for millennia
/// don't have to be in memory.
final class DailyCursor: BatchCursor<StatisticsBucket> {
    private var waiting: [TypeDescription] = []
    private var bounds = TimeBounds()
    private var type: (description: TypeDescription, name: PooledText)?
    /// The unit of the type in tables, and the conversion to it; the type's own unit if there is none.
    private var shown = (unit: "", conversion: UnitConversion.identity)
    private var portions = DayBatches()

    override func filter(_ plan: IndexPlan, _ arguments: [SQLArgument]) throws {
        (type, portions, bounds) = (nil, DayBatches(), TimeBounds())
        waiting = try context.types.get().filter { $0.kind == .quantity && $0.aggregationStyle != nil }
        for (bound, value) in zip(plan.bounds, arguments) {
            if bound.column == DailyTable.Column.type.rawValue {
                let name = value.text?.lowercased()
                waiting.removeAll { $0.shortName.lowercased() != name }
            } else {
                bounds.take(.reach, bound.comparison, text: value)
            }
        }
        if bounds.isEmpty || bounds.reach == nil { waiting = [] }
        try start()
    }

    /// Days of this type; after the last of them, none, and then those of the next type.
    override func nextPortion() throws -> [StatisticsBucket]? {
        let portion = portions.next()
        if let type, let first = portion.first, let last = portion.last {
            return try days(from: first.lowerBound, through: last.upperBound, portion, of: type.description)
        }
        guard !waiting.isEmpty else { return nil }
        let next = waiting.removeFirst()
        type = (next, context.pool[next.shortName])
        let times = try context.reading.stretches(
            of: next.code, matching: filter, within: bounds.reach, intervalLength: 86_400)
        portions = DayBatches(DayBatches.days(times, context.clock))
        return []
    }

    private var filter: SampleFilter { bounds.filters.isEmpty ? .all : .and(bounds.filters) }

    private func days(
        from first: Int, through last: Int, _ portion: [ClosedRange<Int>], of type: TypeDescription
    ) throws -> [StatisticsBucket] {
        let clock = context.clock
        var instants: [Double] = []
        for days in portion {
            for day in days.lowerBound...(days.upperBound + 1) {
                // Days that a time zone skipped are left out.
                let start = Double(clock.start(ofDay: day))
                if instants.last.map({ $0 < start }) ?? true { instants.append(start) }
            }
        }
        context.daysComputed += instants.count
        let isCumulative = type.aggregationStyle?.isCumulative ?? false
        let days = try context.reading.statistics(
            StatisticsRequest(
                type: type.code,
                filter: .and(
                    bounds.filters + [
                        .start(.lessThan, Double(clock.start(ofDay: last + 1))),
                        .end(.greaterThanOrEqual, Double(clock.start(ofDay: first))),
                    ]),
                options: isCumulative ? .cumulativeSum : [.discreteAverage, .discreteMin, .discreteMax],
                buckets: .bounds { [instants] _ in instants }))
        if let own = days.first?.unit {
            let unit = try context.unit(of: type)?.unit ?? own
            shown = UnitConversion(between: own, and: unit).map { (unit, $0) } ?? (own, .identity)
        }
        return days
    }

    private func value(_ value: Double?) -> SQLValue { SQLValue(value.map { shown.conversion($0) }) }

    override func column(_ index: Int, to result: SQLResult) throws {
        let day = row
        switch DailyTable.Column(rawValue: index) {
        case .type: result.text(type?.name)
        case .day: result.day(number: context.clock.dayNumber(at: day.start))
        case .sum: result.value(value(day.values.sum))
        case .average: result.value(value(day.values.average))
        case .minimum: result.value(value(day.values.minimum))
        case .maximum: result.value(value(day.values.maximum))
        case .unit: result.text(shown.unit)
        case .startTime: result.real(day.start + unixToReference)
        case .endTime: result.real(day.end + unixToReference)
        case nil: result.null()
        }
    }
}
