import Foundation
import HealthKit

/// Reads activity summaries.
final class ActivityReader {
    private let healthStore: HKHealthStore

    init(healthStore: HKHealthStore) {
        self.healthStore = healthStore
    }

    private func dateComponents(daysAgo: Int = 0) -> DateComponents {
        let calendar = Calendar(identifier: .gregorian)
        let date = calendar.date(byAdding: .day, value: -daysAgo, to: Date())!
        var components = calendar.dateComponents([.era, .year, .month, .day], from: date)
        // The predicate requires components with a calendar.
        components.calendar = calendar
        return components
    }

    func readToday(completion: @escaping (HKActivitySummary?) -> Void) {
        let predicate = HKQuery.predicateForActivitySummary(with: dateComponents())
        let query = HKActivitySummaryQuery(predicate: predicate) { _, summaries, error in
            if let error = error {
                print("Reading failed: \(error.localizedDescription)")
            }
            completion(summaries?.first)
        }
        healthStore.execute(query)
    }

    func readLastSevenDays(completion: @escaping ([HKActivitySummary]) -> Void) {
        let predicate = HKQuery.predicate(
            forActivitySummariesBetweenStart: dateComponents(daysAgo: 6), end: dateComponents())
        let query = HKActivitySummaryQuery(predicate: predicate) { _, summaries, _ in
            completion(summaries ?? [])
        }
        healthStore.execute(query)
    }

    /// Calls `update` immediately and whenever a sample that affects a ring is saved or deleted.
    func observe(update: @escaping () -> Void) {
        let types: [HKSampleType] = [
            HKObjectType.categoryType(forIdentifier: .appleStandHour)!,
            HKObjectType.quantityType(forIdentifier: .activeEnergyBurned)!,
            HKObjectType.quantityType(forIdentifier: .appleExerciseTime)!,
        ]
        for type in types {
            let query = HKObserverQuery(sampleType: type, predicate: nil) { _, completionHandler, error in
                if error == nil {
                    update()
                }
                completionHandler()
            }
            healthStore.execute(query)
            healthStore.enableBackgroundDelivery(for: type, frequency: .immediate) { success, error in
                if !success {
                    print("Background delivery failed: \(error?.localizedDescription ?? "")")
                }
            }
        }
    }
}
