import ArgumentParser
import Foundation
import HealthAnswers
import HealthEngine
import HealthInsights

/// `hk sleep`: nights of sleep, with naps apart.
struct SleepCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sleep", abstract: "Show nights of sleep.",
        discussion: """
            Shows the last 14 nights unless a range is given. A night belongs to the day on which it ends, in the time zone \
            where it was recorded unless --time-zone is given. Sources are merged, so that no time counts twice; times are \
            in hours and minutes. Naps are listed apart from the main sleep.

              hk sleep
              hk sleep --last 6w
              hk sleep --last 30d --compare 1y
              hk sleep --from 2024-05-17 --to 2024-05-17 --json
            """)

    @OptionGroup var range: RangeOptions
    @OptionGroup var sources: SourceOptions
    @OptionGroup var options: StoreOptions

    @Option(
        name: .long,
        help: "Compare the averages with those of the previous nights, as many, or of those 7d, 1m or 1y earlier.")
    var compare: String?

    func run() async throws {
        let calendar = try range.calendar(options)
        var parameters = try range.parameters(calendar).merging(RangeOptions.recordedTimeZones(range.timeZone)) { $1 }
        parameters.merge(try sources.parameters(options.engine().dictionaries())) { $1 }
        if let compare { parameters.merge(try range.parameters(compare: compare, calendar)) { $1 } }
        try await options.answer(SleepQuestion.self, parameters, calendar: calendar) {
            guard $0.nights.isEmpty else { return SleepListing(answer: $0, calendar: calendar).text }
            return try options.nothing(
                "sleep", of: ["HKCategoryTypeIdentifierSleepAnalysis"], range, calendar,
                usual: calendar.startOfDay(-13, after: CurrentTime.now))
        }
    }
}
