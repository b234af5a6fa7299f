import Foundation
import HealthKit

// Prints all step counts, then those of today sorted by start date.

let healthStore = HKHealthStore()

guard let sampleType = HKSampleType.quantityType(forIdentifier: .stepCount) else {
    fatalError("The step count type is not available")
}

func show(_ samples: [HKSample]?, title: String, error: Error?) {
    guard let samples = samples as? [HKQuantitySample] else {
        print("\(title): \(error?.localizedDescription ?? "unknown error")")
        return
    }
    print("\(title): \(samples.count) samples")
    for sample in samples {
        let seconds = sample.endDate.timeIntervalSince(sample.startDate)
        print(
            "  \(sample.quantity.doubleValue(for: .count())) steps in \(seconds) s, from \(sample.sourceRevision.source.name)"
        )
    }
}

func queryAll(then next: @escaping () -> Void) {
    let query = HKSampleQuery(
        sampleType: sampleType, predicate: nil, limit: Int(HKObjectQueryNoLimit), sortDescriptors: nil
    ) { _, results, error in
        show(results, title: "All", error: error)
        next()
    }
    healthStore.execute(query)
}

func queryToday(then next: @escaping () -> Void) {
    let calendar = NSCalendar.current
    let now = Date()
    let components = calendar.dateComponents([.year, .month, .day], from: now)
    guard let startDate = calendar.date(from: components) else {
        fatalError("Unable to create the start date")
    }
    guard let endDate = calendar.date(byAdding: .day, value: 1, to: startDate) else {
        fatalError("Unable to create the end date")
    }
    let today = HKQuery.predicateForSamples(withStart: startDate, end: endDate, options: [])
    let sortByDate = NSSortDescriptor(key: HKSampleSortIdentifierStartDate, ascending: true)
    let query = HKSampleQuery(
        sampleType: sampleType, predicate: today, limit: Int(HKObjectQueryNoLimit), sortDescriptors: [sortByDate]
    ) { _, results, error in
        show(results, title: "Today", error: error)
        next()
    }
    healthStore.execute(query)
}

healthStore.requestAuthorization(toShare: nil, read: [sampleType]) { success, _ in
    guard success else { exit(1) }
    queryAll {
        queryToday {
            exit(0)
        }
    }
}

dispatchMain()
