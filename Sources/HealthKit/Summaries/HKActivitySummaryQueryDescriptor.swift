public import Foundation

/// Asks for activity summaries, once or for as long as they are iterated.
// Unchecked: predicates are immutable once made.
public struct HKActivitySummaryQueryDescriptor: HKAsyncQuery, HKAsyncSequenceQuery, @unchecked Sendable {
    public typealias Output = [HKActivitySummary]
    public typealias Sequence = Results

    /// Which days; `nil` for all.
    public var predicate: NSPredicate?

    /// Asks for the summaries of matching days.
    public init(predicate: NSPredicate?) {
        self.predicate = predicate
    }

    /// Summaries of the days that have data, in order of time.
    public func result(for healthStore: HKHealthStore) async throws -> [HKActivitySummary] {
        let part = part
        return try await healthStore.connection.read { try $0.activitySummaries(part) }
    }

    /// The summaries, and all of them again whenever one has changed.
    public func results(for healthStore: HKHealthStore) -> Results {
        Results(connection: healthStore.connection, part: part)
    }

    private var part: QueryPart {
        QueryValidation.checked { try QueryPart(type: .activitySummaryType(), predicate: predicate) }
    }

    /// Summaries as they change. Iteration ends only by leaving it, by cancelling the task or with an
    /// error.
    public struct Results: AsyncSequence, Sendable {
        public typealias Element = [HKActivitySummary]
        public typealias AsyncIterator = Iterator

        let connection: StoreConnection
        let part: QueryPart

        public func makeAsyncIterator() -> Iterator {
            let part = part
            return Iterator(
                reading: UpdateReading(connection) { reader, before, digest in
                    if let digest, try !reader.touchesSummaries(digest) { return nil }
                    let summaries = try reader.activitySummaries(part)
                    return summaries == before ? nil : summaries
                })
        }

        public struct Iterator: AsyncIteratorProtocol {
            public typealias Element = Results.Element

            let reading: UpdateReading<[HKActivitySummary]>

            /// Waits for the next change; never `nil`.
            public mutating func next() async throws -> Results.Element? {
                try await reading.next()
            }
        }
    }
}
