import Foundation
import HealthInsights
import HealthKit
import HealthTesting
import Testing

@Suite("The course of workouts")
struct WorkoutCurveTests {
    private let health = TestHealthStore()
    private let days = InsightsDays()
    private var history: WorkoutHistory { WorkoutHistory(store: health.store, calendar: days.calendar) }
    private let beats = HKUnit.count().unitDivided(by: .minute())

    /// A workout with laps, a pause in the middle, and the samples of its time.
    private func ride(_ start: String, minutes: Int = 30, kilometers: Double = 15, laps: [(Double, Double)] = []) throws
        -> HKWorkout
    {
        let begin = days.date(start)
        let events = laps.map { lap in
            HKWorkoutEvent(
                type: .lap,
                dateInterval: DateInterval(start: begin + lap.0 * 60, end: begin + lap.1 * 60), metadata: nil)
        }
        let workout = HKWorkout(
            activityType: .cycling, start: begin, end: begin + Double(minutes) * 60,
            workoutEvents: events.isEmpty ? nil : events, totalEnergyBurned: nil,
            totalDistance: HKQuantity(unit: .meterUnit(with: .kilo), doubleValue: kilometers), metadata: nil)
        try health.plant([workout])
        return workout
    }

    private func sample(
        _ type: HKQuantityTypeIdentifier, _ value: Double, _ unit: HKUnit, _ start: Date, _ seconds: Double
    )
        -> HKQuantitySample
    {
        HKQuantitySample(
            type: HKQuantityType(type), quantity: HKQuantity(unit: unit, doubleValue: value), start: start,
            end: start + seconds)
    }

    @Test("Speed, power and cadence are of their time; what isn't known has no curve")
    func curves() async throws {
        let ride = try ride("2025-11-10 17:00")
        let begin = ride.startDate
        // 5 m/s for ten minutes, nothing for ten, 10 m/s for ten; power and cadence every five seconds.
        try health.plant(
            (0..<180).filter { !(60..<120).contains($0) }.map { index in
                sample(
                    .distanceCycling, index < 60 ? 50 : 100, .meter(), begin + Double(index) * 10, 10)
            })
        try health.plant((0..<360).map { sample(.cyclingPower, 200, .watt(), begin + Double($0) * 5, 0) })
        try health.plant((0..<360).map { sample(.cyclingCadence, 90, beats, begin + Double($0) * 5, 0) })
        let curves = try await history.curves(of: ride, maximum: 100)
        #expect(curves.map(\.figure) == [.speed, .power, .cadence])
        let speed = try #require(curves.first)
        #expect(speed.points.count { abs($0.value - 5) < 0.01 } >= 28)
        #expect(speed.points.count { abs($0.value - 10) < 0.01 } >= 28)
        #expect(speed.points.count(where: \.isPrecededByGap) == 1)
        #expect(abs(speed.average - 15_000.0 / 1_800) < 1e-9)
        #expect(curves[1].points.count <= 101 && curves[1].points.allSatisfy { $0.value == 200 })
        #expect(curves[2].average == 90)
    }

    @Test("Laps are between presses of the button, with their distance and heart rate")
    func laps() async throws {
        let ride = try ride("2025-11-10 17:00", laps: [(0, 10), (10, 20)])
        let begin = ride.startDate
        try health.plant((0..<180).map { sample(.distanceCycling, 100, .meter(), begin + Double($0) * 10, 10) })
        try health.plant((0..<180).map { sample(.heartRate, $0 < 60 ? 120 : 150, beats, begin + Double($0) * 10, 0) })
        let laps = try await history.laps(of: ride)
        #expect(laps.map(\.number) == [1, 2, 3] && laps.map(\.duration) == [600, 600, 600])
        #expect(laps.allSatisfy { abs(($0.meters ?? 0) - 6_000) < 1e-6 })
        #expect(laps.map(\.averageHeartRate) == [120, 150, 150])
        #expect(laps.compactMap(\.speed).allSatisfy { abs($0 - 10) < 1e-9 })
        let other = try self.ride("2025-11-11 17:00")
        #expect(try await history.laps(of: other).isEmpty)
    }

    @Test("The training load counts minutes in zones by their number")
    func load() async throws {
        let ride = try ride("2025-11-10 17:00")
        let begin = ride.startDate
        // Ten minutes each at 45, 65 and 95 % of 180: nothing, twice and five times.
        try health.plant(
            (0..<180).map { index in
                sample(.heartRate, [81, 117, 171][index / 60], beats, begin + Double(index) * 10, 0)
            })
        #expect(try await history.trainingLoad(of: ride) == nil)
        try health.setCharacteristics(TestCharacteristics(dateOfBirth: DateComponents(year: 1985, month: 11, day: 1)))
        let load = try #require(try await history.trainingLoad(of: ride))
        #expect(abs(load - (10 * 2 + 10 * 5)) < 0.5, "\(load)")
        let other = try self.ride("2025-11-12 17:00")
        #expect(try await history.trainingLoad(of: other) == nil)
    }

    @Test("Earlier workouts are of the same type, the latest first")
    func earlier() async throws {
        _ = try ride("2025-11-08 17:00", kilometers: 10)
        _ = try ride("2025-11-09 17:00", kilometers: 20)
        let run = HKWorkout(
            activityType: .running, start: days.date("2025-11-09 19:00"), end: days.date("2025-11-09 19:30"))
        try health.plant([run])
        let latest = try ride("2025-11-10 17:00")
        _ = try ride("2025-11-11 17:00")
        #expect(try await history.summaries(before: latest, maximum: 5).map(\.meters) == [20_000, 10_000])
        #expect(try await history.summaries(before: latest, maximum: 1).map(\.meters) == [20_000])
    }
}
