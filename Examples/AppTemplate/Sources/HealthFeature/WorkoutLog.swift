// A condition that names iOS alone removes the code, and with it what is to be tested, on Linux.
#if os(iOS) || os(watchOS) || os(Linux)
    import Foundation
    import HealthKit

    /// Saves a finished workout.
    public struct WorkoutLog: Sendable {
        private let store: HKHealthStore

        public init(store: HKHealthStore) {
            self.store = store
        }

        public func saveRun(_ interval: DateInterval, meters: Double) async throws -> HKWorkout? {
            let configuration = HKWorkoutConfiguration()
            configuration.activityType = .running
            let builder = HKWorkoutBuilder(healthStore: store, configuration: configuration, device: nil)
            try await builder.beginCollection(at: interval.start)
            let distance = HKQuantitySample(
                type: HKQuantityType(.distanceWalkingRunning),
                quantity: HKQuantity(unit: .meter(), doubleValue: meters),
                start: interval.start, end: interval.end)
            try await builder.addSamples([distance])
            try await builder.endCollection(at: interval.end)
            return try await builder.finishWorkout()
        }
    }
#endif
