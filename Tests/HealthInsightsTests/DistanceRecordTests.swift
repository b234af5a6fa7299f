import Foundation
import HealthInsights
import HealthKit
import HealthTesting
import Testing

@Suite("Records over distances, the variability of heartbeats, and correlations")
struct DistanceRecordTests {
    private let health = TestHealthStore()
    private let days = InsightsDays()
    private var history: WorkoutHistory { WorkoutHistory(store: health.store, calendar: days.calendar) }

    /// A run of 100 m pieces, which take these numbers of seconds.
    private func run(_ start: String, _ pieces: [Double]) throws -> HKWorkout {
        let begin = days.date(start)
        let workout = HKWorkout(
            activityType: .running, start: begin, end: begin + pieces.reduce(0, +), workoutEvents: nil,
            totalEnergyBurned: nil,
            totalDistance: HKQuantity(unit: .meter(), doubleValue: 100 * Double(pieces.count)), metadata: nil)
        try health.plant([workout])
        var from = begin
        try health.plant(
            pieces.map { seconds in
                defer { from += seconds }
                return HKQuantitySample(
                    type: HKQuantityType(.distanceWalkingRunning),
                    quantity: HKQuantity(unit: .meter(), doubleValue: 100), start: from, end: from + seconds)
            })
        return workout
    }

    @Test("The fastest kilometer is anywhere in a run, and a distance that no run has is left out")
    func fastest() async throws {
        let even = try run("2025-11-10 17:00", [Double](repeating: 36, count: 20))
        // 25 s for 100 m, from 350 m to 1,350 m.
        let varied = try run(
            "2025-11-11 17:00", [40, 40, 40] + [40] + [Double](repeating: 25, count: 10) + [50, 50, 50, 50, 50, 50])
        let records = try await history.distanceRecords(of: [even, varied])
        #expect(records.map(\.meters) == [1_000, 1_609.344])
        let kilometer = try #require(records.first)
        #expect(kilometer.activityType == .running && kilometer.uuid == varied.uuid)
        #expect(abs(kilometer.duration - 250) < 1e-6)
        #expect(kilometer.start == days.date("2025-11-11 17:00") + 160)
        // The mile: 1,000 m at 25 s, 400 m before at 40 s and the rest after at 50 s for 100 m.
        #expect(abs(records[1].duration - (250 + 160 + 209.344 / 2)) < 1e-3)
    }

    @Test("Speeds that nobody runs aren’t records, and pauses count")
    func implausible() async throws {
        // By car, 100 m in 5 s; then with a stop of a minute.
        let fast = try run("2025-11-12 17:00", [Double](repeating: 5, count: 12))
        let begin = days.date("2025-11-13 17:00")
        let stopped = HKWorkout(
            activityType: .running, start: begin, end: begin + 360, workoutEvents: nil, totalEnergyBurned: nil,
            totalDistance: HKQuantity(unit: .meter(), doubleValue: 1_000), metadata: nil)
        try health.plant([stopped])
        try health.plant(
            [0.0, 210].map {
                HKQuantitySample(
                    type: HKQuantityType(.distanceWalkingRunning),
                    quantity: HKQuantity(unit: .meter(), doubleValue: 500), start: begin + $0, end: begin + $0 + 150)
            })
        let records = try await history.distanceRecords(of: [fast, stopped])
        #expect(records.map(\.duration) == [360])
    }

    @Test("SDNN and RMSSD of beats, without intervals before which beats are missing")
    func heartbeats() throws {
        // Intervals of 800, 900, 800 and 900 ms; then 5 s without beats, and 800 ms.
        let offsets = [0, 0.8, 1.7, 2.5, 3.4, 8.4, 9.2]
        let found = try #require(HeartbeatVariability(offsets: offsets, gaps: [0, 0, 0, 0, 0, 1, 0]))
        // The successive differences are 100, -100 and 100 ms.
        #expect(abs(found.rmssd - 100) < 1e-6)
        // Of 800, 900, 800, 900 and 800 ms, whose mean is 840.
        #expect(abs(found.sdnn - (12_000.0 / 4).squareRoot()) < 1e-6)
        #expect(HeartbeatVariability(offsets: [0, 0.8, 1.6], gaps: []) == nil)
    }

    @Test(
        "Pearson’s correlation",
        arguments: [
            ([(1, 2), (2, 4), (3, 6)], 1), ([(1, 3), (2, 2), (3, 1)], -1), ([(1, 1), (2, 2)], nil),
            ([(1, 5), (2, 5), (3, 5)], nil), ([(1, 1), (2, 3), (3, 2), (4, 4)], 0.8),
        ] as [([(Double, Double)], Double?)])
    func correlation(pairs: [(Double, Double)], expected: Double?) {
        let found = Correlation.coefficient(pairs)
        #expect((found == nil) == (expected == nil) && abs((found ?? 0) - (expected ?? 0)) < 1e-9)
    }
}
