import Foundation
import HealthKit
import Testing

@Suite("StatisticsQuery")
struct StatisticsQueryTests {
    private let store = TestStore()

    private let unsupported = [
        "No statistics for HKWorkoutTypeIdentifier", "No statistics for HKCorrelationTypeIdentifierFood",
    ]

    @Test("Without samples, prints the framework’s error")
    func nothing() throws {
        let run = try store.run("StatisticsQuery")
        #expect(run.status == 0)
        #expect(
            run.lines == unsupported + [
                "Consumed today: No data available for the specified predicate.",
                "Heart rate today: No data available for the specified predicate.",
            ])
    }

    // The average is weighted by time: 50 to 60 in one hour and 60 to 90 in the next average 65.
    @Test("Prints today’s energy and the minimum, maximum and average heart rate")
    func figures() async throws {
        let beats = HKUnit.count().unitDivided(by: .minute())
        try await store.health.save([
            TestStore.quantity(.dietaryEnergyConsumed, 1.5, .kilocalorie(), at: TestStore.today(1)),
            TestStore.quantity(.dietaryEnergyConsumed, 1_000, .joule(), at: TestStore.today(2)),
            TestStore.quantity(.dietaryEnergyConsumed, 1_000, .joule(), at: TestStore.today(23, daysAgo: 1)),
            TestStore.quantity(.heartRate, 50, beats, at: TestStore.today(1)),
            TestStore.quantity(.heartRate, 60, beats, at: TestStore.today(2)),
            TestStore.quantity(.heartRate, 1.5, HKUnit.count().unitDivided(by: .second()), at: TestStore.today(3)),
            TestStore.quantity(.heartRate, 200, beats, at: TestStore.today(3, daysAgo: 1)),
        ])
        let run = try store.run("StatisticsQuery")
        #expect(run.status == 0)
        #expect(
            run.lines == unsupported + [
                "Consumed today: 7276 J", "Heart rate today: 50.0 to 90.0, average 65.0",
            ])
    }

    @Test("Requesting a sum of heart rates traps with the framework’s message")
    func wrong() throws {
        let run = try store.run("StatisticsQuery", ["wrong"])
        #expect(run.status != 0)
        #expect(!run.output.contains("today"))
        #expect(
            run.errors.contains(
                "Statistics option HKStatisticsOptionCumulativeSum is not compatible with discrete data type HKQuantityTypeIdentifierHeartRate"
            ), "\(run.errors.prefix(500))")
    }
}
