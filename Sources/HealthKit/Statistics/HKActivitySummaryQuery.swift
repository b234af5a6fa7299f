public import Foundation
import Synchronization

/// A query that returns the activity summaries of days. With an update handler it keeps running.
// Unchecked: the update handler is in a Mutex, everything else is constant.
open class HKActivitySummaryQuery: HKQuery, @unchecked Sendable {
    private typealias Handler =
        @Sendable (
            HKActivitySummaryQuery, [HKActivitySummary]?, (any Error)?
        ) -> Void

    private let resultsHandler: Handler
    private let update = Mutex<Handler?>(nil)

    /// Creates a query for the days that match a predicate, such as
    /// ``HKQuery/predicateForActivitySummary(with:)``, or for all days. The handler is called once: with the
    /// summaries of days that have data, in order of time, or with `nil` and an error.
    @preconcurrency
    public init(
        predicate: NSPredicate?,
        resultsHandler handler:
            @escaping @Sendable (
                HKActivitySummaryQuery, [HKActivitySummary]?, (any Error)?
            ) -> Void
    ) {
        resultsHandler = handler
        super.init(objectType: HKObjectType.activitySummaryType(), predicate: predicate)
    }

    /// A handler that keeps the query running; it is called with the summaries that are new or modified, and with a
    /// summary without figures of a day that lost its data. Set it before the query is executed.
    @preconcurrency
    open var updateHandler: (@Sendable (HKActivitySummaryQuery, [HKActivitySummary]?, (any Error)?) -> Void)?
    {
        get { update.withLock { $0 } }
        set {
            requireUnexecuted("updateHandler")
            update.withLock { $0 = newValue }
        }
    }

    override func makeWork() throws -> QueryWork {
        let part = try QueryPart(type: .activitySummaryType(), predicate: predicate)
        let update = update.withLock { $0 }
        let known = LockedValue<QueryReader.SummaryChanges>()
        var work = QueryWork(
            start: { run in
                guard let all = try run.connection.reader().summaryChanges(part, since: nil, nil) else { return }
                known.set(all)
                run.deliver { self.resultsHandler(self, all.changed, nil) }
            },
            fail: { error in
                let handler = known.value == nil ? self.resultsHandler : update
                handler?(self, nil, HKError.make(error))
            })
        if let update {
            work.update = { run, digest in
                let changes = try run.connection.reader().summaryChanges(part, since: known.value, digest)
                guard let changes else { return }
                known.set(changes)
                run.deliver { update(self, changes.changed, nil) }
            }
        }
        return work
    }
}

/// A query that returns activity summaries, once or as a sequence of updates.
// Unchecked: predicates are immutable, and every other property is a Sendable constant.
public struct HKActivitySummaryQueryDescriptor: HKAsyncQuery, HKAsyncSequenceQuery, @unchecked Sendable {
    public typealias Output = [HKActivitySummary]
    public typealias Sequence = Results

    /// Which days match; `nil` for all.
    public var predicate: NSPredicate?

    /// Creates a query for the summaries of matching days.
    public init(predicate: NSPredicate?) {
        self.predicate = predicate
    }

    /// Returns the summaries of the days that have data, in order of time.
    public func result(for healthStore: HKHealthStore) async throws -> [HKActivitySummary] {
        let part = part
        return try await healthStore.connection.read { try $0.activitySummaries(part) }
    }

    /// Returns the summaries, then those that are new or modified, whenever there are any.
    public func results(for healthStore: HKHealthStore) -> Results {
        Results(connection: healthStore.connection, part: part)
    }

    private var part: QueryPart {
        QueryValidation.checked { try QueryPart(type: .activitySummaryType(), predicate: predicate) }
    }

    /// A sequence of results. It ends only with an error or when the task is cancelled.
    public struct Results: AsyncSequence, Sendable {
        public typealias Element = [HKActivitySummary]
        public typealias AsyncIterator = Iterator

        let connection: StoreConnection
        let part: QueryPart

        public func makeAsyncIterator() -> Iterator {
            let part = part
            return Iterator(
                reading: UpdateReading(connection) { try $0.summaryChanges(part, since: $1, $2) })
        }

        public struct Iterator: AsyncIteratorProtocol {
            public typealias Element = Results.Element

            let reading: UpdateReading<QueryReader.SummaryChanges>

            /// Waits for the next change; never returns `nil`.
            public mutating func next() async throws -> Results.Element? {
                try await reading.next().changed
            }
        }
    }
}
