import ArgumentParser
import Foundation
import HealthInsights
import HealthKit

/// `hk energy`: the energy consumed and burned since midnight.
struct EnergyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "energy", abstract: "Show today’s energy balance.",
        discussion: """
            The balance is consumed energy minus active and resting energy since midnight. Resting energy is \
            calculated from weight, height, date of birth and sex. Enter missing values with “hk add” and “hk profile”.
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

    private struct Answer: Encodable {
        var date: String
        var consumed: Double
        var active: Double
        var resting: Double?
        var net: Double?
        var unit = "kcal"
        var missing: [String]
    }

    func run() async throws {
        var calendar = RangeOptions.machineCalendar
        if let zone = try timeZone.flatMap({ TimeZone(identifier: $0) }) ?? options.personTimeZone() {
            calendar.timeZone = zone
        }
        let now = CurrentTime.now
        let balance = try await EnergyBalanceReader(store: options.openStore(calendar: calendar), calendar: calendar)
            .balance(now: now)
        func kilocalories(_ quantity: HKQuantity) -> Double { quantity.doubleValue(for: .kilocalorie()) }
        guard !options.json else {
            return try JSONOutput.print(
                Answer(
                    date: DateOutput(calendar: calendar).iso(now), consumed: kilocalories(balance.consumed),
                    active: kilocalories(balance.active), resting: balance.resting.map(kilocalories),
                    net: balance.net.map(kilocalories), missing: balance.missing.map(\.rawValue)))
        }
        var table = Table([.init(title: "today"), .init(title: "kcal", isNumber: true)])
        for (name, quantity) in [
            ("consumed", balance.consumed), ("active", balance.active), ("resting", balance.resting),
            ("net", balance.net),
        ] as [(String, HKQuantity?)] {
            table.add([name, quantity.map { NumberOutput.text(kilocalories($0), digits: 0) } ?? "–"])
        }
        print(table.text(), terminator: "")
        let missing = EnergyMissing(balance.missing).text
        if !missing.isEmpty { print("\n" + missing, terminator: "") }
    }
}
