import Foundation
import HealthKit

/// Writes the values of new step samples to a file, one a line.
final class StepLog: Sendable {
    private let healthStore: HKHealthStore
    private let folder: URL
    private let steps = HKQuantityType.quantityType(forIdentifier: .stepCount)!

    init(healthStore: HKHealthStore, folder: URL) {
        self.healthStore = healthStore
        self.folder = folder
    }

    /// Observes steps and enables background delivery, as an app does at every launch.
    ///
    /// - Parameter handled: Called with the observer's completion handler when all steps are in the file.
    func start(handled: @escaping (@escaping () -> Void) -> Void) {
        let observer = HKObserverQuery(sampleType: steps, predicate: nil) { _, completionHandler, error in
            if let error = error {
                print("Observing failed: \(error.localizedDescription)")
                return
            }
            self.read { handled(completionHandler) }
        }
        healthStore.execute(observer)
        healthStore.enableBackgroundDelivery(for: steps, frequency: .immediate) { success, error in
            if !success { print("Not enabled: \(error?.localizedDescription ?? "")") }
        }
    }

    private func read(completion: @escaping () -> Void) {
        let anchorURL = folder.appendingPathComponent("anchor")
        let anchor = (try? Data(contentsOf: anchorURL)).flatMap {
            try? NSKeyedUnarchiver.unarchivedObject(ofClass: HKQueryAnchor.self, from: $0)
        }
        let query = HKAnchoredObjectQuery(
            type: steps, predicate: nil, anchor: anchor, limit: HKObjectQueryNoLimit
        ) { _, samples, _, newAnchor, error in
            guard let newAnchor = newAnchor, let samples = samples as? [HKQuantitySample] else {
                print("Reading failed: \(error?.localizedDescription ?? "")")
                return
            }
            do {
                try self.append(samples)
                // After the samples, so that a crash in between loses none.
                try NSKeyedArchiver.archivedData(withRootObject: newAnchor, requiringSecureCoding: true)
                    .write(to: anchorURL, options: .atomic)
                completion()
            } catch {
                print("Writing failed: \(error.localizedDescription)")
            }
        }
        healthStore.execute(query)
    }

    private func append(_ samples: [HKQuantitySample]) throws {
        let lines = samples.map { "\(Int($0.quantity.doubleValue(for: .count())))\n" }.joined()
        let url = folder.appendingPathComponent("steps.txt")
        if !FileManager.default.fileExists(atPath: url.path) {
            try Data().write(to: url)
        }
        let file = try FileHandle(forWritingTo: url)
        try file.seekToEnd()
        try file.write(contentsOf: Data(lines.utf8))
        try file.close()
    }
}
