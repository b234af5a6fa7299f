import Foundation
import HealthInsights
import HealthKit
import HealthTesting
import Testing

@Suite("Today")
struct TodayReaderTests {
    private let days = InsightsDays()
    private let health: TestHealthStore
    private let now: Date

    init() {
        let days = InsightsDays()
        now = days.date("2025-11-16 12:00")
        health = TestHealthStore(now: now, calendar: days.calendar)
    }

    private func summary() async throws -> TodaySummary {
        try await TodayReader(store: health.store, calendar: days.calendar).summary(now: now)
    }

    @Test("An empty store has an empty summary that names what is missing")
    func empty() async throws {
        let today = try await summary()
        #expect(today.day == days.interval("2025-11-16", "2025-11-17"))
        #expect(
            today.rings.today == nil && today.rings.reference == nil && today.heartRate == nil && today.sleep == nil
                && today.workout == nil)
        #expect(today.steps.value == nil && today.steps.reference.average == nil)
        #expect(today.energy.balance.missing == EnergyBalance.Missing.allCases)
        #expect(today.sleepReference.nights == 0 && today.workoutReference.count == 0)
    }

    @Test("A day without data knows when the newest data ends, and rings of zero don’t count")
    func latest() async throws {
        try health.plant([
            days.quantity(.stepCount, 10, .count(), "2025-11-07 10:00", "2025-11-07 10:10"),
            days.quantity(.stepCount, 10, .count(), "2025-11-16 13:00", "2025-11-16 13:10"),
        ])
        try health.plant([
            HKActivitySummary.testing(
                DateComponents(year: 2025, month: 11, day: 16), activeEnergy: (0, 400), exercise: (0, 30),
                standHours: (0, 12))
        ])
        #expect(try await summary().latestDate == days.date("2025-11-07 10:10"))
        try health.plant([days.quantity(.stepCount, 10, .count(), "2025-11-16 10:00", "2025-11-16 10:10")])
        #expect(try await summary().latestDate == nil)
    }

    @Test("Each part is beside the four weeks before")
    func parts() async throws {
        let beats = HKUnit.count().unitDivided(by: .minute())
        for day in 14...16 {
            let text = "2025-11-\(day)"
            try health.plant([
                days.quantity(.stepCount, Double(day) * 100, .count(), "\(text) 10:00", "\(text) 10:10"),
                days.quantity(.stepCount, 1_000, .count(), "\(text) 18:00", "\(text) 18:10"),
                days.quantity(.activeEnergyBurned, 200, .kilocalorie(), "\(text) 10:00", "\(text) 10:10"),
                days.quantity(.heartRate, Double(day) * 5, beats, "\(text) 09:00"),
                days.quantity(.heartRate, 100, beats, "\(text) 11:00"),
                days.quantity(.restingHeartRate, 50, beats, "\(text) 08:00"),
            ])
            try health.plant([days.sleepSample(.asleepCore, "2025-11-\(day - 1) 23:00", "\(text) 0\(day - 8):00")])
        }
        try health.plant([
            HKActivitySummary.testing(
                DateComponents(year: 2025, month: 11, day: 15), activeEnergy: (0, 100), exercise: (30, 30),
                standHours: (12, 12)),
            HKActivitySummary.testing(
                DateComponents(year: 2025, month: 11, day: 16), activeEnergy: (0, 400), exercise: (15, 30),
                standHours: (6, 12)),
        ])
        try health.plant([
            HKWorkout(activityType: .running, start: days.date("2025-11-10 17:00"), end: days.date("2025-11-10 17:30")),
            HKWorkout(activityType: .yoga, start: days.date("2025-11-16 08:00"), end: days.date("2025-11-16 08:30")),
            HKWorkout(activityType: .yoga, start: days.date("2025-11-16 13:00"), end: days.date("2025-11-16 13:30")),
        ])
        let today = try await summary()
        // What comes after now doesn't count.
        #expect(today.steps.value == 1_600)
        // Two of the seven days before have samples.
        #expect(today.steps.averageHours[10] == 1_450 && today.steps.averageHours[18] == 1_000)
        #expect(today.steps.reference.average == 2_450 && today.steps.reference.averageByNow == 1_450)
        #expect(today.energy.balance.active.doubleValue(for: .kilocalorie()).rounded() == 200)
        #expect(abs((today.energy.activeReference.averageByNow ?? 0) - 200) < 1e-9)
        let heart = try #require(today.heartRate)
        #expect(heart.latest == 100 && heart.latestDate == days.date("2025-11-16 11:00"))
        #expect(heart.minimum == 80 && heart.maximum == 100 && heart.average == 90 && heart.resting == 50)
        #expect(heart.restingReference.figures.daysWithData == 2)
        // Of the samples of both days, by the time for which they apply.
        #expect(abs((heart.reference.average ?? 0) - 260.0 / 3) < 1e-9)
        #expect(today.sleep?.day.day == 16 && today.sleep?.timeAsleep == 9.0 * 3_600)
        #expect(today.sleepReference.nights == 2 && today.sleepReference.timeAsleep == 7.5 * 3_600)
        #expect(today.workout?.activityType == .yoga && today.workout?.start == days.date("2025-11-16 08:00"))
        #expect(today.workoutReference.count == 1)
        let rings = try #require(today.rings.today)
        #expect(rings.moveMode == .activeEnergy && rings.move.goal?.doubleValue(for: .kilocalorie()) == 400)
        #expect(abs((rings.progress.move ?? 0) - 0.5) < 1e-9 && rings.progress.exercise == 0.5)
        let reference = try #require(today.rings.reference)
        #expect(reference.days == 2 && reference.closed.all == 1 && reference.longestStreak == 1)
    }

    @Test("Average times of falling asleep and waking don't break at midnight")
    func bedtimes() async throws {
        try health.plant([
            days.sleepSample(.asleepCore, "2025-11-13 23:00", "2025-11-14 07:00"),
            days.sleepSample(.asleepCore, "2025-11-15 01:00", "2025-11-15 08:00"),
        ])
        let nights = try await SleepReader(store: health.store, calendar: days.calendar).nights(
            in: days.interval("2025-11-01", "2025-11-16"))
        let averages = SleepAverages(nights)
        #expect(averages.nights == 2 && averages.asleepTime == 0 && averages.wakeTime == 7.5 * 3_600)
        #expect(averages.timeAsleep == 7.5 * 3_600 && abs((averages.timeAsleepDeviation ?? 0) - 2_545.58441) < 1e-4)
        #expect(SleepAverages([]).timeAsleep == nil && SleepAverages([]).asleepTime == nil)
    }
}
