public import Foundation

/// Asks once which sources own samples of a type.
// Unchecked: every stored property is constant.
open class HKSourceQuery: HKQuery, @unchecked Sendable {
    private let type: HKSampleType
    private let completionHandler: @Sendable (HKSourceQuery, Set<HKSource>?, (any Error)?) -> Void

    /// The handler is called exactly once: with the sources, or `nil` and an error.
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
