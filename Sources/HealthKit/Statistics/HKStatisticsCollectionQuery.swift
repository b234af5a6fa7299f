public import Foundation
import HealthEngine
import HealthModel
import Synchronization

/// A query that returns statistics over consecutive intervals. With an update handler it keeps running.
// Unchecked: the handlers are in a Mutex, everything else is constant.
open class HKStatisticsCollectionQuery: HKQuery, @unchecked Sendable {
    /// A handler of the initial results: the collection, or `nil` and an error.
    public typealias InitialHandler =
        @Sendable (
            HKStatisticsCollectionQuery, HKStatisticsCollection?, (any Error)?
        ) -> Void

    /// A handler of changes.
    public typealias UpdateHandler =
        @Sendable (
            HKStatisticsCollectionQuery, HKStatistics?, HKStatisticsCollection?, (any Error)?
        ) -> Void

    private struct Handlers {
        var initial: InitialHandler?
        var update: UpdateHandler?
    }

    /// The start of any one of the intervals, in the past or future.
    open var anchorDate: Date { storedAnchorDate }
    /// The length of an interval as calendar components.
    open var intervalComponents: DateComponents { storedIntervalComponents }
    /// The statistics to compute.
    open var options: HKStatisticsOptions { storedOptions }

    private let storedAnchorDate: Date
    private let storedIntervalComponents: DateComponents
    private let storedOptions: HKStatisticsOptions

    private let quantityType: HKQuantityType
    private let handlers = Mutex(Handlers())

    /// Creates a query over the matching samples.
    ///
    /// An option that is not compatible with the type ends the process. Components without a positive duration,
    /// and an anchor too remote for the calendar, fail with ``HKError/errorInvalidArgument``. The intervals are
    /// computed with the components' own calendar if they have one, else with the store's.
    public init(
        quantityType: HKQuantityType, quantitySamplePredicate: NSPredicate?,
        options: HKStatisticsOptions = [], anchorDate: Date, intervalComponents: DateComponents
    ) {
        options.require(for: quantityType)
        self.quantityType = quantityType
        storedOptions = options
        storedAnchorDate = anchorDate
        storedIntervalComponents = intervalComponents
        super.init(objectType: quantityType, predicate: quantitySamplePredicate)
    }

    /// A handler that is called once with the initial results. Set it before the query is executed.
    @preconcurrency
    open var initialResultsHandler:
        (@Sendable (HKStatisticsCollectionQuery, HKStatisticsCollection?, (any Error)?) -> Void)?
    {
        get { handlers.withLock { $0.initial } }
        set {
            requireUnexecuted("initialResultsHandler")
            handlers.withLock { $0.initial = newValue }
        }
    }

    /// A handler that keeps the query running; it is called after samples were added or deleted with the
    /// statistics that changed (`nil` if several did) and the whole collection. Set it before the query is
    /// executed.
    @preconcurrency
    open var statisticsUpdateHandler:
        (
            @Sendable (
                HKStatisticsCollectionQuery, HKStatistics?, HKStatisticsCollection?, (any Error)?
            ) -> Void
        )?
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
        let known = LockedValue<CollectionReading>()
        let read: @Sendable (QueryRun, CollectionReading?, CommitDigest?) throws -> CollectionReading = {
            run, earlier, digest in
            try CollectionReading(run.connection.reader(), of: part, since: earlier, digest) { reader in
                try reader.statisticsCollection(
                    of: self.quantityType, part, options: self.options,
                    anchorDate: self.anchorDate, intervalComponents: self.intervalComponents)
            }
        }
        var work = QueryWork(
            start: { run in
                let reading = try read(run, nil, nil)
                known.set(reading)
                run.deliver { initial?(self, reading.collection, nil) }
            },
            fail: { error in
                // Until the initial results, errors go to the initial handler.
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
                let reading = try read(run, known.value, digest)
                known.set(reading)
                guard let changes = reading.changes else { return }
                run.deliver { update(self, changes.count == 1 ? changes[0] : nil, reading.collection, nil) }
            }
        }
        return work
    }
}

/// A collection, and the store's last sequence number when it was read.
private struct CollectionReading: Sendable {
    var collection: HKStatisticsCollection
    var sequence: Int64
    /// The statistics that changed since the reading before: none if samples were added or deleted that change no
    /// figure; `nil` if nothing was.
    var changes: [HKStatistics]?

    /// How often it is read again because something was committed meanwhile. What then seems to have changed may be
    /// reported twice.
    private static let attempts = 3

    init(
        _ reader: QueryReader, of part: QueryPart, since earlier: CollectionReading?,
        _ digest: CommitDigest?, _ read: (QueryReader) throws -> HKStatisticsCollection
    ) throws {
        var attempt = 1
        while true {
            let sequence = try reader.lastSequence()
            let collection = try read(reader)
            var changes = earlier.map { collection.changes(since: $0.collection) }
            if changes?.isEmpty == true, let earlier, let digest,
                try reader.hasChanges(part, after: earlier.sequence, digest) != true
            {
                changes = nil
            }
            (self.collection, self.sequence, self.changes) = (collection, sequence, changes)
            guard attempt < Self.attempts, try reader.lastSequence() != sequence else { return }
            attempt += 1
        }
    }
}

/// A query that returns statistics over consecutive intervals, once or as a sequence of updates.
public struct HKStatisticsCollectionQueryDescriptor: HKAsyncQuery, HKAsyncSequenceQuery, Sendable {
    public typealias Output = HKStatisticsCollection
    public typealias Sequence = Results

    /// The quantity type and its predicate.
    public var predicate: HKSamplePredicate<HKQuantitySample>
    /// The statistics to compute.
    public var options: HKStatisticsOptions
    /// The start of any one of the intervals, in the past or future.
    public var anchorDate: Date
    /// The length of an interval as calendar components.
    public var intervalComponents: DateComponents

    /// Creates a query for the statistics of each interval. See ``HKStatisticsCollectionQuery``.
    public init(
        predicate: HKSamplePredicate<HKQuantitySample>, options: HKStatisticsOptions, anchorDate: Date,
        intervalComponents: DateComponents
    ) {
        self.predicate = predicate
        self.options = options
        self.anchorDate = anchorDate
        self.intervalComponents = intervalComponents
    }

    /// Returns the collection. An option that is not compatible with the type ends the process.
    public func result(for healthStore: HKHealthStore) async throws -> HKStatisticsCollection {
        let read = reading().read
        return try await healthStore.connection.read { try read($0) }
    }

    /// Returns the collection, and again after each change. An option that is not compatible with the type ends
    /// the process.
    public func results(for healthStore: HKHealthStore) -> Results {
        let (part, read) = reading()
        return Results(connection: healthStore.connection, part: part, read: read)
    }

    private func reading() -> (part: QueryPart, read: @Sendable (QueryReader) throws -> HKStatisticsCollection) {
        let type = predicate.quantityType
        options.require(for: type)
        let part = QueryValidation.parts([predicate], of: "HKStatisticsCollectionQuery")[0]
        let (options, anchor, components) = (options, anchorDate, intervalComponents)
        return (
            part,
            { reader in
                try reader.statisticsCollection(
                    of: type, part, options: options, anchorDate: anchor, intervalComponents: components)
            }
        )
    }

    /// A collection and what changed in it.
    public struct Result: Sendable {
        /// The whole collection.
        public let statisticsCollection: HKStatisticsCollection
        /// The statistics that changed since the last result; `nil` in the first result, and if no figure changed.
        public let updatedStatistics: [HKStatistics]?
        fileprivate let reading: CollectionReading
    }

    /// A sequence of results. It ends only with an error or when the task is cancelled.
    public struct Results: AsyncSequence, Sendable {
        public typealias Element = Result
        public typealias AsyncIterator = Iterator

        let connection: StoreConnection
        let part: QueryPart
        let read: @Sendable (QueryReader) throws -> HKStatisticsCollection

        public func makeAsyncIterator() -> Iterator {
            let (part, read) = (part, read)
            return Iterator(
                reading: UpdateReading(connection) { reader, before, digest in
                    if let digest, try !reader.touches([part], digest) { return nil }
                    let reading = try CollectionReading(reader, of: part, since: before?.reading, digest, read)
                    guard before == nil || reading.changes != nil else { return nil }
                    return Result(
                        statisticsCollection: reading.collection,
                        updatedStatistics: reading.changes.flatMap { $0.isEmpty ? nil : $0 }, reading: reading)
                })
        }

        public struct Iterator: AsyncIteratorProtocol {
            public typealias Element = Results.Element

            let reading: UpdateReading<Result>

            /// Waits for the next change; never returns `nil`.
            public mutating func next() async throws -> Results.Element? {
                try await reading.next()
            }
        }
    }
}

extension QueryReader {
    /// Returns the statistics of every interval that has samples; the intervals extend in both directions from
    /// the anchor.
    func statisticsCollection(
        of type: HKQuantityType, _ part: QueryPart, options: HKStatisticsOptions,
        anchorDate: Date, intervalComponents: DateComponents
    ) throws -> HKStatisticsCollection {
        let grid: IntervalGrid
        do {
            grid = try IntervalGrid(anchor: anchorDate, components: intervalComponents, calendar: calendar)
        } catch {
            throw HKError.make(.errorInvalidArgument, error.reason)
        }
        var buckets: [StatisticsBucket] = []
        if let code = try engine.code(of: part.identifier) {
            let request = StatisticsRequest(
                type: code, filter: try exactFilter(part),
                options: StatisticsOptions(rawValue: options.rawValue),
                buckets: .intervals(length: grid.approximateLength) { stretches in
                    guard let bounds = grid.bounds(covering: stretches) else {
                        throw HKError.make(
                            .errorInvalidArgument, "The dates of the samples are too remote for the intervals.")
                    }
                    return bounds
                })
            buckets = try engine.statistics(request, as: caller)
        }
        return HKStatisticsCollection(
            quantityType: type, grid: grid, buckets: buckets,
            isSeparatedBySource: options.contains(.separateBySource))
    }
}
