import ArgumentParser
import Foundation
import HealthAnswers

/// `hk highlights`: what stands out in the last seven days.
struct HighlightsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "highlights", abstract: "Show what stands out against the last half year.",
        discussion: """
            Compares the average of the last seven days with the averages of the 26 weeks before, and single days of what \
            is measured at rest with the days before: heart, breathing, temperature, sleep, activity and body \
            measurements, as far as there is data. The usual range is the median and three robust standard deviations \
            to each side. It requires 8 weeks with data.

              hk highlights
              hk highlights --day 2025-11-16
            """)

    @OptionGroup var day: DayOptions
    @OptionGroup var options: StoreOptions

    func run() async throws {
        let calendar = try day.calendar(options)
        try await options.answer(
            HighlightsQuestion.self, RangeOptions.recordedTimeZones(day.timeZone), calendar: calendar
        ) { answer in
            let found = answer.highlights.map {
                Terminal.output.wrapped("\($0.text.name): \($0.text.sentence)", after: 2)
            }
            let first = found.isEmpty ? ["Nothing stands out."] : found
            return first.map { $0 + "\n" }.joined() + table(answer) + (try options.nothingOfDay(calendar))
        }
    }

    private func table(_ answer: HighlightsAnswer) -> String {
        let known = answer.usual.map { [$0.text.name, $0.text.value ?? "–", $0.text.usual ?? "–"] }
        let unknown = answer.unknown.map { [$0.text.name, $0.text.value ?? "–", $0.text.sentence] }
        guard !known.isEmpty || !unknown.isEmpty else { return "" }
        var table = Table(["as usual", "last 7 days", "usual"])
        for row in known + unknown { table.add(row) }
        return "\n" + table.text()
    }
}
