import Foundation

@testable import HealthKit

extension Misuse {
    /// Workouts, their parts, and what collects them.
    static let workouts: [Misuse] = [
        Misuse("HKWorkout+Making", 1, aboutMetadata) {
            _ = HKWorkout(
                activityType: .running, start: date, end: date, duration: 0, totalEnergyBurned: nil, totalDistance: nil,
                metadata: wrongMetadata)
        },
        Misuse("HKWorkout+Making", 1, "startDate") {
            _ = HKWorkout(activityType: .running, start: date, end: date - 1)
        },
        Misuse("HKWorkoutActivity", 1, "HKWorkoutActivity requires startDate to be at or before endDate") {
            _ = HKWorkoutActivity(workoutConfiguration: running, start: date, end: date - 1, metadata: nil)
        },
        Misuse("HKWorkoutActivity", 2, aboutMetadata) {
            _ = HKWorkoutActivity(workoutConfiguration: running, start: date, end: nil, metadata: wrongMetadata)
        },
        Misuse("HKWorkoutEvent", 1, "Only lap and segment workout events may have a duration") {
            _ = HKWorkoutEvent(type: .pause, dateInterval: DateInterval(start: date, duration: 1), metadata: nil)
        },
        Misuse("HKWorkoutEvent", 2, aboutMetadata) {
            _ = HKWorkoutEvent(type: .lap, date: date, metadata: wrongMetadata)
        },
        Misuse("HKWorkoutSession", 2, aboutMetadata) {
            let session = try HKWorkoutSession(healthStore: FreshStore.make(), configuration: running)
            session.beginNewActivity(configuration: running, date: date, metadata: wrongMetadata)
        },
        Misuse("HKLiveWorkoutDataSource", 1, aboutUnfit + "HKQuantityType") {
            HKLiveWorkoutDataSource(healthStore: FreshStore.make(), workoutConfiguration: nil)
                .enableCollection(for: FreshStore.heartRate, predicate: unfit)
        },
        Misuse("HKWorkoutEffortRelationshipQuery", 1, aboutUnfit + "HKWorkoutType") {
            _ = try await HKWorkoutEffortRelationshipQueryDescriptor(predicate: unfit, anchor: nil, option: .default)
                .result(for: FreshStore.make())
        },
    ]
}

/// The deprecated calls of watchOS. Tests reach them through the protocol, without a warning.
protocol DeprecatedMisuses {
    static var watch: [Misuse] { get }
}

extension Misuse: DeprecatedMisuses {
    @available(*, deprecated)
    static let watch: [Misuse] = [
        Misuse("HKHealthStore", 1, "A workout session that is running or has ended cannot be started") {
            let (store, session) = (FreshStore.make(), try HKWorkoutSession(configuration: running))
            store.start(session)
            store.start(session)
        },
        Misuse("HKHealthStore", 2, "A workout session that is not running cannot be ended") {
            FreshStore.make().end(HKWorkoutSession(activityType: .running, locationType: .outdoor))
        },
        Misuse("HKWorkoutSession", 1, "A workout session without a health store has no associated workout builder") {
            _ = try HKWorkoutSession(configuration: running).associatedWorkoutBuilder()
        },
    ]
}
