public import Foundation
import Synchronization

/// Asks for figures over consecutive intervals, and goes on telling of changes when it has an
/// update handler.
// Unchecked: the handlers are in a Mutex, all else is constant.
open class HKStatisticsCollectionQuery: HKQuery, @unchecked Sendable {
    /// Handles the first results: the collection, or `nil` and an error.
    public typealias InitialHandler = @Sendable (
        HKStatisticsCollectionQuery, HKStatisticsCollection?, (any Error)?
    ) -> Void

    /// Handles changes.
    public typealias UpdateHandler = @Sendable (
        HKStatisticsCollectionQuery, HKStatistics?, HKStatisticsCollection?, (any Error)?
    ) -> Void

    private struct Handlers {
        var initial: InitialHandler?
        var update: UpdateHandler?
    }

    /// Where the intervals begin: any bound of the grid, past or future.
    public let anchorDate: Date
    /// How long an interval is, in the calendar's terms.
    public let intervalComponents: DateComponents
    /// Which figures are asked for.
    public let options: HKStatisticsOptions

    private let quantityType: HKQuantityType
    private let handlers = Mutex(Handlers())

    /// Makes a query over the samples a predicate selects.
    ///
    /// An option of the other family ends the process, as do components that come to nothing. Intervals
    /// are cut with the components' own calendar where they have one, else with the store's.
    public init(
        quantityType: HKQuantityType, quantitySamplePredicate: NSPredicate?,
        options: HKStatisticsOptions = [], anchorDate: Date, intervalComponents: DateComponents
    ) {
        StatisticsOptionRule.require(options, for: quantityType)
        self.quantityType = quantityType
        self.options = options
        self.anchorDate = anchorDate
        self.intervalComponents = intervalComponents
        super.init(objectType: quantityType, predicate: quantitySamplePredicate)
    }

    /// Called once with the first results. Set it before the query is executed.
    @preconcurrency
    public var initialResultsHandler:
        (@Sendable (HKStatisticsCollectionQuery, HKStatisticsCollection?, (any Error)?) -> Void)?
    {
        get { handlers.withLock { $0.initial } }
        set {
            requireUnexecuted("initialResultsHandler")
            handlers.withLock { $0.initial = newValue }
        }
    }

    /// Keeps the query running, and is called after samples were added or removed: with the interval
    /// that changed (`nil` when there are several) and the whole collection. Set it before the query is
    /// executed.
    @preconcurrency
    public var statisticsUpdateHandler:
        (@Sendable (
            HKStatisticsCollectionQuery, HKStatistics?, HKStatisticsCollection?, (any Error)?
        ) -> Void)?
    {
        get { handlers.withLock { $0.update } }
        set {
            requireUnexecuted("statisticsUpdateHandler")
            handlers.withLock { $0.update = newValue }
        }
    }

    override func makeWork() throws -> QueryWork {
        let part = try QueryPart(type: quantityType, predicate: predicate)
        let (initial, update) = handlers.withLock { ($0.initial, $0.update) }
        let known = Latest<HKStatisticsCollection>()
        let read: @Sendable (QueryRun) throws -> HKStatisticsCollection = { run in
            try run.connection.reader().statisticsCollection(
                of: self.quantityType, part, options: self.options,
                anchorDate: self.anchorDate, intervalComponents: self.intervalComponents)
        }
        var work = QueryWork(
            start: { run in
                let collection = try read(run)
                known.set(collection)
                run.deliver { initial?(self, collection, nil) }
            },
            fail: { error in
                // Before the first results the initial handler is told, afterwards the other.
                if known.value == nil {
                    initial?(self, nil, HKError.make(error))
                } else {
                    update?(self, nil, nil, HKError.make(error))
                }
            })
        if let update {
            work.update = { run, digest in
                let reader = try run.connection.reader()
                guard try reader.touches([part], digest) else { return }
                let collection = try read(run)
                let changes = known.value.map { collection.changes(since: $0) } ?? []
                known.set(collection)
                guard !changes.isEmpty else { return }
                run.deliver { update(self, changes.count == 1 ? changes[0] : nil, collection, nil) }
            }
        }
        return work
    }
}
