public import Foundation
import HealthModel

/// Asks once for the samples of one or several types.
///
/// The results handler is called exactly once: with the samples, an empty array when there is none, or
/// `nil` and an error.
// Unchecked: every stored property is constant.
open class HKSampleQuery: HKQuery, @unchecked Sendable {
    /// How many samples at most, counted after sorting; ``HKObjectQueryNoLimit`` for all.
    public let limit: Int
    /// The order of the results; `nil` leaves it open (here: the order of insertion).
    public let sortDescriptors: [NSSortDescriptor]?

    private let descriptors: [HKQueryDescriptor]
    private let resultsHandler: @Sendable (HKSampleQuery, [HKSample]?, (any Error)?) -> Void

    /// Asks for the samples of one type.
    @preconcurrency
    public init(
        sampleType: HKSampleType, predicate: NSPredicate?, limit: Int,
        sortDescriptors: [NSSortDescriptor]?,
        resultsHandler: @escaping @Sendable (HKSampleQuery, [HKSample]?, (any Error)?) -> Void
    ) {
        self.limit = limit
        self.sortDescriptors = sortDescriptors
        self.resultsHandler = resultsHandler
        descriptors = [HKQueryDescriptor(sampleType: sampleType, predicate: predicate)]
        super.init(objectType: sampleType, predicate: predicate)
    }

    /// Asks for the union of several descriptors, in no particular order.
    @preconcurrency
    public convenience init(
        queryDescriptors: [HKQueryDescriptor], limit: Int,
        resultsHandler: @escaping @Sendable (HKSampleQuery, [HKSample]?, (any Error)?) -> Void
    ) {
        self.init(
            descriptors: queryDescriptors, limit: limit, sortDescriptors: nil,
            resultsHandler: resultsHandler)
    }

    /// Asks for the union of several descriptors, sorted.
    @preconcurrency
    public convenience init(
        queryDescriptors: [HKQueryDescriptor], limit: Int, sortDescriptors: [NSSortDescriptor],
        resultsHandler: @escaping @Sendable (HKSampleQuery, [HKSample]?, (any Error)?) -> Void
    ) {
        self.init(
            descriptors: queryDescriptors, limit: limit, sortDescriptors: sortDescriptors,
            resultsHandler: resultsHandler)
    }

    private init(
        descriptors: [HKQueryDescriptor], limit: Int, sortDescriptors: [NSSortDescriptor]?,
        resultsHandler: @escaping @Sendable (HKSampleQuery, [HKSample]?, (any Error)?) -> Void
    ) {
        guard !descriptors.isEmpty else {
            ProgrammerError.raise("HKSampleQuery data type must be non-nil")
        }
        self.limit = limit
        self.sortDescriptors = sortDescriptors
        self.resultsHandler = resultsHandler
        self.descriptors = descriptors
        let single = descriptors.count == 1 ? descriptors.first : nil
        super.init(objectType: single?.sampleType, predicate: single?.predicate)
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
