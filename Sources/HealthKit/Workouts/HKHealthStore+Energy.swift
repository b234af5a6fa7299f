import Foundation

extension HKHealthStore {
    /// The parts of a total energy.
    struct EnergyParts: Sendable {
        var resting: HKQuantity
        var active: HKQuantity
    }

    /// Splits a total energy; see ``splitTotalEnergy(_:start:end:resultsHandler:)``.
    func split(_ total: HKQuantity, _ start: Date, _ end: Date) throws -> EnergyParts {
        guard start <= end, total.is(compatibleWith: .kilocalorie()) else {
            throw HKError.make(
                .errorInvalidArgument, "The start date must be at or before the end date, and the total an energy.")
        }
        let reader = try connection.reader()
        let weight = try reader.latestQuantity(of: .bodyMass, before: end).doubleValue(for: .gramUnit(with: .kilo))
        let height = try reader.latestQuantity(of: .height, before: end).doubleValue(for: .meterUnit(with: .centi))
        let birth = try dateOfBirth()
        let years = connection.configuration.calendar.dateComponents([.year], from: birth, to: start).year ?? 0
        let isMale = try biologicalSex().biologicalSex == .male
        let daily = RestingEnergy.kilocaloriesPerDay(
            kilograms: weight, centimeters: height, years: years, isMale: isMale)
        let whole = total.doubleValue(for: .kilocalorie())
        let resting = min(max(0, whole), max(0, daily) * end.timeIntervalSince(start) / 86_400)
        return EnergyParts(
            resting: HKQuantity(unit: .kilocalorie(), doubleValue: resting),
            active: HKQuantity(unit: .kilocalorie(), doubleValue: whole - resting))
    }
}

/// The energy a person burns at rest, with the revised Harris–Benedict coefficients rounded as usual in fitness
/// applications.
enum RestingEnergy {
    static func kilocaloriesPerDay(
        kilograms: Double, centimeters: Double, years: Int, isMale: Bool
    ) -> Double {
        isMale
            ? 66.0 + 13.8 * kilograms + 5 * centimeters - 6.8 * Double(years)
            : 655.0 + 9.6 * kilograms + 1.8 * centimeters - 4.7 * Double(years)
    }
}
