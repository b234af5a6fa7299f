public import Foundation

/// Asks for figures over consecutive intervals, once or for as long as they are iterated.
public struct HKStatisticsCollectionQueryDescriptor: HKAsyncQuery, HKAsyncSequenceQuery, Sendable {
    public typealias Output = HKStatisticsCollection
    public typealias Sequence = Results

    /// The quantity type and its samples.
    public var predicate: HKSamplePredicate<HKQuantitySample>
    /// Which figures are asked for.
    public var options: HKStatisticsOptions
    /// Where the intervals begin: any bound of the grid, past or future.
    public var anchorDate: Date
    /// How long an interval is, in the calendar's terms.
    public var intervalComponents: DateComponents

    /// Asks for figures of each interval; options that do not go with the type end the process when it runs.
    public init(
        predicate: HKSamplePredicate<HKQuantitySample>, options: HKStatisticsOptions, anchorDate: Date,
        intervalComponents: DateComponents
    ) {
        self.predicate = predicate
        self.options = options
        self.anchorDate = anchorDate
        self.intervalComponents = intervalComponents
    }

    /// The collection, empty if no sample matches. An option of the other family ends the process.
    public func result(for healthStore: HKHealthStore) async throws -> HKStatisticsCollection {
        let read = reading()
        return try await healthStore.connection.read { try read($0) }
    }

    /// The collection, and again after each change. An option of the other family ends the process.
    public func results(for healthStore: HKHealthStore) -> Results {
        Results(connection: healthStore.connection, type: predicate.sampleType, read: reading())
    }

    private func reading() -> @Sendable (QueryReader) throws -> HKStatisticsCollection {
        let type = QuantityTypeOfPredicate.type(of: predicate)
        StatisticsOptionRule.require(options, for: type)
        let part = QueryValidation.parts([predicate], of: "HKStatisticsCollectionQuery")[0]
        let (options, anchor, components) = (options, anchorDate, intervalComponents)
        return { reader in
            try reader.statisticsCollection(
                of: type, part, options: options, anchorDate: anchor, intervalComponents: components)
        }
    }

    /// A collection, and what is new in it.
    public struct Result: Sendable {
        /// All intervals.
        public let statisticsCollection: HKStatisticsCollection
        /// The intervals that changed since the last result; `nil` in the first.
        public let updatedStatistics: [HKStatistics]?
    }

    /// The collection as it changes. Iteration ends only by leaving it, by cancelling the task or with
    /// an error.
    public struct Results: AsyncSequence, Sendable {
        public typealias Element = Result
        public typealias AsyncIterator = Iterator

        let connection: StoreConnection
        let type: HKSampleType
        let read: @Sendable (QueryReader) throws -> HKStatisticsCollection

        public func makeAsyncIterator() -> Iterator {
            let (type, read) = (type, read)
            return Iterator(
                reading: UpdateReading(connection) { reader, before, digest in
                    if let digest, try !reader.touches(type, digest) { return nil }
                    let collection = try read(reader)
                    guard let before else {
                        return Result(statisticsCollection: collection, updatedStatistics: nil)
                    }
                    let changes = collection.changes(since: before.statisticsCollection)
                    guard !changes.isEmpty else { return nil }
                    return Result(statisticsCollection: collection, updatedStatistics: changes)
                })
        }

        public struct Iterator: AsyncIteratorProtocol {
            public typealias Element = Results.Element

            let reading: UpdateReading<Result>

            /// Waits for the next change; never `nil`.
            public mutating func next() async throws -> Results.Element? {
                try await reading.next()
            }
        }
    }
}
