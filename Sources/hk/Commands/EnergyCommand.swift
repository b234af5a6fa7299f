import ArgumentParser
import Foundation
import HealthAnswers
import HealthInsights
import HealthKit

/// `hk energy`: the energy consumed and burned since midnight.
struct EnergyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "energy", abstract: "Show today’s energy balance.",
        discussion: """
            The balance is consumed energy minus active and resting energy since midnight. Resting energy is \
            calculated from weight, height, date of birth and sex, or else is what devices have recorded. Enter \
            missing values with “hk add” and “hk profile”.
            """)

    @OptionGroup var day: DayOptions
    @OptionGroup var options: StoreOptions

    func run() async throws {
        let calendar = try day.calendar(options)
        try await options.answer(EnergyQuestion.self, calendar: calendar) { answer in
            guard let balance = answer.days.first?.balance else { return "" }
            let title = day.day == nil ? "today" : DateOutput(calendar: calendar).day(CurrentTime.now)
            var table = Table([.text(title), .number(answer.unit.unitString)])
            for (name, quantity) in [
                ("consumed", balance.consumed), ("active", balance.active), ("resting", balance.resting),
                ("net", balance.net),
            ] as [(String, HKQuantity?)] {
                let number = quantity.map { NumberOutput.text($0.doubleValue(for: answer.unit), digits: 0) }
                table.add([name, number ?? "–"])
            }
            let missing = balance.missing.advice
            return try table.text() + (missing.isEmpty ? "" : "\n" + missing) + options.nothingOfDay(calendar)
        }
    }
}
