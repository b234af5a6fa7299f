public import Foundation

/// Asks once for correlations whose members satisfy predicates of their own.
// Unchecked: every stored property is constant.
open class HKCorrelationQuery: HKQuery, @unchecked Sendable {
    /// The type of correlation asked for.
    public let correlationType: HKCorrelationType
    /// A predicate for each member type that is looked at; types without one are not.
    public let samplePredicates: [HKSampleType: NSPredicate]?

    private let completion: @Sendable (HKCorrelationQuery, [HKCorrelation]?, (any Error)?) -> Void

    /// The handler is called exactly once: with the correlations, or `nil` and an error.
    ///
    /// A correlation is returned, whole, when it satisfies `predicate` and has, for each type in
    /// `samplePredicates`, a member that satisfies that type's predicate. The original does not publish
    /// what happens to members that do not.
    @preconcurrency
    public init(
        type correlationType: HKCorrelationType, predicate: NSPredicate?,
        samplePredicates: [HKSampleType: NSPredicate]?,
        completion: @escaping @Sendable (HKCorrelationQuery, [HKCorrelation]?, (any Error)?) -> Void
    ) {
        self.correlationType = correlationType
        self.samplePredicates = samplePredicates
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
