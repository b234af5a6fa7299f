import ArgumentParser
import Foundation
import HealthEngine
import HealthInsights
import HealthKit
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
        if type.kind == .category { return try await runCategory(type) }
        guard type.kind == .quantity, type.aggregationStyle != nil else {
            let hint = type.kind == .workout ? " Use “hk workouts”." : ""
            throw UsageError(
                "Statistics aren’t available for “\(TypeName.short(type.identifier))”: it is neither a quantity nor a category type.\(hint)"
            )
        }
        let report = QuantityReport(
            type: type, range: range.requested, interval: every, unit: unit,
            form: options.json ? .json : chart ? .chart : .table)
        try StandardOutput.send(Array(report.text(of: options.engine()).utf8))
    }

    /// Prints how often and how long a category type had each value.
    private func runCategory(_ type: TypeDescription) async throws {
        if let unit {
            throw UsageError(
                "“\(unit)” is not a unit of \(TypeName.short(type.identifier)), whose values are times and numbers of samples."
            )
        }
        let calendar = try range.calendar(options)
        let (start, end) = try range.interval(now: CurrentTime.now, calendar: calendar)
        let own = try options.engine().ownOrder(ofType: type.identifier)
        let times: [CategoryTimes]
        if type.identifier == HKCategoryTypeIdentifier.sleepAnalysis.rawValue, every != .hour {
            times = try await SleepTimes(
                reader: options.sleepReader(calendar: calendar, usesRecordedTimeZones: range.timeZone == nil),
                calendar: calendar
            ).times(from: start, to: end, every: every?.calendarComponent)
        } else {
            times = try await CategoryTimeReader(
                store: options.openStore(calendar: calendar), calendar: calendar, sourceOrder: own.order,
                excludedSources: own.disabled
            ).times(
                of: HKCategoryType(HKCategoryTypeIdentifier(rawValue: type.identifier)), from: start, to: end,
                every: every?.calendarComponent)
        }
        let listing = CategoryListing(times: times, type: type, interval: every, dates: DateOutput(calendar: calendar))
        if options.json {
            try JSONOutput.print(listing.answers)
        } else {
            print(chart ? listing.chart : listing.table, terminator: "")
        }
    }
}
