public import Foundation

/// Reads the single quantities that samples were made of, for as long as they are iterated.
public struct HKQuantitySeriesSampleQueryDescriptor: HKAsyncSequenceQuery, Sendable {
    public typealias Sequence = Results

    /// The quantity type and its samples.
    public var predicate: HKSamplePredicate<HKQuantitySample>
    /// What is given, and in which order.
    public var options: Options

    /// Asks for the quantities of all matching samples.
    public init(predicate: HKSamplePredicate<HKQuantitySample>, options: Options = []) {
        self.predicate = predicate
        self.options = options
    }

    /// The quantities in order.
    public func results(for healthStore: HKHealthStore) -> Results {
        Results(
            connection: healthStore.connection,
            part: QueryValidation.parts([predicate], of: "HKQuantitySeriesSampleQuery")[0], options: options)
    }

    /// What is given, and in which order.
    public struct Options: OptionSet, Sendable {
        public typealias RawValue = Int
        public typealias Element = Options
        public typealias ArrayLiteralElement = Options

        /// Each quantity comes with its sample.
        public static let includeSample = Options(rawValue: 1 << 0)
        /// Quantities come sample after sample, in order of the samples' start.
        public static let orderByQuantitySampleStartDate = Options(rawValue: 1 << 1)

        public let rawValue: Int

        public init(rawValue: Int) {
            self.rawValue = rawValue
        }
    }

    /// One quantity.
    public struct Result: Hashable, Sendable {
        /// The number with its unit.
        public let quantity: HKQuantity
        /// When it was measured.
        public let dateInterval: DateInterval
        /// The sample it belongs to, where ``Options/includeSample`` asks for it.
        public let sample: HKQuantitySample?

        init(_ element: QueryReader.SeriesElement, options: Options) {
            quantity = element.quantity
            dateInterval = element.dateInterval
            sample = options.contains(.includeSample) ? element.sample : nil
        }

        public static func == (a: Result, b: Result) -> Bool {
            a.quantity == b.quantity && a.dateInterval == b.dateInterval && a.sample == b.sample
        }

        public func hash(into hasher: inout Hasher) {
            hasher.combine(quantity)
            hasher.combine(dateInterval)
            hasher.combine(sample)
        }

        public var hashValue: Int {
            var hasher = Hasher()
            hash(into: &hasher)
            return hasher.finalize()
        }
    }

    /// Quantities in order.
    public struct Results: AsyncSequence, Sendable {
        public typealias Element = Result
        public typealias AsyncIterator = Iterator

        let connection: StoreConnection
        let part: QueryPart
        let options: Options

        public func makeAsyncIterator() -> Iterator {
            let (part, options) = (part, options)
            return Iterator(
                reading: SeriesReading(connection) { reader in
                    try reader.seriesElements(
                        part, bySample: options.contains(.orderByQuantitySampleStartDate)
                    ).map { Result($0, options: options) }
                })
        }

        public struct Iterator: AsyncIteratorProtocol {
            public typealias Element = Results.Element

            var reading: SeriesReading<Result>

            /// The next quantity; `nil` after the last.
            public mutating func next() async throws -> Results.Element? {
                try await reading.nextElement()
            }
        }
    }
}
