public import Foundation

/// Asks for verifiable records, and is awaited.
// Unchecked: predicates are immutable once made.
public struct HKVerifiableClinicalRecordQueryDescriptor: HKAsyncQuery, @unchecked Sendable {
    public typealias Output = [HKVerifiableClinicalRecord]

    /// What kinds a record must be of, all of them.
    public var recordTypes: [HKVerifiableClinicalRecordCredentialType]
    /// Of what sources records are wanted.
    public var sourceTypes: [HKVerifiableClinicalRecordSourceType]
    /// Which records; `nil` for all.
    public var predicate: NSPredicate?

    /// Asks for records that are of all these kinds and of one of these sources.
    public init(
        recordTypes: [HKVerifiableClinicalRecordCredentialType], sourceTypes: [HKVerifiableClinicalRecordSourceType],
        predicate: NSPredicate? = nil
    ) {
        self.recordTypes = recordTypes
        self.sourceTypes = sourceTypes
        self.predicate = predicate
    }

    /// The records, none if none matches or the person refuses.
    public func result(for healthStore: HKHealthStore) async throws -> [HKVerifiableClinicalRecord] {
        let reading = QueryValidation.checked {
            try VerifiableRecordReading(
                recordTypes: recordTypes.map(\.rawValue), sourceTypes: sourceTypes, predicate: predicate)
        }
        let connection = healthStore.connection
        return try await connection.perform(.asking) { _ in try reading.records(connection) }
    }
}
