public import Foundation

/// Asks for samples, and is awaited.
public struct HKSampleQueryDescriptor<Sample: HKSample>: HKAsyncQuery, Sendable {
    public typealias Output = [Sample]

    /// What is asked for; the result is the union.
    public var predicates: [HKSamplePredicate<Sample>]
    /// The order of the results.
    public var sortDescriptors: [SortDescriptor<Sample>]
    /// How many samples at most, counted after sorting; `nil` for all.
    public var limit: Int?

    /// Asks for samples that match any of the predicates.
    public init(
        predicates: [HKSamplePredicate<Sample>], sortDescriptors: [SortDescriptor<Sample>],
        limit: Int? = nil
    ) {
        self.predicates = predicates
        self.sortDescriptors = sortDescriptors
        self.limit = limit
    }

    /// The samples, none if none matches.
    public func result(for healthStore: HKHealthStore) async throws -> [Sample] {
        let parts = QueryValidation.parts(predicates, of: "HKSampleQuery")
        let sort = QueryValidation.checked { try SortTranslation.translate(sortDescriptors) }
        let limit = limit ?? HKObjectQueryNoLimit
        return try await healthStore.connection.read { reader in
            try reader.samples(parts, sort: sort, limit: limit).only()
        }
    }
}
