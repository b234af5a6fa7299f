import Foundation
import HealthFixtures
import HealthKit
import HealthTesting
import Testing

/// The text of a store's contents.
@Suite("Snapshots")
struct SnapshotTests {
    private let steps = HKQuantityType(.stepCount)

    private func sample(_ count: Double, at offset: TimeInterval, _ metadata: [String: Any]? = nil) -> HKQuantitySample
    {
        HKQuantitySample(
            type: steps, quantity: HKQuantity(unit: .count(), doubleValue: count), start: TestClock.start + offset,
            end: TestClock.start + offset + 60, device: nil, metadata: metadata)
    }

    @Test("A line has the type, dates, value, source and metadata, and no identity")
    func lines() async throws {
        let health = TestHealthStore()
        let night = HKCategorySample(
            type: HKCategoryType(.sleepAnalysis), value: HKCategoryValueSleepAnalysis.asleepCore.rawValue,
            start: TestClock.start, end: TestClock.start + 3600)
        try await health.store.save([
            sample(800, at: 600, [HKMetadataKeyWasUserEntered: true]), night, sample(20.5, at: 0),
        ])
        let source = #""source":"Example","bundleIdentifier":"org.example.application","sourceVersion":"1.0""#
        #expect(
            try health.snapshot()
                == """
                {"type":"HKCategoryTypeIdentifierSleepAnalysis","startDate":"2023-03-08T20:26:40+00:00",\
                "endDate":"2023-03-08T21:26:40+00:00","value":3,"valueName":"asleepCore",\(source)}
                {"type":"HKQuantityTypeIdentifierStepCount","startDate":"2023-03-08T20:26:40+00:00",\
                "endDate":"2023-03-08T20:27:40+00:00","quantity":20.5,"unit":"count",\(source)}
                {"type":"HKQuantityTypeIdentifierStepCount","startDate":"2023-03-08T20:36:40+00:00",\
                "endDate":"2023-03-08T20:37:40+00:00","quantity":800,"unit":"count",\(source),\
                "metadata":{"HKWasUserEntered":true}}

                """)
        #expect(try health.snapshot(of: [steps]).split(separator: "\n").count == 2)
        #expect(try health.snapshot(of: []) == "")
    }

    @Test("Equal contents give equal texts, in whatever order they were saved")
    func order() async throws {
        let pressure = { (health: TestHealthStore, isFirst: Bool) in
            let members = [("Systolic", 120.0), ("Diastolic", 80)].map { name, value in
                HKQuantitySample(
                    type: HKQuantityType(
                        HKQuantityTypeIdentifier(rawValue: "HKQuantityTypeIdentifierBloodPressure" + name)),
                    quantity: HKQuantity(unit: .millimeterOfMercury(), doubleValue: value), start: TestClock.start,
                    end: TestClock.start)
            }
            let correlation = HKCorrelation(
                type: HKCorrelationType(.bloodPressure), start: TestClock.start, end: TestClock.start,
                objects: Set(members))
            let samples: [HKObject] = [self.sample(1, at: 0), self.sample(2, at: 0), correlation]
            for object in isFirst ? samples : samples.reversed() { try await health.store.save(object) }
        }
        let (one, other) = (TestHealthStore(), TestHealthStore())
        try await pressure(one, true)
        try await pressure(other, false)
        #expect(try one.snapshot() == other.snapshot())
        #expect(try one.snapshot().split(separator: "\n").count == 5)
        try await other.store.save(sample(2, at: 0))
        #expect(try one.snapshot() != other.snapshot())
    }

    @Test("The activities of a workout are numbered, and the app’s permission doesn’t matter")
    func workout() async throws {
        func text() async throws -> String {
            let health = TestHealthStore()
            let configuration = HKWorkoutConfiguration()
            configuration.activityType = .running
            let builder = HKWorkoutBuilder(healthStore: health.store, configuration: configuration, device: nil)
            try await builder.beginCollection(at: TestClock.start)
            try await builder.addWorkoutActivity(
                HKWorkoutActivity(
                    workoutConfiguration: configuration, start: TestClock.start, end: TestClock.start + 600,
                    metadata: nil))
            try await builder.endCollection(at: TestClock.start + 1200)
            _ = try await builder.finishWorkout()
            health.deny(read: [HKObjectType.workoutType()])
            return try health.snapshot()
        }
        let first = try await text()
        #expect(first.contains("\"00000000-0000-0000-0000-000000000001\""))
        #expect(try await text() == first)
    }
}
