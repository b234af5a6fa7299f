import Foundation
import HealthKit

/// Watches for changes with an observer query and reads them with an anchored query.
final class SampleWatcher: Sendable {
    private let healthStore: HKHealthStore
    private let anchorURL: URL
    private let queue = DispatchQueue(label: "watcher")

    let sampleTypes: [HKSampleType] = [
        HKObjectType.quantityType(forIdentifier: .dietaryEnergyConsumed)!,
        HKObjectType.quantityType(forIdentifier: .appleExerciseTime)!,
        HKObjectType.quantityType(forIdentifier: .dietaryProtein)!,
        HKObjectType.quantityType(forIdentifier: .stepCount)!,
        HKObjectType.categoryType(forIdentifier: .sleepAnalysis)!,
    ]

    init(healthStore: HKHealthStore, anchorURL: URL) {
        self.healthStore = healthStore
        self.anchorURL = anchorURL
    }

    /// Reads once, then registers the observer.
    ///
    /// - Parameter handled: Called after every read, with `true` for the first.
    func start(handled: @escaping (Bool) -> Void) {
        let descriptors = sampleTypes.map { HKQueryDescriptor(sampleType: $0, predicate: nil) }
        let observer = HKObserverQuery(queryDescriptors: descriptors) { _, _, completionHandler, error in
            guard error == nil else {
                completionHandler()
                return
            }
            self.read {
                handled(false)
                completionHandler()
            }
        }
        read {
            handled(true)
            self.healthStore.execute(observer)
        }
    }

    private func read(completion: @escaping () -> Void) {
        queue.async {
            let anchor = self.loadAnchor()
            let descriptors = self.sampleTypes.map { HKQueryDescriptor(sampleType: $0, predicate: nil) }
            let finished = DispatchSemaphore(value: 0)
            let query = HKAnchoredObjectQuery(
                queryDescriptors: descriptors, anchor: anchor, limit: HKObjectQueryNoLimit
            ) { _, samples, deletedObjects, newAnchor, error in
                defer { finished.signal() }
                guard let newAnchor = newAnchor else {
                    print("Reading failed: \(error?.localizedDescription ?? "")")
                    return
                }
                // Without an anchor, all results are history.
                if anchor != nil {
                    self.handle(samples ?? [], deletedObjects ?? [])
                }
                self.saveAnchor(newAnchor)
            }
            self.healthStore.execute(query)
            finished.wait()
            completion()
        }
    }

    private func handle(_ samples: [HKSample], _ deletedObjects: [HKDeletedObject]) {
        for sample in samples {
            switch sample {
            case let sample as HKQuantitySample:
                print("quantity \(sample.quantityType.identifier): \(sample.quantity)")
            case let sample as HKCategorySample:
                print("category \(sample.categoryType.identifier): \(sample.value)")
            default:
                break
            }
        }
        if !deletedObjects.isEmpty {
            print("deleted: \(deletedObjects.count)")
        }
        // Prints before it saves the anchor, so that a crash in between loses nothing.
        fflush(stdout)
    }

    private func loadAnchor() -> HKQueryAnchor? {
        guard let data = try? Data(contentsOf: anchorURL) else { return nil }
        return try? NSKeyedUnarchiver.unarchivedObject(ofClass: HKQueryAnchor.self, from: data)
    }

    private func saveAnchor(_ anchor: HKQueryAnchor) {
        guard let data = try? NSKeyedArchiver.archivedData(withRootObject: anchor, requiringSecureCoding: true) else {
            return
        }
        try? data.write(to: anchorURL, options: .atomic)
    }
}
