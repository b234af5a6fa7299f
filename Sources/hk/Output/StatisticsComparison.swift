import Foundation
import HealthAnswers
import HealthInsights
import HealthKit
import HealthModel

/// The figures of two ranges, or of two types, side by side.
struct StatisticsComparison {
    let answer: StatisticsAnswer
    let dates: DateOutput

    private var unit: String { NumberOutput.name(ofUnit: answer.unit) }
    private var isCumulative: Bool {
        answer.type.kind == .category || answer.type.aggregationStyle?.isCumulative ?? false
    }
    private var isTime: Bool { answer.isTime || answer.summary?.figures?.unit == .second() }

    private func shown(_ values: [Double?]) -> [String] {
        isTime ? values.map { DurationOutput.hours($0) } : NumberOutput.column(values, unit)
    }

    private func title(_ words: String) -> String {
        isTime ? words : "\(words) (\(answer.type.kind == .category ? "count" : unit))"
    }

    /// The sums and the averages of both ranges.
    var table: Table {
        let periods = [answer.summary?.figures, answer.comparison?.summary?.figures].compactMap(\.self)
        var columns = [Table.Column.text("period")]
        if isCumulative { columns.append(.number(title("sum"))) }
        columns.append(.number(title(isCumulative ? "a day" : "average")))
        columns.append(.number("days"))
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
                ["change"] + (isCumulative ? [Self.percent(change.relativeTotalChange)] : []) + [
                    Self.percent(change.relativeChange), "",
                ])
        }
        return table
    }

    /// The figure of each interval, and that of the earlier range.
    ///
    /// - Parameter earlier: Moves a date to the earlier range.
    func table(every interval: StatisticsInterval, earlier: (Date) -> Date) -> Table {
        var other = answer
        other.statistics = answer.comparison?.statistics ?? []
        let before = answer.statistics.map { statistic -> Double? in
            let middle = earlier(Date(reference: (statistic.start + statistic.end) / 2)).timeIntervalSinceReferenceDate
            return other.statistics.firstIndex { $0.start <= middle && middle < $0.end }.flatMap { other.figures[$0] }
        }
        var table = Table([
            .init(title: interval.rawValue), .number(title(isCumulative ? "sum" : "average")),
            .number("earlier"), .number("change"),
        ])
        let (after, shownAfter, shownBefore) = (answer.figures, shown(answer.figures), shown(before))
        for (index, statistic) in answer.statistics.enumerated() {
            let change = before[index].flatMap { old in after[index].flatMap { old == 0 ? nil : ($0 - old) / abs(old) }
            }
            table.add([interval.label(statistic, dates), shownAfter[index], shownBefore[index], Self.percent(change)])
        }
        return table
    }

    /// The figures of both types in the intervals that both have, and their correlation.
    func text(with second: StatisticsAnswer.Second, every interval: StatisticsInterval) -> String {
        var other = answer
        (other.type, other.unit, other.statistics) = (second.type, second.unit, second.statistics)
        let sides = [self, StatisticsComparison(answer: other, dates: dates)]
        let figures = [sides[0].shown(second.pairs.map(\.first)), sides[1].shown(second.pairs.map(\.second))]
        var table = Table(
            [.init(title: interval.rawValue)]
                + sides.map { .number($0.title(TypeName.short($0.answer.type.identifier))) })
        for (index, pair) in second.pairs.enumerated() {
            table.add([interval.label(pair.statistic, dates), figures[0][index], figures[1][index]])
        }
        let count = NumberOutput.counted(second.pairs.count, interval.rawValue)
        guard let correlation = second.correlation else {
            return table.text() + "\nNo correlation over \(count).\n"
        }
        // The names of Evans 1996.
        let words = ["very weak", "weak", "moderate", "strong", "very strong"][min(4, Int(abs(correlation) / 0.2))]
        return table.text() + "\nCorrelation: \(NumberOutput.text(correlation)) over \(count), \(words).\n"
    }

    /// `+9.3 %`.
    static func percent(_ share: Double?) -> String {
        share.map { "\($0 > 0 ? "+" : "")\(NumberOutput.text(100 * $0, digits: 1)) %" } ?? "–"
    }
}
