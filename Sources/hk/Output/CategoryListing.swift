import Foundation
import HealthAnswers
import HealthInsights
import HealthKit
import HealthModel

/// The times and counts of a category type as a table or as bars.
struct CategoryListing {
    let statistics: [StatisticsAnswer.Statistic]
    let type: TypeDescription
    let interval: StatisticsInterval?
    let dates: DateOutput

    private var times: [CategoryTimes] { statistics.compactMap(\.times) }
    private var labels: [String] { statistics.map { interval?.label($0, dates) ?? dates.span($0) } }

    private var isSleep: Bool { type.identifier == HKCategoryTypeIdentifier.sleepAnalysis.rawValue }

    /// Whether samples of the type last, as sleep does. The others are events, such as most symptoms.
    private var hasDurations: Bool { times.contains { $0.duration > 0 } }

    private func name(_ value: Int) -> String {
        let name = NameOutput.text(value, of: type)
        guard isSleep, name != "asleep unspecified", name.hasPrefix("asleep ") else {
            return name == "–" ? "samples" : name
        }
        return String(name.dropFirst("asleep ".count))
    }

    var table: String {
        return interval == nil ? totals : intervals
    }

    /// One line per value.
    private var totals: String {
        var table = Table(
            [
                .init(title: labels.first ?? ""),
                // Merging joins and divides the samples of nights.
                .init(title: isSleep ? "segments" : "samples", isNumber: true),
            ] + (hasDurations ? [.init(title: "time", isNumber: true)] : []))
        for value in times.flatMap(\.values) {
            table.add(
                [name(value.value), NumberOutput.grouped(value.count)]
                    + (hasDurations ? [DurationOutput.hours(value.duration)] : []))
        }
        return table.text()
    }

    /// One line per interval, with the time in each value, or the number of its samples if they don't last.
    private var intervals: String {
        let values = Set(times.flatMap { $0.values.map(\.value) }).sorted()
        let isEvent = type.categoryEnumeration == "HKCategoryValue" || type.categoryEnumeration == nil
        var columns = [Table.Column(title: interval?.rawValue ?? "period")]
        if isEvent || !hasDurations { columns.append(.init(title: "samples", isNumber: true)) }
        if isEvent, hasDurations { columns.append(.init(title: "time", isNumber: true)) }
        if !isEvent { columns += values.map { .init(title: name($0), isNumber: true) } }
        var table = Table(columns)
        for (label, times) in zip(labels, times) {
            var cells = [label]
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
        return table.text()
    }

    /// The seconds asleep or stood, those in all values of other types, or the number of samples if they don't last.
    static func figure(of times: CategoryTimes, _ type: TypeDescription, hasDurations: Bool) -> Double {
        let counted: Set<Int>? =
            switch type.identifier {
            case HKCategoryTypeIdentifier.sleepAnalysis.rawValue:
                Set(SleepStage.allCases.filter(\.isAsleep).map(\.value.rawValue))
            case HKCategoryTypeIdentifier.appleStandHour.rawValue: [HKCategoryValueAppleStandHour.stood.rawValue]
            default: nil
            }
        let values = times.values.filter { counted?.contains($0.value) ?? true }
        let (seconds, count) = (values.reduce(0) { $0 + $1.duration }, values.reduce(0) { $0 + $1.count })
        return hasDurations ? seconds : Double(count)
    }

    /// Bars of the figures.
    var chart: String {
        let hasDurations = hasDurations
        let rows = zip(labels, times).map { label, times in
            let figure = Self.figure(of: times, type, hasDurations: hasDurations)
            return BarChart.Row(
                label: label, value: figure,
                shown: hasDurations ? "\(DurationOutput.hours(figure)) h" : NumberOutput.grouped(Int(figure)))
        }
        return BarChart(rows: rows).text()
    }
}
