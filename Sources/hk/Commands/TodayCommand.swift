import ArgumentParser
import Foundation
import HealthAnswers

/// `hk today`: the day so far on one screen, beside the last four weeks.
struct TodayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "today", abstract: "Compare today so far with the last four weeks.",
        discussion: """
            Shows the activity rings, the energy balance, steps, heart rate, last night and the latest workout. “by \
            now” is the average of the last four weeks until this time of day, “a day” their average over whole days. \
            Days without samples don’t count.
            """)

    @OptionGroup var day: DayOptions
    @OptionGroup var options: StoreOptions

    func run() async throws {
        let calendar = try day.calendar(options)
        try await options.answer(
            TodayQuestion.self, RangeOptions.recordedTimeZones(day.timeZone), calendar: calendar
        ) { answer in
            let text = answer.summary.map {
                TodayListing(summary: $0, dates: DateOutput(calendar: calendar), units: answer.units).text
            }
            return try (text ?? "") + options.nothingOfDay(calendar)
        }
    }
}
