import Foundation
import HealthKit

// Records a run and reads it back with its statistics, route and effort score.

guard HKHealthStore.isHealthDataAvailable() else {
    print("Health data is not available on this device.")
    exit(1)
}

let healthStore = HKHealthStore()

do {
    try await healthStore.requestAuthorization(
        toShare: WorkoutTracker.typesToShare, read: WorkoutTracker.typesToRead)

    let run = RecordedRun(start: Date().addingTimeInterval(-3600))
    let tracker = WorkoutTracker(healthStore: healthStore)
    try await tracker.start(.running, at: run.start)

    // The live builder collects heart rates that are saved to the store, as a chest strap's application would do.
    try await healthStore.save(run.heartRates())
    try await tracker.add(run.distances())
    try await tracker.add(run.energies())
    try await tracker.add(run.locations())
    try await tracker.lap(DateInterval(start: run.start, duration: 900))
    try await tracker.lap(DateInterval(start: run.start.addingTimeInterval(900), duration: 900))
    try await tracker.rest(from: run.start.addingTimeInterval(1000), to: run.start.addingTimeInterval(1060))

    guard let workout = try await tracker.finish(at: run.end) else {
        print("The device is locked. The workout becomes available when it is unlocked.")
        exit(0)
    }

    let history = WorkoutHistory(healthStore: healthStore)
    let runs = try await history.runs()
    print("Runs: \(runs.count)")
    guard let latest = runs.first, latest.uuid == workout.uuid else { exit(1) }
    try await history.show(latest)
    try await history.showRoutes(of: latest)
    try await history.rate(latest, 6)
} catch {
    print("Recording failed: \(error.localizedDescription)")
    exit(1)
}
