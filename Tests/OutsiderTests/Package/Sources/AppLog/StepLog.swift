import HealthKit
import OSLog
import os.log
import os.signpost

/// A class of an app's module that imports more than HealthKit.
final class StepLog: Sendable {
    private static let log = Logger(subsystem: "org.example.app", category: "health")
    private static let signposter = OSSignposter(subsystem: "org.example.app", category: .pointsOfInterest)
    private let counts = OSAllocatedUnfairLock(initialState: [Double]())

    func add(_ sample: HKQuantitySample) {
        let interval = Self.signposter.beginInterval("add")
        defer { Self.signposter.endInterval("add", interval) }
        let count = sample.quantity.doubleValue(for: .count())
        counts.withLock { $0.append(count) }
        Self.log.debug("\(count, format: .fixed(precision: 0), privacy: .private) steps of \(sample.sampleType)")
        os_log("%{public}@ has steps", type: .info, sample.sourceRevision.source.name)
    }
}
