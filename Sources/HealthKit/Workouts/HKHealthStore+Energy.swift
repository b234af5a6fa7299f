public import Foundation
import HealthEngine
import HealthModel

extension HKHealthStore {
    /// Splits the energy that a span of time took into what the body burns at rest and what activity adds.
    ///
    /// The energy at rest follows from the person's age, sex, height and weight, after the revised
    /// Harris–Benedict coefficients; it is never more than the total. Fails with
    /// ``HKError/errorNoData`` when one of them is not known or may not be read, and with
    /// ``HKError/errorInvalidArgument`` when the start lies after the end or the total is no energy.
    ///
    /// - Parameter resultsHandler: Given the energy at rest, the active energy and an error.
    @preconcurrency
    public func splitTotalEnergy(
        _ totalEnergy: HKQuantity, start startDate: Date, end endDate: Date,
        resultsHandler: @escaping @Sendable (HKQuantity?, HKQuantity?, (any Error)?) -> Void
    ) {
        connection.perform(.reading, split(totalEnergy, startDate, endDate)) { result in
            let parts = try? result.get()
            resultsHandler(parts?.resting, parts?.active, result.error)
        }
    }

    private struct EnergyParts: Sendable {
        var resting: HKQuantity
        var active: HKQuantity
    }

    private func split(
        _ total: HKQuantity, _ start: Date, _ end: Date
    ) -> @Sendable (HealthEngine) throws -> EnergyParts {
        { engine in
            guard start <= end, total.is(compatibleWith: .kilocalorie()) else {
                throw EngineError.invalidArgument("A span of time and an energy are needed.")
            }
            let reader = QueryReader(
                engine: engine, caller: self.connection.caller, calendar: self.connection.configuration.calendar)
            let weight = try self.latest(.bodyMass, before: end, reader).doubleValue(for: .gramUnit(with: .kilo))
            let height = try self.latest(.height, before: end, reader).doubleValue(for: .meterUnit(with: .centi))
            let birth = try self.dateOfBirth()
            let years = self.connection.configuration.calendar
                .dateComponents([.year], from: birth, to: start).year ?? 0
            let isMale = try self.biologicalSex().biologicalSex == .male
            let daily = RestingEnergy.kilocaloriesPerDay(
                kilograms: weight, centimeters: height, years: years, isMale: isMale)
            let whole = total.doubleValue(for: .kilocalorie())
            let resting = min(max(0, whole), max(0, daily) * end.timeIntervalSince(start) / 86_400)
            return EnergyParts(
                resting: HKQuantity(unit: .kilocalorie(), doubleValue: resting),
                active: HKQuantity(unit: .kilocalorie(), doubleValue: whole - resting))
        }
    }

    /// The last sample that began at or before an instant.
    private func latest(
        _ identifier: HKQuantityTypeIdentifier, before instant: Date, _ reader: QueryReader
    ) throws -> HKQuantity {
        let part = QueryPart(
            identifier: identifier.rawValue,
            filter: .start(.lessThanOrEqual, instant.timeIntervalSinceReferenceDate))
        let found = try reader.samples(
            [part], sort: [SampleSort(.start, ascending: false)], limit: 1)
        guard let sample = found.first as? HKQuantitySample else { throw EngineError.noData }
        return sample.quantity
    }
}
