import Foundation
import HealthAnswers
import HealthInsights
import HealthModel

/// The figures of two ranges side by side.
struct StatisticsComparison {
    let answer: StatisticsAnswer
    let dates: DateOutput

    var table: String {
        let isCumulative = answer.type.aggregationStyle?.isCumulative ?? false
        let unit = NumberOutput.name(ofUnit: answer.unit)
        let periods = [answer.summary?.figures, answer.comparison?.summary?.figures].compactMap(\.self)
        func shown(_ values: [Double?]) -> [String] {
            NumberOutput.column(unit == "%" ? values.map { $0.map(NumberOutput.percent) } : values)
        }
        var columns = [Table.Column(title: "period")]
        if isCumulative { columns.append(.init(title: "sum (\(unit))", isNumber: true)) }
        columns.append(.init(title: "\(isCumulative ? "a day" : "average") (\(unit))", isNumber: true))
        columns.append(.init(title: "days", isNumber: true))
        var table = Table(columns)
        let (totals, averages) = (shown(periods.map(\.total)), shown(periods.map(\.average)))
        for (index, period) in periods.enumerated() {
            let name = "\(dates.day(period.interval.start)) – \(dates.day(period.interval.end - 1))"
            table.add(
                [name] + (isCumulative ? [totals[index]] : []) + [
                    averages[index], NumberOutput.grouped(period.daysWithData),
                ])
        }
        if periods.count == 2 {
            let change = PeriodComparison(first: periods[1], second: periods[0])
            table.add(
                ["change"] + (isCumulative ? [percent(change.relativeTotalChange)] : []) + [
                    percent(change.relativeChange), "",
                ])
        }
        return table.text()
    }

    /// `+9.3 %`.
    private func percent(_ share: Double?) -> String {
        share.map { "\($0 > 0 ? "+" : "")\(NumberOutput.text(100 * $0, digits: 1)) %" } ?? "–"
    }
}
