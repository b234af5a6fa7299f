public import Foundation

extension HKHealthStore {
    /// Splits the energy burned in a period into resting energy and active energy.
    ///
    /// The resting energy is computed from the person's age, sex, height and weight with the revised
    /// Harris–Benedict equations; it is never more than the total. Fails with ``HKError/errorNoData`` if one of
    /// these is unknown or may not be read, and with ``HKError/errorInvalidArgument`` if the start date is after
    /// the end date or the total is not an energy.
    ///
    /// - Parameter resultsHandler: Receives the resting energy, the active energy and an error.
    @preconcurrency
    public func splitTotalEnergy(
        _ totalEnergy: HKQuantity, start startDate: Date, end endDate: Date,
        resultsHandler: @escaping @Sendable (HKQuantity?, HKQuantity?, (any Error)?) -> Void
    ) {
        let work = StoreWork(.reading) { try self.split(totalEnergy, startDate, endDate) }
        connection.perform(work) { result in
            let parts = try? result.get()
            resultsHandler(parts?.resting, parts?.active, result.error)
        }
    }

    private struct EnergyParts: Sendable {
        var resting: HKQuantity
        var active: HKQuantity
    }

    private func split(_ total: HKQuantity, _ start: Date, _ end: Date) throws -> EnergyParts {
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
