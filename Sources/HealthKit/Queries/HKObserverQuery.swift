public import Foundation
import Synchronization

/// A block that an update handler calls when it has handled a background delivery.
public typealias HKObserverQueryCompletionHandler = @Sendable () -> Void

/// A long-running query that reports that samples were added or deleted, without saying which.
///
/// The handler is called soon after execution if there is data, and then after commits in this or another
/// process; one call may cover several commits. Read the changes with an ``HKAnchoredObjectQuery``. The query
/// runs until it is stopped.
// Unchecked: every stored property is constant.
open class HKObserverQuery: HKQuery, @unchecked Sendable {
    private typealias Handler =
        @Sendable (
            HKObserverQuery, Set<HKSampleType>?, @escaping HKObserverQueryCompletionHandler, (any Error)?
        ) -> Void

    private let descriptors: [HKQueryDescriptor]
    private let updateHandler: Handler

    /// Creates a query that observes one type. After an error that can pass, as of a store that is busy, the query
    /// looks at the same changes again when the next commit arrives; another error at the beginning ends the query.
    ///
    /// When background delivery is enabled for the type, the handler must call its completion handler: an uncompleted
    /// call is repeated with growing delays, at most three times. Calling it also acknowledges the delivery for which
    /// `hk daemon` may have started the program.
    @preconcurrency
    public init(
        sampleType: HKSampleType, predicate: NSPredicate?,
        updateHandler:
            @escaping @Sendable (
                HKObserverQuery, @escaping HKObserverQueryCompletionHandler, (any Error)?
            ) -> Void
    ) {
        descriptors = [HKQueryDescriptor(sampleType: sampleType, predicate: predicate)]
        self.updateHandler = { query, _, completion, error in updateHandler(query, completion, error) }
        super.init(objectType: sampleType, predicate: predicate)
    }

    /// Creates a query that observes several types. The handler receives the types that changed, or `nil`
    /// and an error.
    @preconcurrency
    public init(
        queryDescriptors: [HKQueryDescriptor],
        updateHandler:
            @escaping @Sendable (
                HKObserverQuery, Set<HKSampleType>?, @escaping HKObserverQueryCompletionHandler,
                (any Error)?
            ) -> Void
    ) {
        guard !queryDescriptors.isEmpty else {
            ProgrammerError.raise("HKObserverQuery data type must be non-nil")
        }
        descriptors = queryDescriptors
        self.updateHandler = updateHandler
        super.init(objectType: descriptors.single?.sampleType, predicate: descriptors.single?.predicate)
    }

    override func makeWork() throws -> QueryWork {
        let parts = try QueryPart.parts(of: descriptors)
        let types = Dictionary(
            descriptors.map { ($0.sampleType.identifier, $0.sampleType) }, uniquingKeysWith: { first, _ in first })
        let positions = ObservedPositions()
        let deliveries = BackgroundDeliveries()
        let notify: @Sendable (QueryRun, [ObservedCheck]) -> Void = { run, checks in
            let changed = checks.filter(\.isFound)
            // Changes that don't match the predicate need no call; the application has handled them.
            deliveries.skip(checks.filter { !$0.isFound })
            guard !changed.isEmpty else { return }
            let changedTypes = Set(changed.compactMap { types[$0.identifier] })
            deliveries.deliver(changed, to: run, types: changedTypes) { completion in
                self.updateHandler(self, changedTypes, completion, nil)
            }
        }
        return QueryWork(
            start: { run in
                let reader = try run.connection.reader()
                deliveries.begin(parts.map(\.identifier), in: run)
                for part in parts {
                    try reader.requireDetermined(part)
                }
                let checks = try parts.map { part in
                    try positions.check(part, reader.lastSequence) { _ in
                        // A program that was started for a deletion is notified of it, even if no sample is left.
                        if try reader.hasSamples(part) { return true }
                        guard let position = run.connection.acknowledgedPosition(of: part.identifier) else {
                            return false
                        }
                        return try reader.hasChanges(part, after: position)
                    }
                }
                positions.advance(checks)
                notify(run, checks)
            },
            update: { run, digest in
                let reader = try run.connection.reader()
                let checks = try parts.map { part in
                    var check = try positions.check(part, reader.lastSequence) { after in
                        try reader.hasChanges(part, after: after, digest)
                    }
                    check.isTouched = try reader.touches([part], digest)
                    return check
                }
                positions.advance(checks)
                notify(run, checks)
            },
            end: { deliveries.end() }, beginsAgain: true,
            fail: { self.updateHandler(self, nil, {}, HKError.make($0)) })
    }
}

/// The position in the store's sequence up to which an observer has reported changes, for each of its
/// types, so that it reports every change exactly once.
private final class ObservedPositions: Sendable {
    private let positions = Mutex<[String: Int64]>([:])

    /// Searches for changes after the last position. ``advance(_:)`` then moves it.
    ///
    /// The handler is called after the search and then reads everything committed so far, so a match moves
    /// the position to the present. Without a match, only what preceded the search counts as seen, and nothing
    /// without a search: commits that the observer has not been notified of may have been stored already.
    ///
    /// - Parameters:
    ///   - last: Returns the last sequence of the store.
    ///   - find: Returns whether anything changed after the given position; `nil` if there was no need to search.
    func check(
        _ part: QueryPart, _ last: () throws -> Int64, _ find: (Int64) throws -> Bool?
    ) throws -> ObservedCheck {
        let after = positions.withLock { $0[part.identifier] } ?? 0
        let before = try last()
        let found = try find(after)
        let isFound = found == true
        let seen = isFound ? try last() : found == nil ? after : before
        return ObservedCheck(identifier: part.identifier, isFound: isFound, after: after, through: max(after, seen))
    }

    /// Moves the positions when all types have been searched: if the search for one fails, the changes of the others
    /// haven't been reported either.
    func advance(_ checks: [ObservedCheck]) {
        positions.withLock { positions in
            for check in checks { positions[check.identifier] = check.through }
        }
    }
}

/// The result of checking one of an observer's types.
struct ObservedCheck: Sendable {
    /// The type.
    var identifier: String
    /// Whether the observer is called for it.
    var isFound: Bool
    /// Whether the type may have changed.
    var isTouched = true
    /// The changes that were checked: those after the first sequence number, up to the second.
    var after: Int64
    var through: Int64
}
