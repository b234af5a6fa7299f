public import Foundation

/// A query that returns the samples of one or several types.
///
/// The results handler is called exactly once: with the samples, which may be none, or with `nil` and an error.
// Unchecked: every stored property is constant.
open class HKSampleQuery: HKQuery, @unchecked Sendable {
    /// The maximum number of samples, applied after sorting; ``HKObjectQueryNoLimit`` for all.
    open var limit: Int { storedLimit }
    /// The order of the results; unspecified if `nil` (here: insertion order).
    open var sortDescriptors: [NSSortDescriptor]? { storedSortDescriptors }

    private let storedLimit: Int
    private let storedSortDescriptors: [NSSortDescriptor]?

    private let descriptors: [HKQueryDescriptor]
    private let resultsHandler: @Sendable (HKSampleQuery, [HKSample]?, (any Error)?) -> Void

    /// Creates a query for the samples of one type.
    @preconcurrency
    public init(
        sampleType: HKSampleType, predicate: NSPredicate?, limit: Int,
        sortDescriptors: [NSSortDescriptor]?,
        resultsHandler: @escaping @Sendable (HKSampleQuery, [HKSample]?, (any Error)?) -> Void
    ) {
        storedLimit = limit
        storedSortDescriptors = sortDescriptors
        self.resultsHandler = resultsHandler
        descriptors = [HKQueryDescriptor(sampleType: sampleType, predicate: predicate)]
        super.init(objectType: sampleType, predicate: predicate)
    }

    /// Creates a query for the samples that match any of the descriptors, in unspecified order.
    @preconcurrency
    public init(
        queryDescriptors: [HKQueryDescriptor], limit: Int,
        resultsHandler: @escaping @Sendable (HKSampleQuery, [HKSample]?, (any Error)?) -> Void
    ) {
        storedLimit = limit
        storedSortDescriptors = nil
        self.resultsHandler = resultsHandler
        descriptors = HKSampleQuery.checked(queryDescriptors)
        super.init(objectType: descriptors.single?.sampleType, predicate: descriptors.single?.predicate)
    }

    /// Creates a query for the samples that match any of the descriptors, sorted.
    @preconcurrency
    public init(
        queryDescriptors: [HKQueryDescriptor], limit: Int, sortDescriptors: [NSSortDescriptor],
        resultsHandler: @escaping @Sendable (HKSampleQuery, [HKSample]?, (any Error)?) -> Void
    ) {
        storedLimit = limit
        storedSortDescriptors = sortDescriptors
        self.resultsHandler = resultsHandler
        descriptors = HKSampleQuery.checked(queryDescriptors)
        super.init(objectType: descriptors.single?.sampleType, predicate: descriptors.single?.predicate)
    }

    private static func checked(_ descriptors: [HKQueryDescriptor]) -> [HKQueryDescriptor] {
        guard !descriptors.isEmpty else {
            ProgrammerError.raise("HKSampleQuery data type must be non-nil")
        }
        return descriptors
    }

    override func makeWork() throws -> QueryWork {
        let parts = try QueryPart.parts(of: descriptors)
        let sort = try SortTranslation.translate(sortDescriptors ?? [])
        return QueryWork(
            start: { run in
                let samples = try run.connection.reader().samples(parts, sort: sort, limit: self.limit)
                run.deliver { self.resultsHandler(self, samples, nil) }
            },
            fail: { self.resultsHandler(self, nil, HKError.make($0)) })
    }
}

/// A query that returns samples asynchronously.
public struct HKSampleQueryDescriptor<Sample: HKSample>: HKAsyncQuery, Sendable {
    public typealias Output = [Sample]

    /// The predicates; samples that match any of them are returned.
    public var predicates: [HKSamplePredicate<Sample>]
    /// The order of the results.
    public var sortDescriptors: [SortDescriptor<Sample>]
    /// The maximum number of samples, applied after sorting; `nil` for all.
    public var limit: Int?

    /// Creates a query for samples that match any of the predicates.
    public init(
        predicates: [HKSamplePredicate<Sample>], sortDescriptors: [SortDescriptor<Sample>],
        limit: Int? = nil
    ) {
        self.predicates = predicates
        self.sortDescriptors = sortDescriptors
        self.limit = limit
    }

    /// Returns the matching samples.
    public func result(for healthStore: HKHealthStore) async throws -> [Sample] {
        let parts = QueryValidation.parts(predicates, of: "HKSampleQuery")
        let sort = QueryValidation.checked { try SortTranslation.translate(sortDescriptors) }
        let limit = limit ?? HKObjectQueryNoLimit
        return try await healthStore.connection.read { reader in
            try reader.samples(parts, sort: sort, limit: limit).only()
        }
    }
}

extension Array where Element == HKSample {
    /// Returns the samples of a class, in their order.
    ///
    /// A conditional cast costs as much as creating a sample; a class that has passed is recognized by its address.
    func only<Sample: HKSample>(_ sampleClass: Sample.Type = Sample.self) -> [Sample] {
        var passed: ObjectIdentifier?
        var found: [Sample] = []
        found.reserveCapacity(count)
        for sample in self {
            let own = ObjectIdentifier(type(of: sample))
            if own == passed {
                found.append(unsafeDowncast(sample, to: sampleClass))
            } else if let sample = sample as? Sample {
                passed = own
                found.append(sample)
            }
        }
        return found
    }
}
