import ArgumentParser
import Foundation
import HealthInsights
import HealthKit

/// `hk today`: the day so far on one screen, beside the last four weeks.
struct TodayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "today", abstract: "Compare today so far with the last four weeks.",
        discussion: """
            Shows the activity rings, the energy balance, steps, heart rate, last night and the latest workout. “by now” is \
            what the days of the last four weeks had on average until this time of day, “a day” what they had in the end. Days \
            without samples don’t count.
            """)

    @Option(
        name: .long, help: "The time zone that defines the day (default: the one given at import, or the system’s).")
    var timeZone: String?

    @OptionGroup var options: StoreOptions

    func validate() throws {
        if let timeZone, TimeZone(identifier: timeZone) == nil {
            throw ValidationError("“\(timeZone)” is not a time zone. Use a name like Europe/Berlin.")
        }
    }

    func run() async throws {
        var calendar = RangeOptions.machineCalendar
        if let zone = try timeZone.flatMap({ TimeZone(identifier: $0) }) ?? options.personTimeZone() {
            calendar.timeZone = zone
        }
        calendar.firstWeekday = 2
        let store = try options.openStore(calendar: calendar)
        let reader = TodayReader(
            store: store, calendar: calendar,
            sleepReader: try options.sleepReader(calendar: calendar, usesRecordedTimeZones: timeZone == nil))
        let listing = TodayListing(
            summary: try await reader.summary(now: CurrentTime.now), dates: DateOutput(calendar: calendar),
            units: try await WorkoutUnits(store: store))
        if options.json {
            try JSONOutput.print(listing.answer)
        } else {
            print(listing.text, terminator: "")
        }
    }
}
