import Foundation
import HealthEngine
import HealthModel

extension HKHealthStore {
    /// The unit the person wants each type shown in: the one they chose, else the usual one of the
    /// region they live in.
    ///
    /// Fails with ``HKError/errorAuthorizationNotDetermined`` when the application has never asked for
    /// one of the types.
    @preconcurrency
    public func preferredUnits(
        for quantityTypes: Set<HKQuantityType>,
        completion: @escaping @Sendable ([HKQuantityType: HKUnit], (any Error)?) -> Void
    ) {
        connection.perform(.reading, unitsQuestion(quantityTypes)) { completion((try? $0.get()) ?? [:], $0.error) }
    }

    /// The unit the person wants each type shown in. See ``preferredUnits(for:completion:)``.
    public func preferredUnits(
        for quantityTypes: Set<HKQuantityType>
    ) async throws -> [HKQuantityType: HKUnit] {
        try await connection.perform(.reading, unitsQuestion(quantityTypes))
    }

    private func unitsQuestion(
        _ types: Set<HKQuantityType>
    ) -> @Sendable (HealthEngine) throws -> [HKQuantityType: HKUnit] {
        let caller = connection.caller
        let region = UnitRegion(locale: connection.configuration.calendar.locale ?? .current)
        return { engine in
            let chosen = try engine.profile().preferredUnits
            var units: [HKQuantityType: HKUnit] = [:]
            for type in types {
                if let code = try engine.code(of: type.identifier) {
                    _ = try engine.checkRead(code, as: caller)
                }
                let candidates = [
                    chosen[type.identifier], region.unit(of: type.identifier),
                    type.typeDescription.canonicalUnit,
                ]
                units[type] = candidates.lazy.compactMap { $0.flatMap { HKUnit.parsed($0) } }
                    .first { type.is(compatibleWith: $0) } ?? .count()
            }
            return units
        }
    }
}
