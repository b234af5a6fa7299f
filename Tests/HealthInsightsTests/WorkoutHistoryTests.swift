import CoreLocation
import Foundation
import HealthInsights
import HealthKit
import HealthTesting
import Testing

@Suite("Workouts")
struct WorkoutHistoryTests {
    private let health = TestHealthStore()
    private let days = InsightsDays()
    private var history: WorkoutHistory { WorkoutHistory(store: health.store, calendar: days.calendar) }
    private let beats = HKUnit.count().unitDivided(by: .minute())

    private func workout(
        _ type: HKWorkoutActivityType, _ start: String, minutes: Double, kilometers: Double? = nil,
        kilocalories: Double? = nil,
        pauses: [(Double, Double)] = [], metadata: [String: Any]? = nil
    ) -> HKWorkout {
        let begin = days.date(start)
        let events = pauses.flatMap { pause in
            [
                HKWorkoutEvent(type: .pause, date: begin + pause.0 * 60),
                HKWorkoutEvent(type: .resume, date: begin + pause.1 * 60),
            ]
        }
        return HKWorkout(
            activityType: type, start: begin, end: begin + minutes * 60, workoutEvents: events.isEmpty ? nil : events,
            totalEnergyBurned: kilocalories.map { HKQuantity(unit: .kilocalorie(), doubleValue: $0) },
            totalDistance: kilometers.map { HKQuantity(unit: .meterUnit(with: .kilo), doubleValue: $0) },
            metadata: metadata)
    }

    @Test("A workout's figures come from its totals, pauses and metadata")
    func summary() async throws {
        try health.plant([
            workout(
                .running, "2025-11-10 17:00", minutes: 60, kilometers: 10, kilocalories: 600, pauses: [(10, 20)],
                metadata: [
                    HKMetadataKeyIndoorWorkout: false, HKMetadataKeyTimeZone: "Europe/Berlin",
                    HKMetadataKeyElevationAscended: HKQuantity(unit: .meterUnit(with: .centi), doubleValue: 4_200),
                ])
        ])
        let summary = try #require(try await history.summaries().first)
        #expect(summary.activityType == .running && summary.duration == 3_000)
        #expect(summary.meters == 10_000 && summary.kilocalories == 600)
        #expect(summary.pace == 300.0 && abs((summary.speed ?? 0) - 10.0 / 3) < 1e-12)
        #expect(summary.isIndoor == false && summary.timeZone?.identifier == "Europe/Berlin")
        #expect(summary.elevationAscended?.doubleValue(for: .meter()) == 42)
        #expect(summary.averageHeartRate == nil && summary.source.name == "Apple Watch")
    }

    @Test("Heart rates of a long workout are combined, and gaps stay gaps")
    func heartRates() async throws {
        let begin = days.date("2025-11-10 17:00")
        let run = workout(.running, "2025-11-10 17:00", minutes: 120)
        // Every ten seconds, with a pause of half an hour.
        let seconds = (0..<720).map { Double($0) * 10 }.filter { !(3_000..<4_800).contains($0) }
        try health.plant([run])
        try health.plant(
            seconds.map { second in
                HKQuantitySample(
                    type: HKQuantityType(.heartRate),
                    quantity: HKQuantity(
                        unit: beats, doubleValue: 100 + (second / 10).truncatingRemainder(dividingBy: 6)),
                    start: begin + second, end: begin + second)
            })
        let all = try await history.heartRateCurve(of: run)
        #expect(all.count == seconds.count && all.filter(\.isPrecededByGap).map(\.start) == [begin + 4_800])
        let minutes = try await history.heartRateCurve(of: run, maximum: 200)
        #expect(minutes.count == 90 && minutes.filter(\.isPrecededByGap).map(\.start) == [begin + 4_800])
        #expect(minutes.allSatisfy { $0.minimum == 100 && $0.maximum == 105 && abs($0.value - 102.5) < 1e-9 })
    }

    @Test("A pace is of activities that are about a distance")
    func distances() async throws {
        try health.plant([
            workout(.traditionalStrengthTraining, "2025-11-10 17:00", minutes: 60, kilometers: 0.5),
            workout(.running, "2025-11-11 17:00", minutes: 60, kilometers: 10),
        ])
        let found = try await history.summaries()
        #expect(found.map(\.pace) == [nil, 360] && found.map(\.meters) == [500, 10_000])
        let figures = WorkoutFigures(found)
        #expect(figures.pace == 360 && figures.meters == 10_500)
        #expect(WorkoutRecords(activityType: .traditionalStrengthTraining, workouts: found).fastest == nil)
    }

    @Test("Weeks have sums by activity, and empty weeks are there")
    func weeks() async throws {
        try health.plant([
            workout(.running, "2025-11-03 17:00", minutes: 30, kilometers: 6, kilocalories: 300),
            workout(.running, "2025-11-05 17:00", minutes: 30, kilometers: 4, kilocalories: 300),
            workout(.yoga, "2025-11-09 23:59", minutes: 90),
            workout(.cycling, "2025-11-17 00:00", minutes: 60, kilometers: 20),
        ])
        let weeks = try await history.weeks(in: days.interval("2025-11-04", "2025-11-18"))
        #expect(weeks.map(\.interval.start) == ["2025-11-03", "2025-11-10", "2025-11-17"].map(days.date))
        #expect(weeks.map(\.figures.count) == [3, 0, 1])
        let figures = weeks[0].figures
        #expect(figures.duration == 9_000 && figures.meters == 10_000 && figures.kilocalories == 600)
        #expect(weeks[0].activities.map(\.activityType) == [.yoga, .running])
        // The pace is of the workouts with a distance.
        #expect(figures.pace == 360.0 && weeks[0].activities[0].figures.pace == nil)
        #expect(try await history.summaries(activityType: .yoga).count == 1)
        #expect(try await history.latestWorkout(before: days.date("2025-11-16"))?.workoutActivityType == .yoga)
        #expect(try await history.latestWorkout(before: days.date("2020-01-01")) == nil)
    }

    @Test("Records are the longest, farthest and fastest workouts of an activity; short ones aren't fastest")
    func records() async throws {
        try health.plant([
            workout(.running, "2025-11-03 17:00", minutes: 60, kilometers: 10, kilocalories: 500),
            workout(.running, "2025-11-05 17:00", minutes: 20, kilometers: 5, kilocalories: 300),
            workout(.running, "2025-11-06 17:00", minutes: 1, kilometers: 0.5),
            workout(.yoga, "2025-11-07 17:00", minutes: 90),
        ])
        let records = try await history.records()
        #expect(records.map(\.activityType) == [.running, .yoga] && records.map(\.count) == [3, 1])
        #expect(records[0].longest?.duration == 3_600 && records[0].farthest?.meters == 10_000)
        #expect(records[0].fastest?.meters == 5_000 && records[0].mostEnergy?.kilocalories == 500)
        #expect(records[1].longest?.duration == 5_400)
        #expect(records[1].farthest == nil && records[1].fastest == nil && records[1].mostEnergy == nil)
    }

    @Test("Splits come from distance samples, without pauses, and the last one is shorter")
    func splits() async throws {
        let run = workout(.running, "2025-11-10 17:00", minutes: 25, kilometers: 2.5, pauses: [(12, 17)])
        try health.plant([run])
        let begin = days.date("2025-11-10 17:00")
        // 125 m in every minute that isn't paused; a phone counted the same way.
        for source in [TestSource.watch, .phone] {
            try health.plant(
                (0..<25).filter { !(12..<17).contains($0) }.map { (minute: Int) -> HKQuantitySample in
                    HKQuantitySample(
                        type: HKQuantityType(.distanceWalkingRunning),
                        quantity: HKQuantity(unit: .meter(), doubleValue: 125),
                        start: begin + Double(minute) * 60, end: begin + Double(minute + 1) * 60)
                }, from: source)
        }
        try health.plant(
            (0..<25).map { (minute: Int) -> HKQuantitySample in
                let date = begin + Double(minute) * 60
                return HKQuantitySample(
                    type: HKQuantityType(.heartRate),
                    quantity: HKQuantity(unit: beats, doubleValue: minute < 8 ? 120 : 150),
                    start: date, end: date)
            })
        let found = try #require(try await history.workouts().first)
        let splits = try #require(try await history.splits(of: found))
        #expect(splits.origin == .distanceSamples && splits.splits.map(\.meters) == [1_000, 1_000, 500])
        #expect(splits.splits.map(\.duration) == [480, 480, 240])
        #expect(splits.splits.map(\.isComplete) == [true, true, false])
        #expect(splits.splits.map { $0.averageHeartRate ?? 0 } == [120, 150, 150])
        #expect(splits.splits[1].end == begin + 21 * 60 && splits.splits[0].pace == 480)
        #expect(splits.fastest?.number == 1 && abs(splits.meters - 2_500) < 1e-9)
        let miles = try #require(try await history.splits(of: found, per: .mile))
        #expect(miles.splits.count == 2 && abs(miles.splits[0].duration - 1_609.344 / 125 * 60) < 1e-6)
        let summary = try await history.summary(of: found)
        #expect(summary.minimumHeartRate == 120 && summary.maximumHeartRate == 150)
    }

    @Test("Without samples of a distance, splits come from the route")
    func route() async throws {
        let store = health.store
        let begin = days.date("2025-11-10 17:00")
        let run = workout(.running, "2025-11-10 17:00", minutes: 20)
        try await store.save(run)
        let builder = HKWorkoutRouteBuilder(healthStore: store, device: nil)
        // North at 0.001 degrees, about 111 m, in half a minute. One location is inaccurate.
        var locations: [CLLocation] = []
        for index in 0...30 {
            let north = index == 7 ? 1 : 0.001 * Double(index)
            locations.append(
                CLLocation(
                    coordinate: CLLocationCoordinate2D(latitude: 40 + north, longitude: -74), altitude: 10,
                    horizontalAccuracy: index == 7 ? 500 : 5, verticalAccuracy: 5, timestamp: begin + Double(index) * 30
                ))
        }
        try await builder.insertRouteData(locations)
        _ = try await builder.finishRoute(with: run, metadata: nil)
        let found = try #require(try await history.workouts().first)
        let splits = try #require(try await history.splits(of: found))
        #expect(splits.origin == .route)
        #expect(abs(splits.meters - 3_336) < 10)
        #expect(splits.splits.filter(\.isComplete).count == 3)
        #expect(abs(splits.splits[1].duration - 270) < 2)
        try health.plant([workout(.yoga, "2025-11-11 17:00", minutes: 20)])
        #expect(try await history.splits(of: try #require(try await history.workouts().last)) == nil)
    }

    @Test("Zones are estimated from the age, and a heart rate holds for at most a minute")
    func zones() async throws {
        let begin = days.date("2025-11-10 17:00")
        try health.plant([workout(.running, "2025-11-10 17:00", minutes: 10, pauses: [(1, 2)])])
        let run = try #require(try await history.workouts().first)
        #expect(try await history.heartRateZones(of: run) == nil)
        // 130 for two minutes of which one is paused, 170 for one minute, and nothing afterwards.
        try health.plant(
            [130.0, 130, 170].enumerated().map { (minute: Int, rate: Double) -> HKQuantitySample in
                let date = begin + Double(minute) * 60
                return HKQuantitySample(
                    type: HKQuantityType(.heartRate), quantity: HKQuantity(unit: beats, doubleValue: rate), start: date,
                    end: date)
            })
        #expect(try await history.heartRateZones(of: run) == nil)
        try health.setCharacteristics(TestCharacteristics(dateOfBirth: DateComponents(year: 1985, month: 11, day: 11)))
        let zones = try #require(try await history.heartRateZones(of: run))
        // The person is 39 until the next day.
        #expect(zones.origin == .estimated(maximumHeartRate: 181))
        #expect(zones.zones.map(\.minimum) == [nil, 109, 127, 145, 163])
        #expect(zones.zones.map(\.maximum) == [109, 127, 145, 163, nil])
        #expect(zones.zones.map(\.duration) == [0, 0, 60, 0, 60])
        #expect(zones.duration == 120)
    }

    @Test("Zones that HealthKit measured with a workout are preferred")
    func measured() async throws {
        let clock = health.clock.now
        let configuration = HKWorkoutConfiguration()
        configuration.activityType = .running
        let builder = HKWorkoutBuilder(healthStore: health.store, configuration: configuration, device: nil)
        let own = try HKWorkoutZoneConfiguration(
            quantityType: HKQuantityType(.heartRate),
            zoneBoundaries: [100, 140].map { HKQuantity(unit: beats, doubleValue: $0) })
        try await builder.setCustomZoneConfiguration(own, for: HKQuantityType(.heartRate))
        try await builder.beginCollection(at: clock - 600)
        try await builder.addSamples(
            (0..<10).map { (minute: Int) -> HKQuantitySample in
                let date = clock - 600 + Double(minute) * 60
                return HKQuantitySample(
                    type: HKQuantityType(.heartRate),
                    quantity: HKQuantity(unit: beats, doubleValue: minute < 5 ? 120 : 150),
                    start: date, end: date)
            })
        try await builder.endCollection(at: clock)
        let run = try #require(try await builder.finishWorkout())
        let zones = try #require(try await history.heartRateZones(of: run))
        #expect(zones.origin == .workout(.app))
        #expect(zones.zones.map(\.number) == [1, 2, 3] && zones.zones.map(\.duration) == [0, 300, 300])
        #expect(zones.zones.map(\.maximum) == [100, 140, nil])
    }
}
