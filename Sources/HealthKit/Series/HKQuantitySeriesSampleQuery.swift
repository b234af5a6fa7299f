public import Foundation
import HealthModel
import Synchronization

/// Reads the single quantities that samples were made of. A sample with one quantity gives just that one.
///
/// The handler is called once for each quantity, the last call being told so; without any quantity it is
/// called once with none.
// Unchecked: what changes is in a Mutex, the rest is constant.
open class HKQuantitySeriesSampleQuery: HKQuery, @unchecked Sendable {
    private struct Wishes {
        var includeSample = false
        var orderBySample = false
    }

    private let quantityType: HKQuantityType
    private let wishes = Mutex(Wishes())
    private let handler: @Sendable (
        HKQuantitySeriesSampleQuery, HKQuantity?, DateInterval?, HKQuantitySample?, Bool, (any Error)?
    ) -> Void

    /// Reads the quantities of all samples of a type that match.
    @preconcurrency
    public init(
        quantityType: HKQuantityType, predicate: NSPredicate?,
        quantityHandler: @escaping @Sendable (
            HKQuantitySeriesSampleQuery, HKQuantity?, DateInterval?, HKQuantitySample?, Bool, (any Error)?
        ) -> Void
    ) {
        self.quantityType = quantityType
        handler = quantityHandler
        super.init(objectType: quantityType, predicate: predicate)
    }

    /// Reads the quantities of one sample, each with its start.
    @preconcurrency
    public init(
        sample quantitySample: HKQuantitySample,
        quantityHandler: @escaping @Sendable (
            HKQuantitySeriesSampleQuery, HKQuantity?, Date?, Bool, (any Error)?
        ) -> Void
    ) {
        quantityType = quantitySample.quantityType
        handler = { query, quantity, interval, _, isDone, error in
            quantityHandler(query, quantity, interval?.start, isDone, error)
        }
        super.init(
            objectType: quantitySample.quantityType,
            predicate: HKQuery.predicateForObject(with: quantitySample.uuid))
    }

    /// Whether the handler is given the sample that a quantity belongs to. Cannot be changed after the query
    /// was executed.
    open var includeSample: Bool {
        get { wishes.withLock { $0.includeSample } }
        set {
            requireUnexecuted("includeSample")
            wishes.withLock { $0.includeSample = newValue }
        }
    }

    /// Whether quantities come sample after sample, in order of the samples' start, and not in order of
    /// their own. Cannot be changed after the query was executed.
    open var orderByQuantitySampleStartDate: Bool {
        get { wishes.withLock { $0.orderBySample } }
        set {
            requireUnexecuted("orderByQuantitySampleStartDate")
            wishes.withLock { $0.orderBySample = newValue }
        }
    }

    override func makeWork() throws -> QueryWork {
        let part = try QueryPart(type: quantityType, predicate: predicate)
        let wishes = wishes.withLock { $0 }
        return QueryWork(
            start: { run in
                let elements = try run.connection.reader().seriesElements(part, bySample: wishes.orderBySample)
                for (index, element) in elements.enumerated() {
                    guard run.isActive else { return }
                    run.deliver {
                        self.handler(
                            self, element.quantity, element.dateInterval,
                            wishes.includeSample ? element.sample : nil, index == elements.count - 1, nil)
                    }
                }
                if elements.isEmpty { run.deliver { self.handler(self, nil, nil, nil, true, nil) } }
            },
            fail: { self.handler(self, nil, nil, nil, true, HKError.make($0)) })
    }
}
