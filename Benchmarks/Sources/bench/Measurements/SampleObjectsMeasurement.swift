import Foundation
import HealthKit
import HealthModel

/// Reading 100,000 of a million samples as objects, compared with stepping through the same rows of the table.
enum SampleObjectsMeasurement {
    private static let count = 100_000

    static func run(_ setting: Setting, _ stores: StepStores) async throws -> Measurement {
        let span = stores.history.span(of: count)
        let (from, to) = (
            Date(timeIntervalSinceReferenceDate: span.lowerBound), Date(timeIntervalSinceReferenceDate: span.upperBound)
        )
        let predicate = HKQuery.predicateForSamples(withStart: from, end: to, options: .strictStartDate)
        let store = HKHealthStore(configuration: .init(location: .file(stores.store), authorization: .allowAll))
        let type = HKQuantityType(.stepCount)
        let descriptor = HKSampleQueryDescriptor(
            predicates: [.quantitySample(type: type, predicate: predicate)],
            sortDescriptors: [SortDescriptor(\.startDate)])
        func step() throws {
            let found = try stores.rows.readAll(of: StepHistory.type, from: span.lowerBound, to: span.upperBound)
            try check(found)
        }
        let awaited = try await Comparison.run(pairs: setting.pairs(25)) {
            try check(try await descriptor.result(for: store).count)
        } other: {
            try step()
        }
        let called = try await Comparison.run(pairs: setting.pairs(25)) {
            try check(try await samples(of: type, predicate, in: store))
        } other: {
            try step()
        }
        return Measurement(lines: [
            Line("100,000 objects, HKSampleQueryDescriptor : rows stepped", awaited, target: .atMost(3)),
            Line("100,000 objects, HKSampleQuery : rows stepped", called, target: .atMost(3)),
        ])
    }

    /// Runs the query with a completion handler, sorted by start, and returns the number of samples.
    private static func samples(
        of type: HKQuantityType, _ predicate: NSPredicate, in store: HKHealthStore
    ) async throws -> Int {
        try await withCheckedThrowingContinuation { continuation in
            let sort = NSSortDescriptor(key: HKSampleSortIdentifierStartDate, ascending: true)
            store.execute(
                HKSampleQuery(
                    sampleType: type, predicate: predicate, limit: HKObjectQueryNoLimit, sortDescriptors: [sort]
                ) { _, samples, error in
                    if let samples {
                        continuation.resume(returning: samples.count)
                    } else {
                        continuation.resume(throwing: error ?? BenchError("no samples"))
                    }
                })
        }
    }

    private static func check(_ found: Int) throws {
        // Samples that start exactly at a bound of the span may change the count slightly.
        guard abs(found - count) < 4 else { throw BenchError("\(found) samples instead of \(count)") }
    }
}
