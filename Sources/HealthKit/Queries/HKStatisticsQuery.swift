public import Foundation

/// Asks once for figures over all matching samples of a quantity type.
// Unchecked: every stored property is constant.
open class HKStatisticsQuery: HKQuery, @unchecked Sendable {
    private let quantityType: HKQuantityType
    private let options: HKStatisticsOptions
    private let handler: @Sendable (HKStatisticsQuery, HKStatistics?, (any Error)?) -> Void

    /// The handler is called exactly once: with the figures, or `nil` and an error, which is
    /// ``HKError/errorNoData`` when no sample matches.
    ///
    /// An option of the other family (a sum of a discrete type, an average of a cumulative one) ends the
    /// process. The predicate selects whole samples: one that reaches over its edges counts whole.
    @preconcurrency
    public init(
        quantityType: HKQuantityType, quantitySamplePredicate: NSPredicate?,
        options: HKStatisticsOptions = [],
        completionHandler handler: @escaping @Sendable (
            HKStatisticsQuery, HKStatistics?, (any Error)?
        ) -> Void
    ) {
        StatisticsOptionRule.require(options, for: quantityType)
        self.quantityType = quantityType
        self.options = options
        self.handler = handler
        super.init(objectType: quantityType, predicate: quantitySamplePredicate)
    }

    override func makeWork() throws -> QueryWork {
        let part = try QueryPart(type: quantityType, predicate: predicate)
        return QueryWork(
            start: { run in
                let statistics = try run.connection.reader().statistics(
                    of: self.quantityType, part, options: self.options)
                run.deliver { self.handler(self, statistics, nil) }
            },
            fail: { self.handler(self, nil, HKError.make($0)) })
    }
}
