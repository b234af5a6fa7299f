import Foundation
import HealthInsights
import HealthKit
import HealthModel

/// The times and counts of a category type as a table, as bars, or as JSON.
struct CategoryListing {
    let times: [CategoryTimes]
    let type: TypeDescription
    let interval: StatisticsInterval?
    let dates: DateOutput

    struct Answer: Encodable {
        struct Value: Encodable {
            var value: Int
            var valueName: String?
            var count: Int
            /// Seconds.
            var duration: Double
        }

        var startDate: String
        var endDate: String
        var count: Int
        var duration: Double
        var values: [Value]
    }

    var answers: [Answer] {
        times.map { times in
            Answer(
                startDate: dates.iso(times.interval.start), endDate: dates.iso(times.interval.end), count: times.count,
                duration: times.duration,
                values: times.values.map { value in
                    Answer.Value(
                        value: value.value,
                        valueName: CategoryValueName.identifier(value.value, enumeration: type.categoryEnumeration),
                        count: value.count, duration: value.duration)
                })
        }
    }

    private var isSleep: Bool { type.identifier == HKCategoryTypeIdentifier.sleepAnalysis.rawValue }

    /// Whether samples of the type last, as sleep does. The others are events, such as most symptoms.
    private var hasDurations: Bool { times.contains { $0.duration > 0 } }

    private func label(_ times: CategoryTimes) -> String {
        interval?.label(times.interval.start, dates)
            ?? "\(dates.minute(times.interval.start)) – \(dates.minute(times.interval.end))"
    }

    private func name(_ value: Int) -> String {
        let name = CategoryValueName.text(value, enumeration: type.categoryEnumeration)
        guard isSleep, name != "asleep unspecified", name.hasPrefix("asleep ") else {
            return name == "–" ? "samples" : name
        }
        return String(name.dropFirst("asleep ".count))
    }

    var table: String {
        guard !times.isEmpty else { return "No samples.\n" }
        return interval == nil ? totals : intervals
    }

    /// One line per value.
    private var totals: String {
        var table = Table(
            [
                .init(title: times.first.map { label($0) } ?? ""),
                // Merging joins and divides the samples of nights.
                .init(title: isSleep ? "segments" : "samples", isNumber: true),
            ]
                + (hasDurations ? [.init(title: "time", isNumber: true)] : []))
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
        for times in times {
            var cells = [label(times)]
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

    /// Bars of the time asleep or stood, of the time in all values of other types, or of the number of samples.
    var chart: String {
        guard !times.isEmpty else { return "No samples.\n" }
        let counted: Set<Int>? =
            switch type.identifier {
            case HKCategoryTypeIdentifier.sleepAnalysis.rawValue:
                Set(SleepStage.allCases.filter(\.isAsleep).map(\.value.rawValue))
            case HKCategoryTypeIdentifier.appleStandHour.rawValue: [HKCategoryValueAppleStandHour.stood.rawValue]
            default: nil
            }
        let rows = times.map { times in
            let values = times.values.filter { counted?.contains($0.value) ?? true }
            let (seconds, count) = (values.reduce(0) { $0 + $1.duration }, values.reduce(0) { $0 + $1.count })
            return BarChart.Row(
                label: label(times), value: hasDurations ? seconds : Double(count),
                shown: hasDurations ? "\(DurationOutput.hours(seconds)) h" : NumberOutput.grouped(count))
        }
        return BarChart(rows: rows).text(columns: Terminal.output.columns)
    }
}

/// The times of sleep, by the days on which nights end.
struct SleepTimes {
    let reader: SleepReader
    let calendar: Calendar

    /// The times of the calendar intervals that have sleep, in ascending order; of all nights without a component.
    func times(from start: Date?, to end: Date?, every component: Calendar.Component?) async throws -> [CategoryTimes] {
        // No sleep was recorded before or will be after.
        let (first, last) = (start ?? Date(reference: -6e9), end ?? Date(reference: 6e9))
        let nights = try await reader.nights(in: DateInterval(start: first, end: max(first, last)))
        guard let earliest = nights.first, let latest = nights.last else { return [] }
        let whole = DateInterval(start: day(earliest).start, end: day(latest).end)
        let groups = Dictionary(grouping: nights) { night in
            component.flatMap { calendar.dateInterval(of: $0, for: day(night).start) } ?? whole
        }
        return groups.sorted { $0.key.start < $1.key.start }.map { interval, nights in
            let segments = nights.flatMap { ([$0.main].compactMap { $0 } + $0.naps).flatMap(\.segments) }
            return CategoryTimes(
                interval: interval,
                values: Dictionary(grouping: segments) { $0.stage.value.rawValue }.sorted { $0.key < $1.key }.map {
                    value, segments in
                    CategoryTimes.Value(
                        value: value, count: segments.count, duration: segments.reduce(0) { $0 + $1.duration })
                })
        }
    }

    /// The day of a night in this calendar, whatever time zone the night was in.
    private func day(_ night: SleepNight) -> DateInterval {
        let start = calendar.date(from: night.day) ?? night.date
        return calendar.dateInterval(of: .day, for: start) ?? DateInterval(start: start, duration: 86_400)
    }
}
