import ArgumentParser
import Foundation
import HealthAnswers
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
              hk sleep --from 2024-05-17 --to 2024-05-17 --json
            """)

    @OptionGroup var range: RangeOptions
    @OptionGroup var options: StoreOptions

    func run() async throws {
        let calendar = try range.calendar(options)
        let zones = RangeOptions.recordedTimeZones(range.timeZone)
        try await options.answer(
            SleepQuestion.self, try range.parameters(calendar).merging(zones) { $1 }, calendar: calendar
        ) {
            guard $0.nights.isEmpty else { return SleepListing(nights: $0.nights, calendar: calendar).text }
            return try options.nothing(
                "sleep", of: ["HKCategoryTypeIdentifierSleepAnalysis"], range, calendar,
                usual: calendar.startOfDay(-13, after: CurrentTime.now))
        }
    }
}
