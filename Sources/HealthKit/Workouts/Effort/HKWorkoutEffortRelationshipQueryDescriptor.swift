public import Foundation

/// Asks which effort samples rate which workouts, once or for as long as it is iterated.
public struct HKWorkoutEffortRelationshipQueryDescriptor: HKAsyncQuery, HKAsyncSequenceQuery, Sendable {
    public typealias Output = Result
    public typealias Sequence = Results

    // Unsafe: predicates are immutable once made; a block that is not safe on other threads would be
    // wrong with the original as well, which runs queries in the background.
    private nonisolated(unsafe) var given: NSPredicate?
    /// Which workouts; `nil` for all.
    public var predicate: NSPredicate? {
        get { given }
        set { given = newValue }
    }
    /// How far was read before; `nil` is the beginning.
    public var anchor: HKQueryAnchor?
    /// All samples of a relationship, or the most relevant one.
    public var option: HKWorkoutEffortRelationshipQueryOptions

    /// Asks for the relationships of matching workouts that changed since an anchor.
    /// Asks for the workouts that satisfy a predicate; one of effort samples that are related to a
    /// workout asks for that workout.
    public init(
        predicate: NSPredicate?, anchor: HKQueryAnchor?, option: HKWorkoutEffortRelationshipQueryOptions
    ) {
        given = predicate
        self.anchor = anchor
        self.option = option
    }

    /// The relationships that changed since the anchor.
    public func result(for healthStore: HKHealthStore) async throws -> Result {
        let (part, anchor, option) = (part, anchor, option)
        return try await healthStore.connection.read {
            Result(try $0.efforts(part, after: anchor, options: option))
        }
    }

    /// The relationships that changed since the anchor, and again after each change.
    public func results(for healthStore: HKHealthStore) -> Results {
        Results(connection: healthStore.connection, part: part, anchor: anchor, option: option)
    }

    private var part: QueryPart {
        QueryValidation.checked { try QueryPart(type: .workoutType(), predicate: predicate) }
    }

    /// One reading.
    public struct Result: Sendable {
        /// What changed, in the order it did.
        public let relationships: [HKWorkoutEffortRelationship]
        /// Where to go on from.
        public let newAnchor: HKQueryAnchor

        init(_ changes: QueryReader.EffortChanges) {
            relationships = changes.relationships
            newAnchor = changes.anchor
        }
    }

    /// Changes as they come. Iteration ends only by leaving it, by cancelling the task or with an error.
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
                    // The first reading is handed over even when it is empty.
                    return known != nil && changes.relationships.isEmpty ? nil : changes
                })
        }

        public struct Iterator: AsyncIteratorProtocol {
            public typealias Element = Results.Element

            let reading: UpdateReading<QueryReader.EffortChanges>

            /// Waits for the next change; never `nil`.
            public mutating func next() async throws -> Results.Element? {
                Result(try await reading.next())
            }
        }
    }
}
