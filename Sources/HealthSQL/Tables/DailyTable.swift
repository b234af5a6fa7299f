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

/// A cursor over days, type by type.
final class DailyCursor: VirtualCursor {
    private let context: TableContext
    private var waiting: [TypeDescription] = []
    private var filter = SampleFilter.all
    private var type: PooledText?
    private var days: [StatisticsBucket] = []
    private var index = 0
    private var passed: Int64 = 0

    init(_ context: TableContext) {
        self.context = context
    }

    override func filter(_ plan: IndexPlan, _ arguments: [SQLArgument]) throws {
        (days, index, passed) = ([], 0, 0)
        waiting = try context.types.get().filter { $0.kind == .quantity && $0.aggregationStyle != nil }
        var bounds = TimeBounds()
        for (bound, value) in zip(plan.bounds, arguments) {
            if bound.column == DailyTable.Column.type.rawValue {
                let name = value.text?.lowercased()
                waiting.removeAll { $0.shortName.lowercased() != name }
            } else {
                bounds.take(.reach, bound.comparison, text: value)
            }
        }
        if bounds.isEmpty { waiting = [] }
        filter = bounds.filters.isEmpty ? .all : .and(bounds.filters)
        try fill()
    }

    /// The days of the next type with data.
    private func fill() throws {
        let zone = context.clock.timeZone
        index = 0
        days = []
        while days.isEmpty, !waiting.isEmpty {
            let next = waiting.removeFirst()
            type = context.pool[Optional(next.shortName)]
            let isCumulative = next.aggregationStyle?.isCumulative ?? false
            days = try context.reading.statistics(
                StatisticsRequest(
                    type: next.code, filter: filter,
                    options: isCumulative ? .cumulativeSum : [.discreteAverage, .discreteMin, .discreteMax],
                    buckets: .bounds { Self.bounds($0, zone) }))
        }
    }

    /// The starts of the days of an interval and of the following day. Days that a time zone skipped are left out.
    private static func bounds(_ span: ClosedRange<Double>, _ zone: TimeZone) -> [Double] {
        let clock = LocalClock(timeZone: zone)
        var bounds: [Double] = []
        for day in clock.dayNumber(at: span.lowerBound)...(clock.dayNumber(at: span.upperBound) + 1) {
            let start = Double(clock.start(ofDay: day))
            if bounds.last.map({ $0 < start }) ?? true { bounds.append(start) }
        }
        return bounds
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
        case .type: result.text(type)
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
