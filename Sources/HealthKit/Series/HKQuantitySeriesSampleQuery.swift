public import Foundation
import Synchronization

/// A query that reads the quantities of series samples. A sample that is not a series has one quantity.
///
/// The handler is called once for each quantity and learns which call is the last one; without quantities it is
/// called once with `nil`.
// Unchecked: all mutable state is in a Mutex, everything else is constant.
open class HKQuantitySeriesSampleQuery: HKQuery, @unchecked Sendable {
    private struct Settings {
        var includeSample = false
        var orderBySample = false
    }

    private let quantityType: HKQuantityType
    private let settings = Mutex(Settings())
    private let handler:
        @Sendable (
            HKQuantitySeriesSampleQuery, HKQuantity?, DateInterval?, HKQuantitySample?, Bool, (any Error)?
        ) -> Void

    /// Creates a query for the quantities of the matching samples of a type.
    @preconcurrency
    public init(
        quantityType: HKQuantityType, predicate: NSPredicate?,
        quantityHandler:
            @escaping @Sendable (
                HKQuantitySeriesSampleQuery, HKQuantity?, DateInterval?, HKQuantitySample?, Bool, (any Error)?
            ) -> Void
    ) {
        self.quantityType = quantityType
        handler = quantityHandler
        super.init(objectType: quantityType, predicate: predicate)
    }

    /// Creates a query for the quantities of one sample, each with its start date.
    @preconcurrency
    public init(
        sample quantitySample: HKQuantitySample,
        quantityHandler:
            @escaping @Sendable (
                HKQuantitySeriesSampleQuery, HKQuantity?, Date?, Bool, (any Error)?
            ) -> Void
    ) {
        quantityType = quantitySample.quantityType
        handler = { query, quantity, interval, _, isDone, error in
            quantityHandler(query, quantity, interval?.start, isDone, error)
        }
        super.init(
            objectType: quantitySample.quantityType, predicate: HKQuery.predicateForObject(with: quantitySample.uuid))
    }

    /// A Boolean value that indicates whether the handler receives the sample of each quantity. Set it before the
    /// query is executed.
    open var includeSample: Bool {
        get { settings.withLock { $0.includeSample } }
        set {
            requireUnexecuted("includeSample")
            settings.withLock { $0.includeSample = newValue }
        }
    }

    /// A Boolean value that indicates whether quantities are in order of their samples' start dates, sample after
    /// sample, instead of their own. Set it before the query is executed.
    open var orderByQuantitySampleStartDate: Bool {
        get { settings.withLock { $0.orderBySample } }
        set {
            requireUnexecuted("orderByQuantitySampleStartDate")
            settings.withLock { $0.orderBySample = newValue }
        }
    }

    override func makeWork() throws -> QueryWork {
        let part = try QueryPart(type: quantityType, predicate: predicate)
        let settings = settings.withLock { $0 }
        return QueryWork(
            start: { run in
                let elements = try run.connection.reader().seriesElements(part, bySample: settings.orderBySample)
                for (index, element) in elements.enumerated() {
                    guard run.isActive else { return }
                    run.deliver {
                        self.handler(
                            self, element.quantity, element.dateInterval,
                            settings.includeSample ? element.sample : nil, index == elements.count - 1, nil)
                    }
                }
                if elements.isEmpty { run.deliver { self.handler(self, nil, nil, nil, true, nil) } }
            },
            fail: { self.handler(self, nil, nil, nil, true, HKError.make($0)) })
    }
}

/// A query that returns the quantities of series samples as a sequence.
public struct HKQuantitySeriesSampleQueryDescriptor: HKAsyncSequenceQuery, Sendable {
    public typealias Sequence = Results

    /// The quantity type and its predicate.
    public var predicate: HKSamplePredicate<HKQuantitySample>
    /// The contents and order of the results.
    public var options: Options

    /// Creates a query for the quantities of the matching samples.
    public init(predicate: HKSamplePredicate<HKQuantitySample>, options: Options = []) {
        self.predicate = predicate
        self.options = options
    }

    /// Returns the quantities.
    public func results(for healthStore: HKHealthStore) -> Results {
        Results(
            connection: healthStore.connection,
            part: QueryValidation.parts([predicate], of: "HKQuantitySeriesSampleQuery")[0], options: options)
    }

    /// The contents and order of the results.
    public struct Options: OptionSet, Sendable {
        public typealias RawValue = Int
        public typealias Element = Options
        public typealias ArrayLiteralElement = Options

        /// Each quantity is returned with its sample.
        public static let includeSample = Options(rawValue: 1 << 0)
        /// Quantities are in order of their samples' start dates, sample after sample.
        public static let orderByQuantitySampleStartDate = Options(rawValue: 1 << 1)

        public let rawValue: Int

        public init(rawValue: Int) {
            self.rawValue = rawValue
        }
    }

    /// One quantity.
    public struct Result: Hashable, Sendable {
        /// The quantity.
        public let quantity: HKQuantity
        /// The period of the quantity.
        public let dateInterval: DateInterval
        /// The sample of the quantity, with the option ``Options/includeSample``.
        public let sample: HKQuantitySample?

        init(_ element: QueryReader.SeriesElement, options: Options) {
            quantity = element.quantity
            dateInterval = element.dateInterval
            sample = options.contains(.includeSample) ? element.sample : nil
        }
    }

    /// A sequence of quantities.
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

            /// Returns the next quantity; `nil` after the last one.
            public mutating func next() async throws -> Results.Element? {
                try await reading.nextElement()
            }
        }
    }
}
