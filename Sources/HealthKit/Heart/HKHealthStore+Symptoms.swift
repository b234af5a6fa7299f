import HealthEngine
import HealthModel

extension HKHealthStore {
    /// Notes symptoms of a stored electrocardiogram, as the system does: samples that are not stored yet are
    /// saved, all are found by ``HKQuery/predicateForObjectsAssociated(electrocardiogram:)``.
    package func associate(
        _ symptoms: [HKCategorySample], with electrocardiogram: HKElectrocardiogram
    ) async throws {
        let caller = connection.caller
        let records = symptoms.map { SampleRecord($0) }
        let owner = electrocardiogram.uuid
        try await connection.perform(.writing) {
            try $0.addMembers(records, toObject: owner, as: caller)
        }
    }
}
