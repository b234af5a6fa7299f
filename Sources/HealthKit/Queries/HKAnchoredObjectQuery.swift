public import Foundation
import Synchronization

/// A query that returns what was added and deleted since an anchor. With an update handler it keeps running.
///
/// Samples are in insertion order. A page may hold fewer objects than the limit although there are more:
/// continue until the anchor no longer changes.
// Unchecked: the update handler is in a Mutex, everything else is constant.
open class HKAnchoredObjectQuery: HKQuery, @unchecked Sendable {
    private typealias Handler =
        @Sendable (
            HKAnchoredObjectQuery, [HKSample]?, [HKDeletedObject]?, HKQueryAnchor?, (any Error)?
        ) -> Void

    private let descriptors: [HKQueryDescriptor]
    private let anchor: HKQueryAnchor?
    private let limit: Int
    private let resultsHandler: Handler
    private let update = Mutex<Handler?>(nil)

    /// Creates a query for changes of one type. A `nil` anchor is the beginning; `limit` counts samples and
    /// deleted objects together. The handler is called once, even if nothing is new.
    @preconcurrency
    public init(
        type: HKSampleType, predicate: NSPredicate?, anchor: HKQueryAnchor?, limit: Int,
        resultsHandler handler:
            @escaping @Sendable (
                HKAnchoredObjectQuery, [HKSample]?, [HKDeletedObject]?, HKQueryAnchor?, (any Error)?
            ) -> Void
    ) {
        descriptors = [HKQueryDescriptor(sampleType: type, predicate: predicate)]
        self.anchor = anchor
        self.limit = limit
        resultsHandler = handler
        super.init(objectType: type, predicate: predicate)
    }

    /// Creates a query for changes of several types, which share one anchor.
    @preconcurrency
    public init(
        queryDescriptors: [HKQueryDescriptor], anchor: HKQueryAnchor?, limit: Int,
        resultsHandler handler:
            @escaping @Sendable (
                HKAnchoredObjectQuery, [HKSample]?, [HKDeletedObject]?, HKQueryAnchor?, (any Error)?
            ) -> Void
    ) {
        guard !queryDescriptors.isEmpty else {
            ProgrammerError.raise("HKAnchoredObjectQuery data type must be non-nil")
        }
        descriptors = queryDescriptors
        self.anchor = anchor
        self.limit = limit
        resultsHandler = handler
        super.init(objectType: descriptors.single?.sampleType, predicate: descriptors.single?.predicate)
    }

    /// Creates a query for new samples of one type with a numeric anchor, as used before anchors were objects;
    /// ``HKAnchoredObjectQueryNoAnchor`` is the beginning. Deletions are not reported.
    @preconcurrency
    public init(
        type: HKSampleType, predicate: NSPredicate?, anchor: Int, limit: Int,
        completionHandler handler:
            @escaping @Sendable (
                HKAnchoredObjectQuery, [HKSample]?, Int, (any Error)?
            ) -> Void
    ) {
        descriptors = [HKQueryDescriptor(sampleType: type, predicate: predicate)]
        self.anchor = HKQueryAnchor(fromValue: anchor)
        self.limit = limit
        resultsHandler = { query, samples, _, newAnchor, error in
            handler(query, samples, newAnchor.map { Int($0.sequence) } ?? anchor, error)
        }
        super.init(objectType: type, predicate: predicate)
    }

    /// A handler that keeps the query running; it is called after each change with what is new since the last
    /// call. Only a query without a limit may have one. Set it before the query is executed.
    @preconcurrency
    open var updateHandler:
        (
            @Sendable (
                HKAnchoredObjectQuery, [HKSample]?, [HKDeletedObject]?, HKQueryAnchor?, (any Error)?
            ) -> Void
        )?
    {
        get { update.withLock { $0 } }
        set {
            requireUnexecuted("updateHandler")
            guard newValue == nil || limit == HKObjectQueryNoLimit else {
                ProgrammerError.raise("HKAnchoredObjectQuery: updateHandler requires HKObjectQueryNoLimit as the limit")
            }
            update.withLock { $0 = newValue }
        }
    }

    override func makeWork() throws -> QueryWork {
        let parts = try QueryPart.parts(of: descriptors)
        let update = update.withLock { $0 }
        let seen = LockedValue<HKQueryAnchor>()
        var work = QueryWork(
            start: { run in
                let changes = try run.connection.reader().changes(parts, after: self.anchor, limit: self.limit)
                seen.set(changes.anchor)
                run.deliver {
                    self.resultsHandler(self, changes.added, changes.deleted, changes.anchor, nil)
                }
            },
            fail: { error in
                let handler = seen.value == nil ? self.resultsHandler : update
                handler?(self, nil, nil, nil, HKError.make(error))
            })
        if let update {
            work.update = { run, digest in
                let reader = try run.connection.reader()
                guard try reader.touches(parts, digest) else { return }
                let changes = try reader.changes(parts, after: seen.value, limit: 0)
                seen.set(changes.anchor)
                guard !changes.isEmpty else { return }
                run.deliver { update(self, changes.added, changes.deleted, changes.anchor, nil) }
            }
        }
        return work
    }
}

/// A query that returns what was added and deleted since an anchor, once or as a sequence of updates.
public struct HKAnchoredObjectQueryDescriptor<Sample: HKSample>: HKAsyncQuery, HKAsyncSequenceQuery, Sendable {
    public typealias Output = Result
    public typealias Sequence = Results

    /// The types and predicates; all share the anchor.
    public var predicates: [HKSamplePredicate<Sample>]
    /// The anchor of the last result; `nil` is the beginning.
    public var anchor: HKQueryAnchor?
    /// The maximum number of samples and deleted objects in one result; `nil` for all.
    public var limit: Int?

    /// Creates a query for changes since an anchor.
    public init(predicates: [HKSamplePredicate<Sample>], anchor: HKQueryAnchor?, limit: Int? = nil) {
        self.predicates = predicates
        self.anchor = anchor
        self.limit = limit
    }

    /// Returns what is new, in insertion order, and the new anchor.
    public func result(for healthStore: HKHealthStore) async throws -> Result {
        let parts = QueryValidation.parts(predicates, of: "HKAnchoredObjectQuery")
        let (anchor, limit) = (anchor, limit ?? HKObjectQueryNoLimit)
        return try await healthStore.connection.read { reader in
            Result(try reader.changes(parts, after: anchor, limit: limit))
        }
    }

    /// Returns what is new, and again after each change. With a limit, the first results are pages.
    public func results(for healthStore: HKHealthStore) -> Results {
        Results(
            connection: healthStore.connection, parts: QueryValidation.parts(predicates, of: "HKAnchoredObjectQuery"),
            anchor: anchor, limit: limit ?? HKObjectQueryNoLimit)
    }

    /// The additions and deletions since the last result.
    public struct Result: Sendable {
        /// New samples, in insertion order.
        public let addedSamples: [Sample]
        /// Deleted objects, in order of their deletion.
        public let deletedObjects: [HKDeletedObject]
        /// The anchor for the next query.
        public let newAnchor: HKQueryAnchor

        init(_ changes: QueryReader.Changes) {
            addedSamples = changes.added.only()
            deletedObjects = changes.deleted
            newAnchor = changes.anchor
        }
    }

    /// A sequence of changes. It ends only with an error or when the task is cancelled.
    public struct Results: AsyncSequence, Sendable {
        public typealias Element = Result
        public typealias AsyncIterator = Iterator

        let connection: StoreConnection
        let parts: [QueryPart]
        let anchor: HKQueryAnchor?
        let limit: Int

        public func makeAsyncIterator() -> Iterator {
            Iterator(pages: ChangeBatches(connection, parts: parts, anchor: anchor, limit: limit))
        }

        public struct Iterator: AsyncIteratorProtocol {
            public typealias Element = Results.Element

            let pages: ChangeBatches

            /// Waits for the next change; never returns `nil`.
            public mutating func next() async throws -> Results.Element? {
                Result(try await pages.next())
            }
        }
    }
}

extension HKHealthStore {
    /// Returns an anchor after everything that is stored now, as reading all changes would, but at the same cost
    /// whatever the size of the store.
    ///
    /// - Throws: ``HKError`` like a query for the types.
    package func latestAnchor(for types: Set<HKSampleType>) async throws -> HKQueryAnchor {
        let parts = types.map { QueryPart(identifier: $0.identifier) }
        return try await connection.read { try $0.latestAnchor(parts) }
    }
}

/// One iteration over changes: the first page at once, even if it is empty, then pages as changes happen.
final class ChangeBatches: Sendable {
    private let connection: StoreConnection
    private let parts: [QueryPart]
    private let limit: Int
    private let signal = LockedValue<CommitSignal>()
    private let anchor = LockedValue<HKQueryAnchor>()

    init(_ connection: StoreConnection, parts: [QueryPart], anchor: HKQueryAnchor?, limit: Int) {
        self.connection = connection
        self.parts = parts
        self.limit = limit
        if let anchor {
            self.anchor.set(anchor)
        }
    }

    /// Returns the next page.
    ///
    /// - Throws: ``HKError``, or `CancellationError` if the task is cancelled.
    func next() async throws -> QueryReader.Changes {
        try Task.checkCancellation()
        guard let signal = signal.value else {
            // Subscribed before the first read, so that no commit is missed between the two.
            self.signal.set(try await connection.read { CommitSignal($0) })
            return try await page()
        }
        while true {
            let before = anchor.value
            let page = try await page()
            if !page.isEmpty { return page }
            // A page without matching objects is not necessarily the last one.
            if limit > 0, page.anchor != before { continue }
            _ = try await signal.next()
        }
    }

    private func page() async throws -> QueryReader.Changes {
        let (parts, limit, after) = (parts, limit, anchor.value)
        let page = try await connection.read { reader in
            try reader.changes(parts, after: after, limit: limit)
        }
        anchor.set(page.anchor)
        return page
    }
}
