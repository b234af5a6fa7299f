import Foundation
import HealthKit
import HealthTesting
import Testing

// HealthKit in the style of Swift 5 applications: completion handlers and sort descriptors by key.

/// 1. The manager class that many tutorials begin with.
final class HealthManager {
    let healthStore: HKHealthStore
    var lastError: Error?

    init(healthStore: HKHealthStore) {
        self.healthStore = healthStore
    }

    func requestAuthorization(completion: @escaping (Bool, Error?) -> Void) {
        guard HKHealthStore.isHealthDataAvailable() else {
            completion(false, nil)
            return
        }
        guard let steps = HKObjectType.quantityType(forIdentifier: .stepCount),
            let energy = HKObjectType.quantityType(forIdentifier: .activeEnergyBurned),
            let birth = HKObjectType.characteristicType(forIdentifier: .dateOfBirth),
            let sleep = HKObjectType.categoryType(forIdentifier: .sleepAnalysis)
        else {
            completion(false, nil)
            return
        }
        let read: Set<HKObjectType> = [
            steps, energy, birth, sleep, HKObjectType.workoutType(), HKObjectType.activitySummaryType(),
        ]
        healthStore.requestAuthorization(toShare: [energy], read: read) { success, error in
            completion(success, error)
        }
    }

    /// 2. Today's steps.
    func todaysSteps(now: Date, completion: @escaping (Double) -> Void) {
        let type = HKQuantityType.quantityType(forIdentifier: .stepCount)!
        let start = TestHealthStore.utcCalendar.startOfDay(for: now)
        let predicate = HKQuery.predicateForSamples(withStart: start, end: now, options: .strictStartDate)
        let query = HKStatisticsQuery(quantityType: type, quantitySamplePredicate: predicate, options: .cumulativeSum) {
            _, result, error in
            guard let result = result, let sum = result.sumQuantity() else {
                completion(0)
                return
            }
            completion(sum.doubleValue(for: HKUnit.count()))
        }
        healthStore.execute(query)
    }

    /// 3. The latest weight.
    func latestWeight(completion: @escaping (HKQuantitySample?, Error?) -> Void) {
        guard let type = HKSampleType.quantityType(forIdentifier: .bodyMass) else { return }
        let newestFirst = NSSortDescriptor(key: HKSampleSortIdentifierStartDate, ascending: false)
        let query = HKSampleQuery(sampleType: type, predicate: nil, limit: 1, sortDescriptors: [newestFirst]) {
            _, samples, error in
            DispatchQueue.global().async {
                completion(samples?.first as? HKQuantitySample, error)
            }
        }
        healthStore.execute(query)
    }

    /// 4. Daily sums.
    func dailySteps(from start: Date, days: Int, completion: @escaping ([Date: Double]) -> Void) {
        let type = HKQuantityType.quantityType(forIdentifier: .stepCount)!
        var interval = DateComponents()
        interval.day = 1
        let anchor = TestHealthStore.utcCalendar.startOfDay(for: start)
        let query = HKStatisticsCollectionQuery(
            quantityType: type, quantitySamplePredicate: nil, options: [.cumulativeSum, .separateBySource],
            anchorDate: anchor, intervalComponents: interval)
        query.initialResultsHandler = { _, results, error in
            guard let collection = results else { return completion([:]) }
            var sums: [Date: Double] = [:]
            let end = anchor.addingTimeInterval(Double(days) * 86_400 - 1)
            collection.enumerateStatistics(from: anchor, to: end) { statistics, stop in
                if let quantity = statistics.sumQuantity() {
                    sums[statistics.startDate] = quantity.doubleValue(for: .count())
                }
            }
            completion(sums)
        }
        healthStore.execute(query)
    }

    /// 5. Sleep by stage.
    func asleepSeconds(completion: @escaping (TimeInterval) -> Void) {
        let type = HKObjectType.categoryType(forIdentifier: .sleepAnalysis)!
        let sort = NSSortDescriptor(key: HKSampleSortIdentifierEndDate, ascending: true)
        let query = HKSampleQuery(
            sampleType: type, predicate: nil, limit: HKObjectQueryNoLimit, sortDescriptors: [sort]
        ) { _, results, _ in
            var total: TimeInterval = 0
            for case let sample as HKCategorySample in results ?? [] {
                switch HKCategoryValueSleepAnalysis(rawValue: sample.value) {
                case .asleepCore, .asleepDeep, .asleepREM, .asleepUnspecified:
                    total += sample.endDate.timeIntervalSince(sample.startDate)
                default:
                    break
                }
            }
            completion(total)
        }
        healthStore.execute(query)
    }

    /// 6. Saving active energy with metadata.
    func saveEnergy(_ kilocalories: Double, start: Date, end: Date, completion: @escaping (Bool, Error?) -> Void) {
        let quantity = HKQuantity(unit: .kilocalorie(), doubleValue: kilocalories)
        let sample = HKQuantitySample(
            type: HKQuantityType.quantityType(forIdentifier: .activeEnergyBurned)!, quantity: quantity, start: start,
            end: end, device: HKDevice.local(),
            metadata: [
                HKMetadataKeyWasUserEntered: true, HKMetadataKeySyncIdentifier: "energy-1", HKMetadataKeySyncVersion: 1,
            ])
        healthStore.save(sample) { success, error in completion(success, error) }
    }

    /// 7. Saving blood pressure as a correlation.
    func saveBloodPressure(
        systolic: Double, diastolic: Double, at date: Date, completion: @escaping (Bool, Error?) -> Void
    ) {
        let unit = HKUnit.millimeterOfMercury()
        let systolicType = HKQuantityType.quantityType(forIdentifier: .bloodPressureSystolic)!
        let diastolicType = HKQuantityType.quantityType(forIdentifier: .bloodPressureDiastolic)!
        let upper = HKQuantitySample(
            type: systolicType, quantity: HKQuantity(unit: unit, doubleValue: systolic), start: date, end: date)
        let lower = HKQuantitySample(
            type: diastolicType, quantity: HKQuantity(unit: unit, doubleValue: diastolic), start: date, end: date)
        let type = HKCorrelationType.correlationType(forIdentifier: .bloodPressure)!
        let correlation = HKCorrelation(type: type, start: date, end: date, objects: [upper, lower])
        healthStore.save(correlation, withCompletion: completion)
    }

    /// 8. Reading blood pressure by its members.
    func highPressures(above limit: Double, completion: @escaping ([HKCorrelation]) -> Void) {
        let type = HKCorrelationType.correlationType(forIdentifier: .bloodPressure)!
        let systolic = HKQuantityType.quantityType(forIdentifier: .bloodPressureSystolic)!
        let high = HKQuery.predicateForQuantitySamples(
            with: .greaterThanOrEqualTo, quantity: HKQuantity(unit: .millimeterOfMercury(), doubleValue: limit))
        let query = HKCorrelationQuery(type: type, predicate: nil, samplePredicates: [systolic: high]) {
            _, correlations, _ in
            completion(correlations ?? [])
        }
        healthStore.execute(query)
    }

    /// 9. Samples that weren't entered by hand, as step counters read them.
    func measuredSamples(completion: @escaping ([HKSample]) -> Void) {
        let type = HKQuantityType.quantityType(forIdentifier: .stepCount)!
        let predicate = NSPredicate(format: "metadata.%K != YES", HKMetadataKeyWasUserEntered)
        let query = HKSampleQuery(
            sampleType: type, predicate: predicate, limit: HKObjectQueryNoLimit, sortDescriptors: nil
        ) { _, samples, _ in
            completion(samples ?? [])
        }
        healthStore.execute(query)
    }

    /// 10. The sources of steps.
    func sources(completion: @escaping ([String]) -> Void) {
        let query = HKSourceQuery(
            sampleType: HKObjectType.quantityType(forIdentifier: .stepCount)!, samplePredicate: nil
        ) { _, sources, _ in
            completion((sources ?? []).map { $0.name }.sorted())
        }
        healthStore.execute(query)
    }

    /// 11. Age.
    func age(now: Date) -> Int? {
        guard let birth = try? healthStore.dateOfBirthComponents(), let date = birth.date else { return nil }
        return TestHealthStore.utcCalendar.dateComponents([.year], from: date, to: now).year
    }

    /// 12. Deleting one's own samples.
    func deleteEnergy(completion: @escaping (Int) -> Void) {
        let type = HKObjectType.quantityType(forIdentifier: .activeEnergyBurned)!
        let own = HKQuery.predicateForObjects(withMetadataKey: HKMetadataKeySyncIdentifier)
        healthStore.deleteObjects(of: type, predicate: own) { _, count, _ in completion(count) }
    }

    /// 13. Activity summaries of recent days.
    func summaries(
        from start: DateComponents, to end: DateComponents, completion: @escaping ([HKActivitySummary]) -> Void
    ) {
        let predicate = HKQuery.predicate(forActivitySummariesBetweenStart: start, end: end)
        healthStore.execute(
            HKActivitySummaryQuery(predicate: predicate) { _, summaries, _ in completion(summaries ?? []) })
    }
}

/// 14. An anchored query behind an observer query, with an archived anchor.
final class StepSync {
    let store: HKHealthStore
    private var anchorData: Data?
    private let type = HKObjectType.quantityType(forIdentifier: .stepCount)!
    private var observer: HKObserverQuery?

    init(store: HKHealthStore) {
        self.store = store
    }

    func start(onChange: @escaping () -> Void) {
        let query = HKObserverQuery(sampleType: type, predicate: nil) { _, completionHandler, error in
            if error == nil { onChange() }
            completionHandler()
        }
        store.execute(query)
        observer = query
        store.enableBackgroundDelivery(for: type, frequency: .immediate) { success, error in
            if !success { print("Background delivery failed: \(String(describing: error))") }
        }
    }

    func stop() {
        if let observer = observer { store.stop(observer) }
    }

    func fetch(completion: @escaping (_ added: Int, _ deleted: Int) -> Void) {
        let anchor = anchorData.flatMap {
            try? NSKeyedUnarchiver.unarchivedObject(ofClass: HKQueryAnchor.self, from: $0)
        }
        let query = HKAnchoredObjectQuery(type: type, predicate: nil, anchor: anchor, limit: HKObjectQueryNoLimit) {
            [self] _, samples, deleted, newAnchor, _ in
            if let newAnchor = newAnchor {
                anchorData = try? NSKeyedArchiver.archivedData(withRootObject: newAnchor, requiringSecureCoding: true)
            }
            completion(samples?.count ?? 0, deleted?.count ?? 0)
        }
        store.execute(query)
    }
}
