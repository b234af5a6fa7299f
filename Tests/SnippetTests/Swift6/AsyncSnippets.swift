import Foundation
import HealthKit

// HealthKit in the style of Swift 6 applications: async query descriptors and strict concurrency.

/// 1. An actor that owns the store.
actor HealthService {
    private let store: HKHealthStore
    private var anchor: HKQueryAnchor?

    init(store: HKHealthStore) {
        self.store = store
    }

    func authorize() async throws {
        let share: Set<HKSampleType> = [HKQuantityType(.dietaryWater), HKCategoryType(.mindfulSession), .workoutType()]
        let read: Set<HKObjectType> = [
            HKQuantityType(.stepCount), HKQuantityType(.heartRate), HKQuantityType(.dietaryWater),
            HKCategoryType(.sleepAnalysis), HKCharacteristicType(.biologicalSex), .workoutType(),
        ]
        guard try await store.statusForAuthorizationRequest(toShare: share, read: read) == .shouldRequest else {
            return
        }
        try await store.requestAuthorization(toShare: share, read: read)
    }

    /// 2. The sum of an interval.
    func steps(in interval: DateInterval) async throws -> Double {
        let predicate = HKQuery.predicateForSamples(withStart: interval.start, end: interval.end)
        let descriptor = HKStatisticsQueryDescriptor(
            predicate: HKSamplePredicate.quantitySample(type: HKQuantityType(.stepCount), predicate: predicate),
            options: .cumulativeSum)
        return try await descriptor.result(for: store)?.sumQuantity()?.doubleValue(for: .count()) ?? 0
    }

    /// 3. The newest samples, sorted by key path.
    func latestHeartRates(_ count: Int) async throws -> [Double] {
        let descriptor = HKSampleQueryDescriptor(
            predicates: [.quantitySample(type: HKQuantityType(.heartRate))],
            sortDescriptors: [SortDescriptor(\.endDate, order: .reverse)], limit: count)
        let unit = HKUnit.count().unitDivided(by: .minute())
        return try await descriptor.result(for: store).map { $0.quantity.doubleValue(for: unit) }
    }

    /// 4. What changed since the last call.
    func changes() async throws -> (added: [HKQuantitySample], deleted: [UUID]) {
        let descriptor = HKAnchoredObjectQueryDescriptor(
            predicates: [.quantitySample(type: HKQuantityType(.dietaryWater))], anchor: anchor)
        let results = try await descriptor.result(for: store)
        anchor = results.newAnchor
        return (results.addedSamples, results.deletedObjects.map(\.uuid))
    }

    /// 5. The maximum heart rate of each hour.
    func hourlyPeaks(in interval: DateInterval) async throws -> [Int: Double] {
        let descriptor = HKStatisticsCollectionQueryDescriptor(
            predicate: .quantitySample(type: HKQuantityType(.heartRate)), options: [.discreteAverage, .discreteMax],
            anchorDate: interval.start, intervalComponents: DateComponents(hour: 1))
        let collection = try await descriptor.result(for: store)
        var peaks: [Int: Double] = [:]
        for statistics in collection.statistics() {
            let hour = Int(statistics.startDate.timeIntervalSince(interval.start) / 3600)
            peaks[hour] = statistics.maximumQuantity()?.doubleValue(for: HKUnit(from: "count/min"))
        }
        return peaks
    }

    /// 6. Saving with a sync identifier.
    func log(water milliliters: Double, at date: Date, id: String, version: Int) async throws {
        let sample = HKQuantitySample(
            type: HKQuantityType(.dietaryWater),
            quantity: HKQuantity(unit: .literUnit(with: .milli), doubleValue: milliliters), start: date, end: date,
            metadata: [HKMetadataKeySyncIdentifier: id, HKMetadataKeySyncVersion: version])
        try await store.save(sample)
    }

    /// 7. Deleting samples.
    func remove(_ samples: [HKQuantitySample]) async throws {
        try await store.delete(samples)
    }

    /// 8. Saving a mindful session.
    func logMindfulness(_ interval: DateInterval) async throws {
        try await store.save(
            HKCategorySample(
                type: HKCategoryType(.mindfulSession), value: HKCategoryValue.notApplicable.rawValue,
                start: interval.start, end: interval.end))
    }

    /// 9. Workouts of one activity type, longest first.
    func runs() async throws -> [HKWorkout] {
        let predicate = HKQuery.predicateForWorkouts(with: .running)
        return try await HKSampleQueryDescriptor(
            predicates: [.workout(predicate)], sortDescriptors: [SortDescriptor(\.duration, order: .reverse)]
        ).result(for: store)
    }

    /// 10. Several types in one query.
    func everything(on interval: DateInterval) async throws -> [HKSample] {
        let predicate = HKQuery.predicateForSamples(
            withStart: interval.start, end: interval.end, options: .strictStartDate)
        return try await HKSampleQueryDescriptor(
            predicates: [
                .sample(type: HKQuantityType(.heartRate), predicate: predicate),
                .sample(type: HKCategoryType(.mindfulSession), predicate: predicate),
            ],
            sortDescriptors: [SortDescriptor(\.startDate)]
        ).result(for: store)
    }

    /// 11. Preferred units.
    func unit(of type: HKQuantityType) async throws -> HKUnit? {
        try await store.preferredUnits(for: [type])[type]
    }

    /// 12. Catching an error by its code.
    func averageOrNil(of type: HKQuantityType) async throws -> HKQuantity? {
        do {
            let descriptor = HKStatisticsQueryDescriptor(
                predicate: .quantitySample(type: type), options: .discreteAverage)
            return try await descriptor.result(for: store)?.averageQuantity()
        } catch HKError.errorNoData {
            return nil
        }
    }
}

/// 13. Changes as an asynchronous sequence.
func collectWater(from store: HKHealthStore, count: Int) async throws -> [Double] {
    var values: [Double] = []
    let descriptor = HKAnchoredObjectQueryDescriptor(
        predicates: [.quantitySample(type: HKQuantityType(.dietaryWater))], anchor: nil)
    for try await update in descriptor.results(for: store) {
        values += update.addedSamples.map { $0.quantity.doubleValue(for: .literUnit(with: .milli)) }
        if values.count >= count { break }
    }
    return values
}

/// 14. A statistics collection that stays up to date.
func firstTotal(from store: HKHealthStore, anchor: Date, reaching goal: Double) async throws -> Double {
    let descriptor = HKStatisticsCollectionQueryDescriptor(
        predicate: .quantitySample(type: HKQuantityType(.dietaryWater)), options: .cumulativeSum, anchorDate: anchor,
        intervalComponents: DateComponents(day: 1))
    for try await result in descriptor.results(for: store) {
        let total = result.statisticsCollection.statistics(for: anchor)?.sumQuantity()?.doubleValue(
            for: .literUnit(with: .milli))
        if let total, total >= goal { return total }
    }
    return 0
}

/// 15. A continuation around a query with a completion handler.
func heartRateSamples(in store: HKHealthStore, predicate: NSPredicate?) async throws -> [HKQuantitySample] {
    try await withCheckedThrowingContinuation { continuation in
        let query = HKSampleQuery(
            sampleType: HKQuantityType(.heartRate), predicate: predicate, limit: HKObjectQueryNoLimit,
            sortDescriptors: nil
        ) { _, samples, error in
            if let error {
                continuation.resume(throwing: error)
            } else {
                continuation.resume(returning: samples as? [HKQuantitySample] ?? [])
            }
        }
        store.execute(query)
    }
}
