import ArgumentParser
import Foundation
import HealthAnswers
import HealthEngine
import HealthModel

/// Statistics as a table or as bars.
struct StatisticsListing {
    private enum Entry {
        case statistics(Statistic)
        /// A time without data, in seconds, whose intervals a chart doesn't show.
        case gap(TimeInterval)
    }

    typealias Statistic = StatisticsAnswer.Statistic

    let answer: StatisticsAnswer
    let interval: StatisticsInterval?
    let dates: DateOutput

    private var unit: String { NumberOutput.name(ofUnit: answer.unit) }
    private var isCumulative: Bool { answer.type.aggregationStyle?.isCumulative ?? false }

    func label(_ statistics: Statistic) -> String {
        interval?.label(statistics, dates) ?? dates.span(statistics)
    }

    private func shown(_ values: [Double?]) -> [String] {
        NumberOutput.column(values, unit)
    }

    var table: Table {
        let statistics = answer.statistics
        let period = Table.Column.text(interval?.rawValue ?? "period")
        let figures = isCumulative ? ["sum"] : ["average", "minimum", "maximum"]
        var table = Table([period] + figures.map { Table.Column.number("\($0) (\(unit))") })
        let cells =
            isCumulative
            ? [shown(statistics.map { $0.values.sum })]
            : [
                shown(statistics.map { $0.values.average }), shown(statistics.map { $0.values.minimum }),
                shown(statistics.map { $0.values.maximum }),
            ]
        for (index, statistics) in statistics.enumerated() {
            table.add([label(statistics)] + cells.map { $0[index] })
        }
        return table
    }

    var chart: String {
        let entries = entries
        let statistics = entries.compactMap { if case .statistics(let statistics) = $0 { statistics } else { nil } }
        return isCumulative ? bars(statistics, entries) : ranges(statistics, entries)
    }

    private func bars(_ statistics: [Statistic], _ entries: [Entry]) -> String {
        let sums = statistics.map { $0.values.sum }
        let figures = shown(sums)
        let rows = statistics.indices.map { index in
            BarChart.Row(
                label: label(statistics[index]), value: sums[index],
                shown: sums[index] == nil ? "–" : "\(figures[index]) \(unit)")
        }
        return BarChart(rows: withGaps(rows, entries) { BarChart.Row(label: $0, value: nil, shown: "–") })
            .text()
    }

    private func ranges(_ statistics: [Statistic], _ entries: [Entry]) -> String {
        let averages = statistics.map { $0.values.average }
        let figures = shown(averages)
        let (lows, highs) = (shown(statistics.map { $0.values.minimum }), shown(statistics.map { $0.values.maximum }))
        let rows = statistics.indices.map { index in
            RangeChart.Row(
                label: label(statistics[index]), minimum: statistics[index].values.minimum, average: averages[index],
                maximum: statistics[index].values.maximum,
                shown: averages[index] == nil ? "–" : "\(lows[index])–\(highs[index])  \(figures[index]) \(unit)")
        }
        let least = statistics.compactMap { $0.values.minimum }.min()
        let greatest = statistics.compactMap { $0.values.maximum }.max()
        let scale = shown([least, greatest])
        return RangeChart(
            rows: withGaps(rows, entries) { RangeChart.Row(label: $0, shown: "–") }, scale: (scale[0], scale[1])
        )
        .text()
    }

    /// Returns the rows of the statistics with those of gaps between them.
    ///
    /// - Parameter makeRow: Makes the row of a gap with a label.
    private func withGaps<Row>(_ rows: [Row], _ entries: [Entry], _ makeRow: (String) -> Row) -> [Row] {
        var rest = rows[...]
        return entries.compactMap { entry -> Row? in
            switch entry {
            case .statistics: rest.popFirst()
            case .gap(let seconds): interval.map { makeRow("… \($0.count(in: seconds)) \($0.rawValue)s") }
            }
        }
    }

    /// A chart shows intervals without data, too, but not those of years.
    private var entries: [Entry] {
        var entries: [Entry] = []
        for (index, statistic) in answer.statistics.enumerated() {
            entries.append(.statistics(statistic))
            guard index + 1 < answer.statistics.count, let intervals = answer.intervals?.intervals else { continue }
            let next = answer.statistics[index + 1].start
            let gap = next - statistic.end
            if gap > Double(Self.maximumEmptyIntervals) * (statistic.end - statistic.start) {
                entries.append(.gap(gap))
            } else if gap > 0,
                let bounds = intervals.bounds(
                    from: statistic.end, through: next.nextDown, maximumCount: 2 * Self.maximumEmptyIntervals)
            {
                entries += zip(bounds, bounds.dropFirst()).map {
                    .statistics(Statistic(start: $0, end: $1, unit: unit))
                }
            }
        }
        return entries
    }

    /// The number of consecutive intervals without data that a chart shows.
    private static let maximumEmptyIntervals = 400
}

/// The length of the intervals of statistics.
enum StatisticsInterval: String, ExpressibleByArgument, CaseIterable {
    case hour, day, week, month, quarter, year, weekday
    case hourOfDay = "hour-of-day"

    /// The intervals that the figures of this one are made from.
    var asked: String {
        switch self {
        case .weekday: "day"
        case .hourOfDay: "hour"
        default: rawValue
        }
    }

    /// The name of an interval, with the part of it that the figures are of.
    func label(_ statistic: StatisticsAnswer.Statistic, _ dates: DateOutput) -> String {
        label(Date(reference: statistic.start), statistic.cut, dates)
    }

    /// The name of the interval that begins at a date, with the part of it that the figures are of.
    func label(_ start: Date, _ cut: PeriodCut, _ dates: DateOutput) -> String {
        let from = cut.from.map { " from \(dates.short($0))" }
        let until = cut.until.map { " until \(dates.short($0, isEnd: true))" }
        return name(start, dates) + (from ?? "") + (until ?? "")
    }

    /// The name of the interval that begins at a date.
    private func name(_ start: Date, _ dates: DateOutput) -> String {
        switch self {
        case .hour, .hourOfDay: dates.minute(start)
        case .day, .weekday: dates.weekday(start)
        case .week: "week of \(dates.day(start))"
        case .month: String(dates.day(start + 15 * Self.secondsPerDay).prefix(7))
        case .quarter: "\(dates.day(start).prefix(4)) Q\(dates.calendar.component(.quarter, from: start))"
        case .year: String(dates.day(start + 182 * Self.secondsPerDay).prefix(4))
        }
    }

    /// The approximate number of intervals in a time.
    func count(in seconds: TimeInterval) -> Int {
        let length =
            switch self {
            case .hour, .hourOfDay: Self.secondsPerDay / 24
            case .day, .weekday: Self.secondsPerDay
            case .week: 7 * Self.secondsPerDay
            case .month: 30.436875 * Self.secondsPerDay
            case .quarter: 91.310625 * Self.secondsPerDay
            case .year: 365.2425 * Self.secondsPerDay
            }
        return Int((seconds / length).rounded())
    }

    /// Months and years are named by their middle: those of a `Calendar` before 1582 begin up to ten days before or
    /// after the Gregorian ones.
    private static let secondsPerDay: TimeInterval = 86_400
}
