public import Foundation
import HealthEngine
import HealthModel

/// A query that returns statistics over the matching samples of a quantity type.
// Unchecked: every stored property is constant.
open class HKStatisticsQuery: HKQuery, @unchecked Sendable {
    private let quantityType: HKQuantityType
    private let options: HKStatisticsOptions
    private let handler: @Sendable (HKStatisticsQuery, HKStatistics?, (any Error)?) -> Void

    /// Creates a query. The handler is called exactly once: with the statistics, or with `nil` and an error,
    /// which is ``HKError/errorNoData`` if no sample matches.
    ///
    /// An option that is not compatible with the type (a sum of a discrete type, an average of a cumulative one)
    /// ends the process. The predicate selects whole samples: one that extends beyond a date range counts fully.
    @preconcurrency
    public init(
        quantityType: HKQuantityType, quantitySamplePredicate: NSPredicate?,
        options: HKStatisticsOptions = [],
        completionHandler handler:
            @escaping @Sendable (
                HKStatisticsQuery, HKStatistics?, (any Error)?
            ) -> Void
    ) {
        options.require(for: quantityType)
        self.quantityType = quantityType
        self.options = options
        self.handler = handler
        super.init(objectType: quantityType, predicate: quantitySamplePredicate)
    }

    override func makeWork() throws -> QueryWork {
        let part = try QueryPart(type: quantityType, predicate: predicate)
        return QueryWork(
            start: { run in
                let statistics = try run.connection.reader().statistics(
                    of: self.quantityType, part, options: self.options)
                run.deliver { self.handler(self, statistics, nil) }
            },
            fail: { self.handler(self, nil, HKError.make($0)) })
    }
}

/// A query that returns statistics asynchronously.
public struct HKStatisticsQueryDescriptor: HKAsyncQuery, Sendable {
    public typealias Output = HKStatistics?

    /// The quantity type and its predicate.
    public var predicate: HKSamplePredicate<HKQuantitySample>
    /// The statistics to compute.
    public var options: HKStatisticsOptions

    /// Creates a query for statistics over all matching samples.
    public init(predicate: HKSamplePredicate<HKQuantitySample>, options: HKStatisticsOptions) {
        self.predicate = predicate
        self.options = options
    }

    /// Returns the statistics. An option that is not compatible with the type ends the process.
    ///
    /// - Throws: ``HKError/errorNoData`` if no sample matches.
    public func result(for healthStore: HKHealthStore) async throws -> HKStatistics? {
        let type = predicate.quantityType
        options.require(for: type)
        let parts = QueryValidation.parts([predicate], of: "HKStatisticsQuery")
        let options = options
        return try await healthStore.connection.read { reader in
            try reader.statistics(of: type, parts[0], options: options)
        }
    }
}

extension HKSamplePredicate where Sample == HKQuantitySample {
    /// The quantity type. Only ``quantitySample(type:predicate:)`` makes such predicates, and it takes one.
    var quantityType: HKQuantityType { unsafeDowncast(sampleType, to: HKQuantityType.self) }
}

extension HKStatisticsOptions {
    /// Ends the process if an option is not compatible with the aggregation style of a type.
    func require(for type: HKQuantityType, file: StaticString = #fileID, line: UInt = #line) {
        do {
            try validate(for: type)
        } catch {
            ProgrammerError.raise("\(error)", file: file, line: line)
        }
    }

    /// - Throws: ``Incompatible`` if an option is not compatible with the aggregation style of a type.
    func validate(for type: HKQuantityType) throws(Incompatible) {
        let isCumulative = type.aggregationStyle == .cumulative
        let incompatible = isCumulative ? Self.discreteNames : Self.cumulativeNames
        guard let (_, name) = incompatible.first(where: { contains($0.0) }) else { return }
        let family = isCumulative ? "cumulative" : "discrete"
        throw Incompatible(
            description: "Statistics option \(name) is not compatible with \(family) data type \(type.identifier)")
    }

    /// The original's message about an option that is not compatible with a type.
    struct Incompatible: Error, CustomStringConvertible {
        let description: String
    }

    private static let discreteNames: [(HKStatisticsOptions, String)] = [
        (.discreteAverage, "HKStatisticsOptionDiscreteAverage"), (.discreteMin, "HKStatisticsOptionDiscreteMin"),
        (.discreteMax, "HKStatisticsOptionDiscreteMax"),
    ]

    private static let cumulativeNames: [(HKStatisticsOptions, String)] = [
        (.cumulativeSum, "HKStatisticsOptionCumulativeSum")
    ]
}

extension QueryReader {
    /// Returns the statistics of all matching samples.
    ///
    /// - Throws: ``EngineError/noData`` if there are none.
    func statistics(
        of type: HKQuantityType, _ part: QueryPart, options: HKStatisticsOptions
    ) throws -> HKStatistics {
        guard let code = try engine.code(of: part.identifier) else { throw EngineError.noData }
        let request = StatisticsRequest(
            type: code, filter: try exactFilter(part),
            options: StatisticsOptions(rawValue: options.rawValue))
        guard let bucket = try engine.statistics(request, as: caller).first else {
            throw EngineError.noData
        }
        return HKStatistics(bucket, of: type)
    }
}
