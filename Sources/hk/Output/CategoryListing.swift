import Foundation
import HealthAnswers
import HealthInsights
import HealthKit
import HealthModel

/// The times and counts of a category type as a table or as bars.
struct CategoryListing {
    let answer: StatisticsAnswer
    let interval: StatisticsInterval?
    let dates: DateOutput

    private var statistics: [StatisticsAnswer.Statistic] { answer.statistics }
    private var type: TypeDescription { answer.type }
    private var times: [CategoryTimes] { statistics.compactMap(\.times) }
    private var labels: [String] { statistics.map { interval?.label($0, dates) ?? dates.span($0) } }

    private var isSleep: Bool { type.identifier == HKCategoryTypeIdentifier.sleepAnalysis.rawValue }

    private var hasDurations: Bool { answer.isTime }

    private func name(_ value: Int) -> String {
        let name = NameOutput.text(value, of: type)
        guard isSleep, name != "asleep unspecified", name.hasPrefix("asleep ") else {
            return name == "–" ? "samples" : name
        }
        return String(name.dropFirst("asleep ".count))
    }

    var table: Table {
        interval == nil ? totals : intervals
    }

    /// One line per value.
    private var totals: Table {
        var table = Table(
            [
                .text(labels.first ?? ""),
                // Merging joins and divides the samples of nights.
                .number(isSleep ? "segments" : "samples"),
            ] + (hasDurations ? [.number("time")] : []))
        for value in times.flatMap(\.values) {
            table.add(
                [name(value.value), NumberOutput.grouped(value.count)]
                    + (hasDurations ? [DurationOutput.hours(value.duration)] : []))
        }
        if isSleep { table.add(["all asleep", "", DurationOutput.hours(answer.figures.first ?? nil)]) }
        return table
    }

    /// One line per interval, with the time in each value, or the number of its samples if they don't last.
    private var intervals: Table {
        let values = Set(times.flatMap { $0.values.map(\.value) }).sorted()
        let isEvent = type.categoryEnumeration == "HKCategoryValue" || type.categoryEnumeration == nil
        var columns = [Table.Column.text(interval?.rawValue ?? "period")]
        if isEvent || !hasDurations { columns.append(.number("samples")) }
        if isEvent, hasDurations { columns.append(.number("time")) }
        if isSleep { columns.append(.number("asleep")) }
        if !isEvent { columns += values.map { .number(name($0)) } }
        var table = Table(columns)
        let (labels, figures) = (labels, answer.figures)
        for (index, times) in times.enumerated() {
            var cells = [labels[index]]
            if isSleep { cells.append(DurationOutput.hours(figures[index])) }
            if isEvent || !hasDurations { cells.append(NumberOutput.grouped(times.count)) }
            if isEvent, hasDurations { cells.append(DurationOutput.hours(times.duration)) }
            if !isEvent {
                cells += values.map { value in
                    if hasDurations {
                        let seconds = times.duration(of: value)
                        return seconds > 0 ? DurationOutput.hours(seconds) : ""
                    }
                    return times.count(of: value) > 0 ? NumberOutput.grouped(times.count(of: value)) : ""
                }
            }
            table.add(cells)
        }
        return table
    }

    /// Bars of the figures.
    var chart: String {
        let hasDurations = hasDurations
        let rows = zip(labels, answer.figures).map { label, figure in
            let figure = figure ?? 0
            return BarChart.Row(
                label: label, value: figure,
                shown: hasDurations ? "\(DurationOutput.hours(figure)) h" : NumberOutput.grouped(Int(figure)))
        }
        return BarChart(rows: rows).text()
    }
}
