import Foundation
import HealthAnswers
import HealthInsights
import HealthKit

/// Nights as a table, with their averages, or only these beside those of other nights.
struct SleepListing {
    let answer: SleepAnswer
    let calendar: Calendar

    private var nights: [SleepNight] { answer.nights }

    var text: String {
        let stages = SleepStage.shown.filter { stage in
            nights.contains { ($0.main?.duration(of: stage) ?? 0) > 0 }
        }
        let titles = ["from", "to", "asleep", "in bed", "eff."] + stages.map(\.title)
        let hasNaps = nights.contains { !$0.naps.isEmpty }
        if let comparison = answer.comparison { return text(comparison, titles, stages) }
        var table = Table(
            ["night"] + (titles + (hasNaps ? ["naps"] : [])).map { .number($0) })
        for night in nights {
            table.add(
                [day(night)] + cells(night.main, stages) + (hasNaps ? [night.naps.isEmpty ? "" : naps(night)] : []))
        }
        if nights.count > 1 { table.add(["average"] + averages(nights, stages) + (hasNaps ? [""] : [])) }
        return table.text() + extremes + travel
    }

    /// The averages of the nights and of those that they are compared with.
    private func text(_ comparison: SleepAnswer.Comparison, _ titles: [String], _ stages: [SleepStage]) -> String {
        var table = Table([.init(title: "average")] + titles.map { .init(title: $0, isNumber: true) })
        for nights in [nights, comparison.nights] {
            guard let first = nights.first, let last = nights.last else { continue }
            table.add(["\(day(first)) – \(day(last))"] + averages(nights, stages))
        }
        guard let before = SleepAverages(comparison.nights).timeAsleep, let after = SleepAverages(nights).timeAsleep
        else { return table.text() + "The earlier range has no data.\n" }
        return table.text() + "\nAsleep: \(after > before ? "+" : "")\(DurationOutput.hours(after - before)), "
            + "\(StatisticsComparison.percent(before > 0 ? (after - before) / before : nil))\n"
    }

    /// The sum of all nights and naps, and the longest and the shortest night.
    private var extremes: String {
        guard nights.count > 1, let longest = answer.longest, let shortest = answer.shortest else { return "" }
        func text(_ night: SleepNight) -> String { "\(DurationOutput.hours(night.timeAsleep)) on \(day(night))" }
        let extremes =
            "Asleep: \(DurationOutput.hours(answer.totalTimeAsleep)) in \(NumberOutput.counted(nights.count, "night")), "
            + "longest \(text(longest)), shortest \(text(shortest))."
        return "\n\(Terminal.output.wrapped(extremes, after: 2))\n"
    }

    private func day(_ night: SleepNight) -> String {
        DateOutput(calendar: DateArgument.calendar(in: night.timeZone)).day(night.date)
    }

    private func naps(_ night: SleepNight) -> String {
        DurationOutput.hours(night.naps.reduce(0) { $0 + ($1.timeAsleep ?? $1.timeInBed) })
    }

    private func cells(_ period: SleepPeriod?, _ stages: [SleepStage]) -> [String] {
        guard let period else { return Array(repeating: "–", count: 5) + stages.map { _ in "" } }
        let dates = DateOutput(calendar: DateArgument.calendar(in: period.timeZone))
        return [
            String(dates.minute(period.start).suffix(5)), String(dates.minute(period.end).suffix(5)),
            DurationOutput.hours(period.timeAsleep), DurationOutput.hours(period.timeInBed), percent(period.efficiency),
        ]
            + stages.map { stage in
                let seconds = period.duration(of: stage)
                return seconds > 0 ? DurationOutput.hours(seconds) : ""
            }
    }

    private func averages(_ nights: [SleepNight], _ stages: [SleepStage]) -> [String] {
        let averages = SleepAverages(nights)
        return [
            averages.startTime.map { DurationOutput.timeOfDay($0) } ?? "–",
            averages.endTime.map { DurationOutput.timeOfDay($0) } ?? "–", DurationOutput.hours(averages.timeAsleep),
            DurationOutput.hours(averages.timeInBed), percent(averages.efficiency),
        ] + stages.map { stage in averages.stages[stage].flatMap { $0 > 0 ? DurationOutput.hours($0) : nil } ?? "" }
    }

    private func percent(_ share: Double?) -> String {
        share.map { "\(NumberOutput.text(100 * $0, digits: 0)) %" } ?? "–"
    }

    /// The nights in other time zones.
    private var travel: String {
        let other = nights.filter {
            $0.timeZone.secondsFromGMT(for: $0.date) != calendar.timeZone.secondsFromGMT(for: $0.date)
        }
        guard !other.isEmpty else { return "" }
        let zones = Dictionary(grouping: other) { $0.timeZone.identifier }.sorted {
            $0.value[0].date < $1.value[0].date
        }
        return "\n" + zones.map { "In \($0.key): \($0.value.map(day).joined(separator: ", "))\n" }.joined()
    }
}

extension SleepStage {
    /// The stages with a separate column. Time in bed has one before them.
    fileprivate static let shown: [SleepStage] = [.deep, .core, .rem, .awake]

    fileprivate var title: String { self == .rem ? "REM" : NameOutput.words("\(self)") }
}
