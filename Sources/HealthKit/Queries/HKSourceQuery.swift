public import Foundation

/// A query that returns the sources of the samples of a type.
// Unchecked: every stored property is constant.
open class HKSourceQuery: HKQuery, @unchecked Sendable {
    private let type: HKSampleType
    private let completionHandler: @Sendable (HKSourceQuery, Set<HKSource>?, (any Error)?) -> Void

    /// Creates a query. The handler is called exactly once: with the sources, or with `nil` and an error.
    @preconcurrency
    public init(
        sampleType: HKSampleType, samplePredicate objectPredicate: NSPredicate?,
        completionHandler: @escaping @Sendable (HKSourceQuery, Set<HKSource>?, (any Error)?) -> Void
    ) {
        type = sampleType
        self.completionHandler = completionHandler
        super.init(objectType: sampleType, predicate: objectPredicate)
    }

    override func makeWork() throws -> QueryWork {
        let part = try QueryPart(type: type, predicate: predicate)
        return QueryWork(
            start: { run in
                let sources = try run.connection.reader().sources(part)
                run.deliver { self.completionHandler(self, sources, nil) }
            },
            fail: { self.completionHandler(self, nil, HKError.make($0)) })
    }
}

/// A query that returns the sources of samples asynchronously.
public struct HKSourceQueryDescriptor<Sample: HKSample>: HKAsyncQuery, Sendable {
    public typealias Output = [HKSource]

    /// The samples whose sources are returned.
    public var predicate: HKSamplePredicate<Sample>

    /// Creates a query for the sources of matching samples.
    public init(predicate: HKSamplePredicate<Sample>) {
        self.predicate = predicate
    }

    /// Returns the sources in order of their bundle identifiers.
    public func result(for healthStore: HKHealthStore) async throws -> [HKSource] {
        let parts = QueryValidation.parts([predicate], of: "HKSourceQuery")
        return try await healthStore.connection.read { reader in
            try reader.sources(parts[0]).sorted { $0.bundleIdentifier < $1.bundleIdentifier }
        }
    }
}
