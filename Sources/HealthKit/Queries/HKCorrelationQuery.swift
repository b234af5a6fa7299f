public import Foundation

/// A query that returns correlations, selected by predicates for the correlation and for its members.
// Unchecked: every stored property is constant.
open class HKCorrelationQuery: HKQuery, @unchecked Sendable {
    /// The correlation type.
    open var correlationType: HKCorrelationType { storedCorrelationType }
    /// Predicates by the type of the members they apply to.
    open var samplePredicates: [HKSampleType: NSPredicate]? { storedSamplePredicates }

    private let storedCorrelationType: HKCorrelationType
    private let storedSamplePredicates: [HKSampleType: NSPredicate]?

    private let completion: @Sendable (HKCorrelationQuery, [HKCorrelation]?, (any Error)?) -> Void

    /// Creates a query. The handler is called exactly once: with the correlations, or with `nil` and an error.
    ///
    /// A correlation is returned with all its members if it matches `predicate` and has, for each type in
    /// `samplePredicates`, a member that matches that type's predicate. Apple does not document what happens to
    /// members that do not match.
    @preconcurrency
    public init(
        type correlationType: HKCorrelationType, predicate: NSPredicate?,
        samplePredicates: [HKSampleType: NSPredicate]?,
        completion: @escaping @Sendable (HKCorrelationQuery, [HKCorrelation]?, (any Error)?) -> Void
    ) {
        storedCorrelationType = correlationType
        storedSamplePredicates = samplePredicates
        self.completion = completion
        super.init(objectType: correlationType, predicate: predicate)
    }

    override func makeWork() throws -> QueryWork {
        let part = try QueryPart(type: correlationType, predicate: predicate)
        for (type, predicate) in samplePredicates ?? [:] {
            _ = try QueryPart(type: type, predicate: predicate)
        }
        return QueryWork(
            start: { run in
                let correlations = try run.connection.reader().samples([part])
                    .compactMap { $0 as? HKCorrelation }
                    .filter(self.membersSatisfy)
                run.deliver { self.completion(self, correlations, nil) }
            },
            fail: { self.completion(self, nil, HKError.make($0)) })
    }

    private func membersSatisfy(_ correlation: HKCorrelation) -> Bool {
        (samplePredicates ?? [:]).allSatisfy { type, predicate in
            correlation.objects(for: type).contains { predicate.evaluate(with: $0) }
        }
    }
}
