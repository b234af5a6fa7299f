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
        super.init(
            "daily",
            [
                SQLColumn("type", .name, "short name of the quantity type"),
                SQLColumn("day", .text, "local day, such as 2024-01-31"),
                SQLColumn("sum", .real, "sum of cumulative types, with sources merged"),
                SQLColumn("average", .real, "mean, of the others"), SQLColumn("minimum", .real, "minimum value"),
                SQLColumn("maximum", .real, "maximum value"), SQLColumn("unit", .text, "unit of the values"),
                SQLColumn("start_time", .real, "start of the day in seconds since 1970-01-01 UTC"),
                SQLColumn("end_time", .real, "start of the next day"),
            ], about: "Statistics of every day as in HealthKit, with overlapping sources merged.")
    }

    override func open() -> VirtualCursor { DailyCursor(context) }

    override func plan(_ request: inout IndexRequest) {
        let byType = request.take(Column.type.rawValue, [.equal], isExact: true, collation: "NOCASE")
        let byDay = request.take(
            Column.day.rawValue, [.equal, .greater, .greaterOrEqual, .less, .lessOrEqual, .like, .glob])
        var order = request.order[...]
        if order.first == IndexRequest.Key(column: Column.type.rawValue, isDescending: false) { order = order.dropFirst() }
        if !byType.isEmpty || order.count < request.order.count,
            order.count <= 1, order.allSatisfy({ $0 == IndexRequest.Key(column: Column.day.rawValue, isDescending: false) })
        {
            request.deliver(.natural)
        }
        let rows = (byType.isEmpty ? 100_000.0 : 2_000) / (byDay.isEmpty ? 1 : 20)
        request.estimate(rows: rows, cost: 100 * rows)
    }
}

/// A cursor over days, type by type. Days are computed in portions, so that those of a sample that lasts for millennia
/// don't have to be in memory.
final class DailyCursor: VirtualCursor {
    private let context: TableContext
    private var waiting: [TypeDescription] = []
    private var bounds = TimeBounds()
    private var type: (description: TypeDescription, name: PooledText)?
    private var portions = DayPortions()
    private var days: [StatisticsBucket] = []
    private var index = 0
    private var passed: Int64 = 0

    init(_ context: TableContext) {
        self.context = context
    }

    override func filter(_ plan: IndexPlan, _ arguments: [SQLArgument]) throws {
        (days, index, passed) = ([], 0, 0)
        (type, portions, bounds) = (nil, DayPortions(), TimeBounds())
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
        try fill()
    }

    /// The next portion with data, of this type or the next one.
    private func fill() throws {
        index = 0
        days = []
        while days.isEmpty {
            let portion = portions.next()
            if let type, let first = portion.first, let last = portion.last {
                days = try days(from: first.lowerBound, through: last.upperBound, portion, of: type.description)
                continue
            }
            guard !waiting.isEmpty else { return }
            let next = waiting.removeFirst()
            type = (next, context.pool[next.shortName])
            portions = DayPortions(
                try context.reading.stretches(of: next.code, matching: filter, within: bounds.reach, intervalLength: 86_400)
                    .map { context.clock.dayNumber(at: $0.lowerBound)...context.clock.dayNumber(at: $0.upperBound) })
        }
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
        let isCumulative = type.aggregationStyle?.isCumulative ?? false
        return try context.reading.statistics(
            StatisticsRequest(
                type: type.code,
                filter: .and(
                    bounds.filters + [
                        .start(.lessThan, Double(clock.start(ofDay: last + 1))),
                        .end(.greaterThanOrEqual, Double(clock.start(ofDay: first))),
                    ]),
                options: isCumulative ? .cumulativeSum : [.discreteAverage, .discreteMin, .discreteMax],
                buckets: .bounds { [instants] _ in instants }))
    }

    override var isAtEnd: Bool { index >= days.count }

    override func next() throws {
        context.rowsVisited += 1
        index += 1
        passed += 1
        if index >= days.count { try fill() }
    }

    override var rowNumber: Int64 { get throws { passed + 1 } }

    override func column(_ index: Int, to result: SQLResult) throws {
        let day = days[self.index]
        switch DailyTable.Column(rawValue: index) {
        case .type: result.text(type?.name)
        case .day: result.day(number: context.clock.dayNumber(at: day.start))
        case .sum: result.value(SQLValue(day.values.sum))
        case .average: result.value(SQLValue(day.values.average))
        case .minimum: result.value(SQLValue(day.values.minimum))
        case .maximum: result.value(SQLValue(day.values.maximum))
        case .unit: result.text(day.unit)
        case .startTime: result.real(day.start + unixToReference)
        case .endTime: result.real(day.end + unixToReference)
        case nil: result.null()
        }
    }
}

/// The days on which there can be data, a portion at a time.
struct DayPortions {
    /// Descending, and disjoint.
    private var waiting: [ClosedRange<Int>] = []

    /// The usual number of days of a portion: eleven years.
    private static let usualCount = 4_096

    /// No days.
    init() {}

    /// - Parameter days: Ranges of the numbers of days, in any order.
    init(_ days: [ClosedRange<Int>]) {
        for days in days.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = waiting.last, days.lowerBound <= last.upperBound + 1 {
                waiting[waiting.count - 1] = last.lowerBound...max(last.upperBound, days.upperBound)
            } else {
                waiting.append(days)
            }
        }
        waiting.reverse()
    }

    /// Removes the next days and returns them in ascending order; none at the end.
    mutating func next() -> [ClosedRange<Int>] {
        var portion: [ClosedRange<Int>] = []
        var room = Self.usualCount
        while room > 0, let days = waiting.popLast() {
            if days.count > room {
                waiting.append(days.lowerBound + room...days.upperBound)
                portion.append(days.lowerBound...days.lowerBound + room - 1)
            } else {
                portion.append(days)
            }
            room -= days.count
        }
        return portion
    }
}
