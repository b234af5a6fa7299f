import Foundation

@testable import HealthKit

extension Misuse {
    /// Queries with handlers.
    static let queries: [Misuse] = [
        Misuse("HKQuery", 1, "Unexpected dataType of class HKActivitySummaryType for startDate predicate") {
            let today = HKQuery.predicateForSamples(withStart: date, end: nil, options: .strictStartDate)
            FreshStore.make().execute(HKActivitySummaryQuery(predicate: today) { _, _, _ in })
        },
        Misuse("HKQuery", 2, "has already been executed and cannot be executed again") {
            let store = FreshStore.make()
            let query = HKSampleQuery(sampleType: FreshStore.steps, predicate: nil, limit: 0, sortDescriptors: nil) {
                _, _, _ in
            }
            store.execute(query)
            store.execute(query)
        },
        Misuse("HKSampleQuery", 1, "HKSampleQuery data type must be non-nil") {
            _ = HKSampleQuery(queryDescriptors: [], limit: 0) { _, _, _ in }
        },
        Misuse("HKObserverQuery", 1, "HKObserverQuery data type must be non-nil") {
            _ = HKObserverQuery(queryDescriptors: []) { _, _, _, _ in }
        },
        Misuse("HKAnchoredObjectQuery", 1, "HKAnchoredObjectQuery data type must be non-nil") {
            _ = HKAnchoredObjectQuery(queryDescriptors: [], anchor: nil, limit: 0) { _, _, _, _, _ in }
        },
        Misuse(
            "HKAnchoredObjectQuery", 2,
            "HKAnchoredObjectQuery: updateHandler cannot be changed after the query was executed"
        ) {
            let query = HKAnchoredObjectQuery(type: FreshStore.steps, predicate: nil, anchor: nil, limit: 0) {
                _, _, _, _, _ in
            }
            FreshStore.make().execute(query)
            query.updateHandler = { _, _, _, _, _ in }
        },
        Misuse(
            "HKAnchoredObjectQuery", 3,
            "HKAnchoredObjectQuery: updateHandler requires HKObjectQueryNoLimit as the limit"
        ) {
            let query = HKAnchoredObjectQuery(type: FreshStore.steps, predicate: nil, anchor: nil, limit: 5) {
                _, _, _, _, _ in
            }
            query.updateHandler = { _, _, _, _, _ in }
        },
        Misuse("HKStatisticsQuery", 1, aboutSum) {
            _ = HKStatisticsQuery(
                quantityType: FreshStore.heartRate, quantitySamplePredicate: nil, options: .cumulativeSum
            ) { _, _, _ in }
        },
        Misuse("HKStatisticsCollectionQuery", 1, aboutSum) { _ = collection(of: FreshStore.heartRate) },
        Misuse("HKStatisticsCollectionQuery", 2, "initialResultsHandler cannot be changed after the query was executed")
        {
            let query = collection(of: FreshStore.steps)
            FreshStore.make().execute(query)
            query.initialResultsHandler = { _, _, _ in }
        },
        Misuse(
            "HKStatisticsCollectionQuery", 3, "statisticsUpdateHandler cannot be changed after the query was executed"
        ) {
            let query = collection(of: FreshStore.steps)
            FreshStore.make().execute(query)
            query.statisticsUpdateHandler = { _, _, _, _ in }
        },
        Misuse("HKActivitySummaryQuery", 1, "updateHandler cannot be changed after the query was executed") {
            let query = HKActivitySummaryQuery(predicate: nil) { _, _, _ in }
            FreshStore.make().execute(query)
            query.updateHandler = { _, _, _ in }
        },
        Misuse("HKQuantitySeriesSampleQuery", 1, "includeSample cannot be changed after the query was executed") {
            let query = series()
            FreshStore.make().execute(query)
            query.includeSample = true
        },
        Misuse(
            "HKQuantitySeriesSampleQuery", 2,
            "orderByQuantitySampleStartDate cannot be changed after the query was executed"
        ) {
            let query = series()
            FreshStore.make().execute(query)
            query.orderByQuantitySampleStartDate = true
        },
    ]

    private static func collection(of type: HKQuantityType) -> HKStatisticsCollectionQuery {
        HKStatisticsCollectionQuery(
            quantityType: type, quantitySamplePredicate: nil, options: .cumulativeSum, anchorDate: date,
            intervalComponents: DateComponents(day: 1))
    }

    private static func series() -> HKQuantitySeriesSampleQuery {
        HKQuantitySeriesSampleQuery(quantityType: FreshStore.steps, predicate: nil) { _, _, _, _, _, _ in }
    }
}
