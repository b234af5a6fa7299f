import ArgumentParser
import Foundation
import HealthAnswers
import HealthEngine
import HealthInsights
import HealthModel

/// `hk stats TYPE`: sums, averages, minima and maxima, in total or by interval.
struct StatsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats", abstract: "Show statistics of a quantity or category type.",
        discussion: """
            Sources that measured at the same time are merged. Cumulative types, such as steps, have sums; discrete \
            types, such as heart rate, have an average, a minimum and a maximum. Category types, such as sleep, have \
            the number of samples and the time in hours and minutes of each value; a night of sleep belongs to the day \
            on which it ends. For blood pressure, both figures are shown. A period that is only partly in the range is \
            marked.

              hk stats stepCount --every day --last 7d --chart
              hk stats heartRate --every month --from 2024 --json
              hk stats sleepAnalysis --every week --last 6w
              hk stats steps --every weekday --last 1y
              hk stats steps --every day --top 5
              hk stats steps --last 30d --compare previous
            """)

    @Argument(help: "The data type, such as stepCount or steps.", completion: TypeCompletion.name)
    var type: String

    @OptionGroup var range: RangeOptions
    @OptionGroup var options: StoreOptions

    @Option(
        name: .long,
        help: "Print one line per hour, day, week, month or year, or the mean of each weekday or hour-of-day.")
    var every: StatisticsInterval?

    @Option(name: .long, help: "Print only the N highest lines, such as the days with the most steps.")
    var top: Int?

    @Option(
        name: .long,
        help: "Compare the range with the previous range of the same length, or with the one 7d, 1m or 1y earlier.")
    var compare: String?

    @Option(name: .long, help: "The unit of the result (default: the person’s preferred unit).")
    var unit: String?

    @Flag(name: .long, help: "Draw a chart: bars of sums and times, ranges of discrete types.")
    var chart = false

    func validate() throws {
        if compare != nil, every != nil || chart {
            throw ValidationError("--compare can’t be combined with --every or --chart.")
        }
        guard let top else { return }
        if top < 1 { throw ValidationError("--top must be at least 1.") }
        guard let every, every != .weekday, every != .hourOfDay, !chart else {
            throw ValidationError("--top needs --every hour, day, week, month or year, and no --chart.")
        }
    }

    func run() async throws {
        let type = try TypeName.resolveSampled(type, dictionaries: options.engine().dictionaries())
        let calendar = try range.calendar(options)
        let dates = DateOutput(calendar: calendar)
        var parameters = try range.parameters(calendar).merging(RangeOptions.recordedTimeZones(range.timeZone)) { $1 }
        parameters.merge(["type": type.identifier, "interval": every?.asked, "unit": unit]) { $1 }
        if type.identifier == BloodPressureListing.type { return try await printPairs(parameters, calendar) }
        if let compare {
            guard type.kind == .quantity else { throw UsageError("--compare is for quantities, such as steps.") }
            parameters.merge(try range.parameters(compare: compare, calendar)) { $1 }
        }
        let isPattern = every == .weekday || every == .hourOfDay
        if every == .hourOfDay, type.kind != .quantity {
            throw UsageError("--every hour-of-day is for quantities, such as steps.")
        }
        var answer = try await options.ask(StatisticsQuestion.self, parameters, calendar: calendar)
        if let top { answer.statistics = Self.highest(top, of: answer.statistics, type) }
        if isPattern, let every, !answer.statistics.isEmpty || options.json {
            let pattern = StatisticsPattern(answer, by: every, calendar: calendar)
            if options.json { return try JSONOutput.print(pattern.answer(type, every)) }
            return try StandardOutput.send(Array((chart ? pattern.chart : pattern.table).utf8))
        }
        try options.show(answer, calendar: calendar) { answer in
            guard !answer.statistics.isEmpty else {
                return try options.nothing("samples", of: [type.identifier], range, calendar)
            }
            if compare != nil {
                let nothing = answer.comparison?.summary?.figures == nil ? "The earlier range has no data.\n" : ""
                return StatisticsComparison(answer: answer, dates: dates).table + nothing
            }
            guard type.kind == .category else {
                let listing = StatisticsListing(answer: answer, interval: every, dates: dates)
                return chart ? listing.chart : listing.table
            }
            let listing = CategoryListing(statistics: answer.statistics, type: type, interval: every, dates: dates)
            return chart ? listing.chart : listing.table
        }
    }

    /// The intervals with the highest sums, maxima or times, the highest first.
    private static func highest(
        _ count: Int, of statistics: [StatisticsAnswer.Statistic], _ type: TypeDescription
    ) -> [StatisticsAnswer.Statistic] {
        let lasts = statistics.contains { ($0.times?.duration ?? 0) > 0 }
        func figure(_ statistic: StatisticsAnswer.Statistic) -> Double {
            if let times = statistic.times { return CategoryListing.figure(of: times, type, hasDurations: lasts) }
            return statistic.values.sum ?? statistic.values.maximum ?? -Double.infinity
        }
        // Of equal ones, the earlier first.
        return Array(statistics.sorted { (figure($0), $1.start) > (figure($1), $0.start) }.prefix(count))
    }

    /// Prints both figures of blood pressure side by side.
    private func printPairs(_ parameters: [String: String?], _ calendar: Calendar) async throws {
        guard compare == nil, every != .weekday, every != .hourOfDay, !chart, top == nil else {
            throw UsageError(
                "A blood pressure is two quantities. Ask for bloodPressureSystolic or bloodPressureDiastolic instead.")
        }
        var answers: [StatisticsAnswer] = []
        for part in BloodPressureListing.parts {
            let parameters = parameters.merging(["type": part]) { $1 }
            answers.append(try await options.ask(StatisticsQuestion.self, parameters, calendar: calendar))
        }
        if options.json {
            let parts = zip(["systolic", "diastolic"], answers).map { name, answer in
                Array("\"\(name)\":".utf8) + answer.json(timeZone: calendar.timeZone)
            }.joined(separator: Array(",".utf8))
            return try StandardOutput.send(
                Array("{\"type\":\"\(BloodPressureListing.type)\",".utf8) + parts + Array("}\n".utf8))
        }
        let listing = BloodPressureListing(
            systolic: answers[0], diastolic: answers[1], interval: every, dates: DateOutput(calendar: calendar))
        let text =
            answers[0].statistics.isEmpty
            ? try options.nothing("samples", of: [BloodPressureListing.type], range, calendar) : listing.table
        try StandardOutput.send(Array(text.utf8))
    }
}
