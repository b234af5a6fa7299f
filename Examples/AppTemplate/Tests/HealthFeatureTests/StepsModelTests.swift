import Foundation
import HealthFeature
import HealthKit
import Testing

// On a Mac there is no HealthTesting: what needs a separate store is left out there, and the rest runs on both systems.
#if canImport(HealthTesting)
    import HealthTesting

    @MainActor
    @Suite("Steps and workouts")
    struct StepsModelTests {
        private final class Recorder: StepsDisplay {
            var shown: [Int] = []
            func show(steps: Int) { shown.append(steps) }
        }

        private let health = TestHealthStore(permission: .undecided)
        private let noon = TestClock.start

        private func steps(_ count: Double) -> HKQuantitySample {
            HKQuantitySample(
                type: HKQuantityType(.stepCount), quantity: HKQuantity(unit: .count(), doubleValue: count),
                start: noon - 60, end: noon)
        }

        @Test("Steps are shown once the person agrees")
        func refresh() async throws {
            try health.plant([steps(1200)], from: .watch)
            let recorder = Recorder()
            let model = StepsModel(store: health.store, display: recorder, now: { TestClock.start + 60 })
            try await model.authorize()
            try await model.refresh()
            #expect(model.steps == 1200 && recorder.shown == [1200])
            #expect(health.permissionRequests.count == 1)
        }

        @Test("A person who refuses looks like one without steps")
        func refusal() async throws {
            try health.plant([steps(1200)], from: .watch)
            health.grant(read: [HKQuantityType(.stepCount)])
            let recorder = Recorder()
            let model = StepsModel(store: health.store, display: recorder, now: { TestClock.start + 60 })
            try await model.refresh()
            health.deny(read: [HKQuantityType(.stepCount)])
            try await model.refresh()
            #expect(model.steps == 0 && recorder.shown == [1200, 0])
        }

        @Test("A run is saved with its distance")
        func run() async throws {
            let health = TestHealthStore()
            let workout = try await WorkoutLog(store: health.store).saveRun(
                DateInterval(start: noon, duration: 1800), meters: 5000)
            let distance = workout?.statistics(for: HKQuantityType(.distanceWalkingRunning))?.sumQuantity()
            #expect(distance?.doubleValue(for: .meter()) == 5000)
        }
    }
#endif

@Test("A quantity is converted, on every system")
func units() {
    let quantity = HKQuantity(unit: .meterUnit(with: .kilo), doubleValue: 5)
    #expect(quantity.doubleValue(for: .meter()) == 5000)
}
