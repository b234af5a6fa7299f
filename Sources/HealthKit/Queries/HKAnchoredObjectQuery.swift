public import Foundation
import Synchronization

/// Asks for what was added and deleted since an anchor, and goes on telling when it has an update
/// handler.
///
/// Samples come in the order they were inserted. A page may hold fewer than the limit although there is
/// more: read on until the anchor stays the same.
// Unchecked: the update handler is in a Mutex, all else is constant.
open class HKAnchoredObjectQuery: HKQuery, @unchecked Sendable {
    private typealias Handler = @Sendable (
        HKAnchoredObjectQuery, [HKSample]?, [HKDeletedObject]?, HKQueryAnchor?, (any Error)?
    ) -> Void

    private let descriptors: [HKQueryDescriptor]
    private let anchor: HKQueryAnchor?
    private let limit: Int
    private let resultsHandler: Handler
    private let update = Mutex<Handler?>(nil)

    /// Asks for changes of one type. `anchor` `nil` is the beginning; `limit` counts samples and deleted
    /// objects together. The handler is called once, even when nothing is new.
    @preconcurrency
    public convenience init(
        type: HKSampleType, predicate: NSPredicate?, anchor: HKQueryAnchor?, limit: Int,
        resultsHandler handler: @escaping @Sendable (
            HKAnchoredObjectQuery, [HKSample]?, [HKDeletedObject]?, HKQueryAnchor?, (any Error)?
        ) -> Void
    ) {
        self.init(
            descriptors: [HKQueryDescriptor(sampleType: type, predicate: predicate)], anchor: anchor,
            limit: limit, handler: handler)
    }

    /// Asks for changes of several types, which share one anchor.
    @preconcurrency
    public convenience init(
        queryDescriptors: [HKQueryDescriptor], anchor: HKQueryAnchor?, limit: Int,
        resultsHandler handler: @escaping @Sendable (
            HKAnchoredObjectQuery, [HKSample]?, [HKDeletedObject]?, HKQueryAnchor?, (any Error)?
        ) -> Void
    ) {
        self.init(descriptors: queryDescriptors, anchor: anchor, limit: limit, handler: handler)
    }

    /// Asks for new samples of one type with a number as anchor, as before anchors were objects;
    /// ``HKAnchoredObjectQueryNoAnchor`` is the beginning. Deletions are not told.
    @preconcurrency
    public convenience init(
        type: HKSampleType, predicate: NSPredicate?, anchor: Int, limit: Int,
        completionHandler handler: @escaping @Sendable (
            HKAnchoredObjectQuery, [HKSample]?, Int, (any Error)?
        ) -> Void
    ) {
        self.init(
            descriptors: [HKQueryDescriptor(sampleType: type, predicate: predicate)],
            anchor: HKQueryAnchor(fromValue: anchor), limit: limit
        ) { query, samples, _, newAnchor, error in
            handler(query, samples, newAnchor.map { Int($0.sequence) } ?? anchor, error)
        }
    }

    private init(
        descriptors: [HKQueryDescriptor], anchor: HKQueryAnchor?, limit: Int,
        handler: @escaping Handler
    ) {
        guard !descriptors.isEmpty else {
            ProgrammerError.raise("HKAnchoredObjectQuery data type must be non-nil")
        }
        self.descriptors = descriptors
        self.anchor = anchor
        self.limit = limit
        resultsHandler = handler
        let single = descriptors.count == 1 ? descriptors.first : nil
        super.init(objectType: single?.sampleType, predicate: single?.predicate)
    }

    /// Keeps the query running, and is called after each change with what is new since the last call.
    /// Only a query without a limit may have one. Set it before the query is executed.
    @preconcurrency
    public var updateHandler:
        (@Sendable (
            HKAnchoredObjectQuery, [HKSample]?, [HKDeletedObject]?, HKQueryAnchor?, (any Error)?
        ) -> Void)?
    {
        get { update.withLock { $0 } }
        set {
            requireUnexecuted("updateHandler")
            guard newValue == nil || limit == HKObjectQueryNoLimit else {
                ProgrammerError.raise(
                    "HKAnchoredObjectQuery: updateHandler requires HKObjectQueryNoLimit as the limit")
            }
            update.withLock { $0 = newValue }
        }
    }

    override func makeWork() throws -> QueryWork {
        let parts = try QueryPart.parts(of: descriptors)
        let update = update.withLock { $0 }
        let seen = Latest<HKQueryAnchor>()
        var work = QueryWork(
            start: { run in
                let changes = try run.connection.reader().changes(
                    parts, after: self.anchor, limit: self.limit)
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
