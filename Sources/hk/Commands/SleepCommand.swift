import ArgumentParser
import Foundation
import HealthEngine
import HealthInsights
import HealthKit
import HealthModel

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
        let given = try range.interval(now: CurrentTime.now, calendar: calendar)
        let isOpen = range.from == nil && range.to == nil && range.last == nil
        let today = calendar.startOfDay(for: CurrentTime.now)
        let usual = calendar.date(byAdding: .day, value: -13, to: today) ?? today
        let start = isOpen ? usual : given.start ?? .distantSleepPast
        // In other time zones it may be tomorrow already.
        let end = given.end ?? calendar.date(byAdding: .day, value: 2, to: today) ?? CurrentTime.now
        let reader = try options.sleepReader(calendar: calendar, usesRecordedTimeZones: range.timeZone == nil)
        let nights = try await reader.nights(in: DateInterval(start: start, end: max(start, end)))
        if options.json {
            try JSONOutput.print(nights.map { SleepAnswer($0) })
        } else {
            print(SleepListing(nights: nights, calendar: calendar).text, terminator: "")
        }
    }
}

extension Date {
    /// A date before all sleep that a store contains.
    fileprivate static var distantSleepPast: Date { Date(reference: -6e9) }
}

extension StoreOptions {
    /// The reader of nights, with the person's own order of sources.
    func sleepReader(calendar: Calendar, usesRecordedTimeZones: Bool = true) throws -> SleepReader {
        let own = try engine().ownOrder(ofType: HKCategoryTypeIdentifier.sleepAnalysis.rawValue)
        return SleepReader(
            store: try openStore(calendar: calendar), calendar: calendar, sourceOrder: own.order,
            excludedSources: own.disabled, usesRecordedTimeZones: usesRecordedTimeZones)
    }
}

extension HealthEngine {
    /// The person's own order of the sources of a type, and the sources that don't count.
    func ownOrder(ofType identifier: String) throws -> (order: [String], disabled: Set<String>) {
        guard
            let type = try TypeCatalog.description(for: identifier)
                ?? dictionaries().types.first(where: { $0.identifier == identifier })
        else { return ([], []) }
        return try sources.ownOrder(of: type.code)
    }
}
