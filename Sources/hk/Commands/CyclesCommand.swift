import ArgumentParser
import Foundation
import HealthAnswers
import HealthInsights
import HealthModel

/// `hk cycles`: the lengths of menstrual cycles.
struct CyclesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cycles", abstract: "Show the lengths of menstrual cycles.",
        discussion: """
            A cycle begins with the first day of a period: one that was recorded as the start of a cycle, or on which flow \
            begins after ten days without. Its length is known when the next one has begun.

              hk cycles
              hk cycles --last 2y
            """)

    @OptionGroup var range: RangeOptions
    @OptionGroup var options: StoreOptions

    func run() async throws {
        let calendar = try range.calendar(options)
        try await options.answer(CyclesQuestion.self, try range.parameters(calendar), calendar: calendar) { answer in
            guard !answer.cycles.isEmpty else {
                return try options.nothing("cycles", of: ["HKCategoryTypeIdentifierMenstrualFlow"], range, calendar)
            }
            var table = Table(["start", .number("period (days)"), .number("cycle (days)")])
            let clock = LocalClock(timeZone: calendar.timeZone)
            for cycle in answer.cycles {
                let day = clock.dayNumber(at: cycle.start.timeIntervalSinceReferenceDate)
                table.add([
                    LocalClock.dayText(number: day), "\(cycle.periodDays)", cycle.days.map(String.init) ?? "–",
                ])
            }
            if let average = answer.averageDays { table.add(["average", "", NumberOutput.text(average, digits: 1)]) }
            return table.text()
        }
    }
}
