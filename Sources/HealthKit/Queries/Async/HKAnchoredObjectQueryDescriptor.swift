/// Asks for what was added and deleted since an anchor, once or for as long as it is iterated.
public struct HKAnchoredObjectQueryDescriptor<Sample: HKSample>: HKAsyncQuery, HKAsyncSequenceQuery, Sendable {
    public typealias Output = Result
    public typealias Sequence = Results

    /// What is asked for; all share the anchor.
    public var predicates: [HKSamplePredicate<Sample>]
    /// How far was read before; `nil` is the beginning.
    public var anchor: HKQueryAnchor?
    /// How many samples and deleted objects at most in one result; `nil` for all.
    public var limit: Int?

    /// Asks for changes of all the predicates since one anchor.
    public init(predicates: [HKSamplePredicate<Sample>], anchor: HKQueryAnchor?, limit: Int? = nil) {
        self.predicates = predicates
        self.anchor = anchor
        self.limit = limit
    }

    /// What is new, in the order it was inserted, and the anchor to go on from.
    public func result(for healthStore: HKHealthStore) async throws -> Result {
        let parts = QueryValidation.parts(predicates, of: "HKAnchoredObjectQuery")
        let (anchor, limit) = (anchor, limit ?? HKObjectQueryNoLimit)
        return try await healthStore.connection.read { reader in
            Result(try reader.changes(parts, after: anchor, limit: limit))
        }
    }

    /// What is new, and again after each change. With a limit, page after page first.
    public func results(for healthStore: HKHealthStore) -> Results {
        Results(
            connection: healthStore.connection,
            parts: QueryValidation.parts(predicates, of: "HKAnchoredObjectQuery"),
            anchor: anchor, limit: limit ?? HKObjectQueryNoLimit)
    }

    /// One reading.
    public struct Result: Sendable {
        /// New samples, in the order they were inserted.
        public let addedSamples: [Sample]
        /// What was deleted, in the order it was.
        public let deletedObjects: [HKDeletedObject]
        /// Where to go on from.
        public let newAnchor: HKQueryAnchor

        init(_ changes: QueryReader.Changes) {
            addedSamples = changes.added.only()
            deletedObjects = changes.deleted
            newAnchor = changes.anchor
        }
    }

    /// Changes as they come. Iteration ends only by leaving it, by cancelling the task or with an error.
    public struct Results: AsyncSequence, Sendable {
        public typealias Element = Result
        public typealias AsyncIterator = Iterator

        let connection: StoreConnection
        let parts: [QueryPart]
        let anchor: HKQueryAnchor?
        let limit: Int

        public func makeAsyncIterator() -> Iterator {
            Iterator(pages: ChangePages(connection, parts: parts, anchor: anchor, limit: limit))
        }

        public struct Iterator: AsyncIteratorProtocol {
            public typealias Element = Results.Element

            let pages: ChangePages

            /// Waits for the next change; never `nil`.
            public mutating func next() async throws -> Results.Element? {
                Result(try await pages.next())
            }
        }
    }
}
