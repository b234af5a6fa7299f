public import Foundation
import HealthEngine
import Synchronization

/// Called by an observer's handler when it has dealt with a background delivery.
public typealias HKObserverQueryCompletionHandler = @Sendable () -> Void

/// Tells that something was added or deleted, without saying what; runs until it is stopped.
///
/// The handler is called once soon after execution when there is data, and then after commits in this or
/// another process; several commits may be told in one call. Read what changed with an
/// ``HKAnchoredObjectQuery``.
// Unchecked: every stored property is constant.
open class HKObserverQuery: HKQuery, @unchecked Sendable {
    private typealias Handler = @Sendable (
        HKObserverQuery, Set<HKSampleType>?, @escaping HKObserverQueryCompletionHandler, (any Error)?
    ) -> Void

    private let descriptors: [HKQueryDescriptor]
    private let updateHandler: Handler

    /// Observes one type. With an error the query has ended.
    ///
    /// The handler must call its completion handler when background delivery is enabled for the type:
    /// a call that is not completed is repeated, later each time, and given up after three.
    @preconcurrency
    public convenience init(
        sampleType: HKSampleType, predicate: NSPredicate?,
        updateHandler: @escaping @Sendable (
            HKObserverQuery, @escaping HKObserverQueryCompletionHandler, (any Error)?
        ) -> Void
    ) {
        self.init(
            descriptors: [HKQueryDescriptor(sampleType: sampleType, predicate: predicate)]
        ) { query, _, completion, error in
            updateHandler(query, completion, error)
        }
    }

    /// Observes several types; the handler is told which of them changed, or `nil` and an error.
    @preconcurrency
    public convenience init(
        queryDescriptors: [HKQueryDescriptor],
        updateHandler: @escaping @Sendable (
            HKObserverQuery, Set<HKSampleType>?, @escaping HKObserverQueryCompletionHandler,
            (any Error)?
        ) -> Void
    ) {
        self.init(descriptors: queryDescriptors, updateHandler: updateHandler)
    }

    private init(descriptors: [HKQueryDescriptor], updateHandler: @escaping Handler) {
        guard !descriptors.isEmpty else {
            ProgrammerError.raise("HKObserverQuery data type must be non-nil")
        }
        self.descriptors = descriptors
        self.updateHandler = updateHandler
        let single = descriptors.count == 1 ? descriptors.first : nil
        super.init(objectType: single?.sampleType, predicate: single?.predicate)
    }

    override func makeWork() throws -> QueryWork {
        let parts = try QueryPart.parts(of: descriptors)
        let types = Dictionary(
            descriptors.map { ($0.sampleType.identifier, $0.sampleType) },
            uniquingKeysWith: { first, _ in first })
        let seen = ObservedPlaces()
        let deliveries = BackgroundDeliveries()
        let tell: @Sendable (QueryRun, [QueryPart]) -> Void = { run, changed in
            let changedTypes = Set(changed.compactMap { types[$0.identifier] })
            deliveries.deliver(to: run, types: changedTypes) { completion in
                self.updateHandler(self, changedTypes, completion, nil)
            }
        }
        return QueryWork(
            start: { run in
                let reader = try run.connection.reader()
                for part in parts {
                    try reader.requireDetermined(part)
                }
                let filled = try parts.filter { part in
                    try seen.look(at: part, reader.engine.lastSequence) { _ in try reader.hasSamples(part) }
                }
                guard !filled.isEmpty else { return }
                tell(run, filled)
            },
            update: { run, digest in
                let reader = try run.connection.reader()
                let changed = try parts.filter { part in
                    try seen.look(at: part, reader.engine.lastSequence) { after in
                        try reader.hasChanges(part, after: after, digest)
                    }
                }
                guard !changed.isEmpty else { return }
                tell(run, changed)
            },
            fail: { self.updateHandler(self, nil, {}, HKError.make($0)) })
    }
}
