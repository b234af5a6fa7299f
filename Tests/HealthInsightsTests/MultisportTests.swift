import Foundation
import HealthKit
import HealthTesting
import Testing

@testable import HealthInsights

@Suite("Multisport workouts")
struct MultisportTests {
    private let health = TestHealthStore()
    private let days = InsightsDays()
    private var history: WorkoutHistory { WorkoutHistory(store: health.store, calendar: days.calendar) }

    private struct Leg {
        var sport: HKWorkoutActivityType
        var minutes: Double
        var distance: (type: HKQuantityTypeIdentifier, meters: Double)?
        var rate: Double
    }

    private static let triathlon = [
        Leg(sport: .swimming, minutes: 20, distance: (.distanceSwimming, 900), rate: 120),
        Leg(sport: .transition, minutes: 2, distance: (.distanceWalkingRunning, 60), rate: 130),
        Leg(sport: .cycling, minutes: 30, distance: (.distanceCycling, 15_500), rate: 140),
        Leg(sport: .transition, minutes: 1, distance: nil, rate: 130),
        Leg(sport: .running, minutes: 12, distance: (.distanceWalkingRunning, 2_500), rate: 160),
    ]

    /// Saves legs that follow each other, with samples of a minute.
    private func save(_ legs: [Leg], as activity: HKWorkoutActivityType = .swimBikeRun) async throws -> HKWorkout {
        let configuration = HKWorkoutConfiguration()
        configuration.activityType = activity
        let builder = HKWorkoutBuilder(healthStore: health.store, configuration: configuration, device: nil)
        var date = days.date("2025-11-10 08:00")
        try await builder.beginCollection(at: date)
        for leg in legs {
            let end = date + leg.minutes * 60
            let sport = HKWorkoutConfiguration()
            sport.activityType = leg.sport
            try await builder.addWorkoutActivity(
                HKWorkoutActivity(workoutConfiguration: sport, start: date, end: end, metadata: nil))
            var samples: [HKQuantitySample] = []
            func add(_ type: HKQuantityTypeIdentifier, _ unit: HKUnit, _ value: Double, from: Date, to: Date) {
                samples.append(
                    HKQuantitySample(
                        type: HKQuantityType(type), quantity: HKQuantity(unit: unit, doubleValue: value), start: from,
                        end: to))
            }
            for minute in 0..<Int(leg.minutes) {
                let from = date + Double(minute) * 60
                if let (type, meters) = leg.distance {
                    add(type, .meter(), meters / leg.minutes, from: from, to: from + 60)
                }
                add(.heartRate, .beatsPerMinute, leg.rate, from: from, to: from)
            }
            try await builder.addSamples(samples)
            date = end
        }
        try await builder.endCollection(at: date)
        return try #require(try await builder.finishWorkout())
    }

    @Test("The distance is the sum of the legs: in the summary, the records and the weeks")
    func distance() async throws {
        let workout = try await save(Self.triathlon)
        #expect(abs((workout.totalDistance?.doubleValue(for: .meter()) ?? 0) - 18_960) < 1e-6)
        let summary = try #require(try await history.summaries().first)
        #expect(abs((summary.meters ?? 0) - 18_960) < 1e-6)
        #expect(abs((summary.pace ?? 0) - 65 * 60 / 18.96) < 1e-6)
        let records = try await history.records()
        #expect(abs((records.first?.farthest?.meters ?? 0) - 18_960) < 1e-6)
        let weeks = try await history.weeks(in: days.interval("2025-11-10", "2025-11-11"))
        #expect(abs(weeks[0].figures.meters - 18_960) < 1e-6)
    }

    @Test("Each leg has its distance, pace and heart rate, and its own splits")
    func legs() async throws {
        let workout = try #require(try await history.workout(save(Self.triathlon).uuid))
        let legs = try await history.legs(of: workout)
        #expect(legs.map(\.activityType) == Self.triathlon.map(\.sport))
        #expect(legs.map(\.number) == [1, 2, 3, 4, 5] && legs.map(\.duration) == [1_200, 120, 1_800, 60, 720])
        #expect(legs.map { $0.meters?.rounded() } == [900, 60, 15_500, nil, 2_500])
        #expect(legs.map(\.averageHeartRate) == [120, 130, 140, 130, 160])
        #expect(abs((legs[4].pace ?? 0) - 288) < 1e-6)
        let splits = try #require(try await history.splits(of: workout)).splits
        func numbers(_ sport: HKWorkoutActivityType) -> [Int] {
            splits.filter { $0.activityType == sport }.map(\.number)
        }
        #expect(numbers(.swimming) == [1] && numbers(.cycling) == Array(1...16) && numbers(.running) == [1, 2, 3])
        let runs = splits.filter { $0.activityType == .running }
        #expect(runs.map { $0.meters.rounded() } == [1_000, 1_000, 500] && abs(runs[0].duration - 288) < 1e-6)
        #expect(runs[0].start == days.date("2025-11-10 08:53"))
        #expect(splits.count(where: \.isFastest) == 2)
    }

    @Test(
        "A swim-run that another type of workout contains adds up, too; a ride on which a phone counted steps doesn't")
    func others() async throws {
        let swimRun = [
            Leg(sport: .running, minutes: 10, distance: (.distanceWalkingRunning, 2_000), rate: 150),
            Leg(sport: .swimming, minutes: 10, distance: (.distanceSwimming, 500), rate: 140),
        ]
        let summary = WorkoutSummary(try await save(swimRun))
        #expect(abs((summary.meters ?? 0) - 2_500) < 1e-6)
        let ride = HKWorkout(
            activityType: .cycling, start: days.date("2025-11-11 08:00"), end: days.date("2025-11-11 09:00"))
        try await health.store.save(ride)
        let samples = [(HKQuantityTypeIdentifier.distanceWalkingRunning, 300.0), (.distanceCycling, 20_000)].map {
            HKQuantitySample(
                type: HKQuantityType($0.0), quantity: HKQuantity(unit: .meter(), doubleValue: $0.1),
                start: ride.startDate, end: ride.endDate)
        }
        try await health.store.addSamples(samples, to: ride)
        let found = try #require(try await history.workout(ride.uuid))
        #expect(WorkoutSummary(found).meters == 20_000)
        #expect(try await history.legs(of: found).isEmpty)
    }
}
