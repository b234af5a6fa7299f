/// Asks which sources own samples of a type, and is awaited.
public struct HKSourceQueryDescriptor<Sample: HKSample>: HKAsyncQuery, Sendable {
    public typealias Output = [HKSource]

    /// Whose sources are asked for.
    public var predicate: HKSamplePredicate<Sample>

    /// Asks for the sources of matching samples.
    public init(predicate: HKSamplePredicate<Sample>) {
        self.predicate = predicate
    }

    /// The sources, ordered by bundle identifier.
    public func result(for healthStore: HKHealthStore) async throws -> [HKSource] {
        let parts = QueryValidation.parts([predicate], of: "HKSourceQuery")
        return try await healthStore.connection.read { reader in
            try reader.sources(parts[0]).sorted { $0.bundleIdentifier < $1.bundleIdentifier }
        }
    }
}
