public import Foundation

/// A long-running query that returns which effort samples rate which workouts.
///
/// The handler is called once at first, even if there are no relationships, and after each change with the
/// relationships that changed. A relationship whose last sample was removed is reported without samples.
// Unchecked: every stored property is constant.
open class HKWorkoutEffortRelationshipQuery: HKQuery, @unchecked Sendable {
    private typealias Handler =
        @Sendable (
            HKWorkoutEffortRelationshipQuery, [HKWorkoutEffortRelationship]?, HKQueryAnchor?, (any Error)?
        ) -> Void

    private let anchor: HKQueryAnchor?
    private let options: HKWorkoutEffortRelationshipQueryOptions
    private let resultsHandler: Handler

    /// Creates a query over the workouts that match a predicate. A predicate for effort samples that are related to
    /// a workout matches that workout. A `nil` anchor is the beginning.
    @preconcurrency
    public init(
        predicate: NSPredicate?, anchor: HKQueryAnchor?, options: HKWorkoutEffortRelationshipQueryOptions,
        resultsHandler:
            @escaping @Sendable (
                HKWorkoutEffortRelationshipQuery, [HKWorkoutEffortRelationship]?, HKQueryAnchor?, (any Error)?
            ) -> Void
    ) {
        self.anchor = anchor
        self.options = options
        self.resultsHandler = resultsHandler
        super.init(objectType: HKObjectType.workoutType(), predicate: predicate)
    }

    override func makeWork() throws -> QueryWork {
        let part = try QueryPart(type: .workoutType(), predicate: predicate)
        let seen = LockedValue<HKQueryAnchor>()
        return QueryWork(
            start: { run in
                let changes = try run.connection.reader().efforts(part, after: self.anchor, options: self.options)
                seen.set(changes.anchor)
                run.deliver { self.resultsHandler(self, changes.relationships, changes.anchor, nil) }
            },
            update: { run, _ in
                let changes = try run.connection.reader().efforts(part, after: seen.value, options: self.options)
                seen.set(changes.anchor)
                guard !changes.relationships.isEmpty else { return }
                run.deliver { self.resultsHandler(self, changes.relationships, changes.anchor, nil) }
            },
            fail: { self.resultsHandler(self, nil, nil, HKError.make($0)) })
    }
}

/// A query that returns which effort samples rate which workouts, once or as a sequence of updates.
public struct HKWorkoutEffortRelationshipQueryDescriptor: HKAsyncQuery, HKAsyncSequenceQuery, Sendable {
    public typealias Output = Result
    public typealias Sequence = Results

    // Unsafe: predicates are immutable; a block that is not safe on other threads would be an error with the
    // original as well, which runs queries in the background.
    private nonisolated(unsafe) var given: NSPredicate?
    /// Which workouts match; `nil` for all.
    public var predicate: NSPredicate? {
        get { given }
        set { given = newValue }
    }
    /// The anchor of the last result; `nil` is the beginning.
    public var anchor: HKQueryAnchor?
    /// All samples of a relationship, or the most relevant one.
    public var option: HKWorkoutEffortRelationshipQueryOptions

    /// Creates a query for the relationships of matching workouts that changed since an anchor. A predicate for
    /// effort samples that are related to a workout matches that workout.
    public init(
        predicate: NSPredicate?, anchor: HKQueryAnchor?, option: HKWorkoutEffortRelationshipQueryOptions
    ) {
        given = predicate
        self.anchor = anchor
        self.option = option
    }

    /// Returns the relationships that changed since the anchor.
    public func result(for healthStore: HKHealthStore) async throws -> Result {
        let (part, anchor, option) = (part, anchor, option)
        return try await healthStore.connection.read {
            Result(try $0.efforts(part, after: anchor, options: option))
        }
    }

    /// Returns the relationships that changed since the anchor, and again after each change.
    public func results(for healthStore: HKHealthStore) -> Results {
        Results(connection: healthStore.connection, part: part, anchor: anchor, option: option)
    }

    private var part: QueryPart {
        QueryValidation.checked { try QueryPart(type: .workoutType(), predicate: predicate) }
    }

    /// The relationships that changed since the last result.
    public struct Result: Sendable {
        /// The relationships, in the order of their changes.
        public let relationships: [HKWorkoutEffortRelationship]
        /// The anchor for the next query.
        public let newAnchor: HKQueryAnchor

        init(_ changes: QueryReader.EffortChanges) {
            relationships = changes.relationships
            newAnchor = changes.anchor
        }
    }

    /// A sequence of changes. It ends only with an error or when the task is cancelled.
    public struct Results: AsyncSequence, Sendable {
        public typealias Element = Result
        public typealias AsyncIterator = Iterator

        let connection: StoreConnection
        let part: QueryPart
        let anchor: HKQueryAnchor?
        let option: HKWorkoutEffortRelationshipQueryOptions

        public func makeAsyncIterator() -> Iterator {
            let (part, anchor, option) = (part, anchor, option)
            return Iterator(
                reading: UpdateReading(connection) { reader, known, _ in
                    let changes = try reader.efforts(part, after: known?.anchor ?? anchor, options: option)
                    // The first result is returned even if it is empty.
                    return known != nil && changes.relationships.isEmpty ? nil : changes
                })
        }

        public struct Iterator: AsyncIteratorProtocol {
            public typealias Element = Results.Element

            let reading: UpdateReading<QueryReader.EffortChanges>

            /// Waits for the next change; never returns `nil`.
            public mutating func next() async throws -> Results.Element? {
                Result(try await reading.next())
            }
        }
    }
}
