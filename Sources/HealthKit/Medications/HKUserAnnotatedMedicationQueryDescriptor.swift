public import Foundation

/// Asks for the person's medications, and is awaited.
// Unchecked: predicates are immutable once made.
public struct HKUserAnnotatedMedicationQueryDescriptor: HKAsyncQuery, @unchecked Sendable {
    public typealias Output = [HKUserAnnotatedMedication]

    /// Which medications; `nil` for all.
    public var predicate: NSPredicate?
    /// How many at most; `nil` for all.
    public var limit: Int?

    /// Asks for matching medications, all of them unless told otherwise.
    public init(predicate: NSPredicate? = nil, limit: Int? = nil) {
        self.predicate = predicate
        self.limit = limit
    }

    /// The medications that may be read, none if none matches.
    public func result(for healthStore: HKHealthStore) async throws -> [HKUserAnnotatedMedication] {
        let part = QueryValidation.checked {
            try QueryPart(type: .userAnnotatedMedicationType(), predicate: predicate)
        }
        let limit = limit ?? HKObjectQueryNoLimit
        return try await healthStore.connection.read { try $0.medications(part, limit: limit) }
    }
}
