import Foundation
import HealthKit
import Testing

@Suite("WorkoutTracker")
struct WorkoutTrackerTests {
    private let store = TestStore()

    @Test("Records a run and reads it back with its statistics, route and effort score")
    func run() async throws {
        let first = try store.run("WorkoutTracker")
        #expect(first.status == 0, "\(first.output)")
        // The live output depends on timing; only its final energy is certain.
        #expect(first.lines.contains("🔥 360 kcal"))
        #expect(first.lines.contains { $0.hasPrefix("♥ ") })
        #expect(
            first.lines.filter { !$0.hasPrefix("♥") && !$0.hasPrefix("🔥") } == [
                "Elapsed: 1740 s", "Runs: 1", "Run of 1740 s, excluding pauses", "Distance: 5400 m",
                "Energy: 360 kcal", "Heart rate: 95 to 170, average 148", "Lap 1: 900 s", "Lap 2: 900 s",
                "Plan: easy", "Route: 1797 locations, about 5400 m", "Effort: 6 of 10",
            ])
        let second = try store.run("WorkoutTracker")
        #expect(second.status == 0)
        #expect(second.lines.contains("Runs: 2"))

        // Another application reads the same workouts.
        let workouts = try await HKSampleQueryDescriptor(
            predicates: [.workout()], sortDescriptors: [SortDescriptor(\.startDate)]
        ).result(for: store.health)
        #expect(workouts.count == 2)
        #expect(workouts.first?.totalDistance?.doubleValue(for: .meter()) == 5_400)
        #expect(workouts.first?.workoutActivities.first?.workoutConfiguration.locationType == .outdoor)
    }
}
