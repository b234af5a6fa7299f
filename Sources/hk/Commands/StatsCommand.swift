import ArgumentParser
import Foundation
import HealthAnswers
import HealthEngine
import HealthModel

/// `hk stats TYPE`: sums, averages, minima and maxima, in total or by interval.
struct StatsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats", abstract: "Show statistics of a quantity or category type.",
        discussion: """
            Sources that measured at the same time are merged. Cumulative types, such as steps, have sums; \
            discrete types, such as heart rate, have an average, a minimum and a maximum. Category types, such as sleep, have \
            the number of samples and the time in hours and minutes of each value; a night of sleep belongs to the day on which \
            it ends.

              hk stats stepCount --every day --last 7d --chart
              hk stats heartRate --every month --from 2024 --json
              hk stats sleepAnalysis --every week --last 6w
            """)

    @Argument(help: "The data type, such as stepCount or steps.", completion: TypeCompletion.name)
    var type: String

    @OptionGroup var range: RangeOptions
    @OptionGroup var options: StoreOptions

    @Option(name: .long, help: "Print one line per hour, day, week, month or year.")
    var every: StatisticsInterval?

    @Option(name: .long, help: "The unit of the result (default: the person’s preferred unit).")
    var unit: String?

    @Flag(name: .long, help: "Draw a chart: bars of sums and times, ranges of discrete types.")
    var chart = false

    func run() async throws {
        let type = try TypeName.resolve(type, dictionaries: options.engine().dictionaries())
        let calendar = try range.calendar(options)
        try await options.answer(
            StatisticsQuestion.self,
            try range.parameters(calendar).merging(RangeOptions.recordedTimeZones(range.timeZone)) { $1 }.merging([
                "type": type.identifier, "interval": every?.rawValue, "unit": unit,
            ]) { $1 }, calendar: calendar
        ) { answer in
            let dates = DateOutput(calendar: calendar)
            guard type.kind == .category else {
                let listing = StatisticsListing(answer: answer, interval: every, dates: dates)
                return chart ? listing.chart : listing.table
            }
            let listing = CategoryListing(
                times: answer.statistics.compactMap(\.times), type: type, interval: every, dates: dates)
            return chart ? listing.chart : listing.table
        }
    }
}
