import Foundation
import HealthKit

/// Statistics as a table, as bars, or as JSON with HealthKit's property names.
struct StatisticsListing {
    let statistics: [HKStatistics]
    let unit: HKUnit
    let isCumulative: Bool
    let interval: StatsCommand.Interval?
    let dates: DateOutput

    struct Answer: Encodable {
        var startDate: String
        var endDate: String
        var sumQuantity: Double?
        var averageQuantity: Double?
        var minimumQuantity: Double?
        var maximumQuantity: Double?
        var unit: String
    }

    var answers: [Answer] {
        statistics.map { statistics in
            Answer(
                startDate: dates.iso(statistics.startDate), endDate: dates.iso(statistics.endDate),
                sumQuantity: statistics.sumQuantity()?.doubleValue(for: unit),
                averageQuantity: statistics.averageQuantity()?.doubleValue(for: unit),
                minimumQuantity: statistics.minimumQuantity()?.doubleValue(for: unit),
                maximumQuantity: statistics.maximumQuantity()?.doubleValue(for: unit), unit: unit.unitString)
        }
    }

    private func label(_ statistics: HKStatistics) -> String {
        switch interval {
        case .hour: dates.minute(statistics.startDate)
        case .day: dates.weekday(statistics.startDate)
        case .week: "week of \(dates.day(statistics.startDate))"
        case .month: String(dates.day(statistics.startDate).prefix(7))
        case .year: String(dates.day(statistics.startDate).prefix(4))
        case nil: "\(dates.minute(statistics.startDate)) – \(dates.minute(statistics.endDate))"
        }
    }

    private func shown(_ quantities: [HKQuantity?]) -> [String] {
        // Shares are parts of one; people read per cent.
        NumberOutput.column(quantities.map { $0.map { $0.doubleValue(for: unit) * (unitName == "%" ? 100 : 1) } })
    }

    var table: String {
        guard !statistics.isEmpty else { return "No samples.\n" }
        let period = Table.Column(title: interval?.rawValue ?? "period")
        let figures = isCumulative ? ["sum"] : ["average", "minimum", "maximum"]
        var table = Table([period] + figures.map { Table.Column(title: "\($0) (\(unitName))", isNumber: true) })
        let cells =
            isCumulative
            ? [shown(statistics.map { $0.sumQuantity() })]
            : [
                shown(statistics.map { $0.averageQuantity() }), shown(statistics.map { $0.minimumQuantity() }),
                shown(statistics.map { $0.maximumQuantity() }),
            ]
        for (index, statistics) in statistics.enumerated() {
            table.add([label(statistics)] + cells.map { $0[index] })
        }
        return table.text()
    }

    var chart: String {
        guard !statistics.isEmpty else { return "No samples.\n" }
        let quantities = statistics.map { isCumulative ? $0.sumQuantity() : $0.averageQuantity() }
        let figures = shown(quantities)
        let rows = statistics.indices.map { index in
            BarChart.Row(
                label: label(statistics[index]), value: quantities[index]?.doubleValue(for: unit),
                shown: quantities[index] == nil ? "–" : "\(figures[index]) \(unitName)")
        }
        return BarChart(rows: rows).text(columns: Terminal.output.columns)
    }

    private var unitName: String { unit.unitString }
}
