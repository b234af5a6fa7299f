import Foundation
import HealthInsights
import HealthKit
import HealthTesting
import Testing

@Suite("Trends and comparisons")
struct TrendReaderTests {
    private let health = TestHealthStore()
    private let days = InsightsDays()
    private var reader: TrendReader { TrendReader(store: health.store, calendar: days.calendar) }
    private let steps = HKQuantityType(.stepCount)
    private let heart = HKQuantityType(.heartRate)
    private let beats = HKUnit.count().unitDivided(by: .minute())

    /// Steps at 10:00 on days before 2025-11-16.
    private func plant(_ values: [(daysAgo: Int, value: Double)]) throws {
        try health.plant(
            values.map { entry in
                let day = days.calendar.date(byAdding: .day, value: -entry.daysAgo, to: days.date("2025-11-16"))!
                return HKQuantitySample(
                    type: steps, quantity: HKQuantity(unit: .count(), doubleValue: entry.value), start: day + 36_000,
                    end: day + 36_600)
            })
    }

    /// Four weeks of 9,000 and 11,000 steps in turn.
    private let baseline = (8...35).map { day in (daysAgo: day, value: day % 2 == 0 ? 9_000.0 : 11_000.0) }

    private func recent(_ value: Double, days: Int) -> [(daysAgo: Int, value: Double)] {
        (0..<days).map { day in (daysAgo: day + 1, value: value) }
    }

    @Test("The days of an interval have sums or averages, and gaps where there are no samples")
    func series() async throws {
        try health.plant([
            days.quantity(.stepCount, 100, .count(), "2025-11-10 10:00", "2025-11-10 10:10"),
            days.quantity(.stepCount, 300, .count(), "2025-11-10 20:00", "2025-11-10 20:10"),
            days.quantity(.stepCount, 50, .count(), "2025-11-12 10:00", "2025-11-12 10:10"),
            days.quantity(.heartRate, 60, beats, "2025-11-10 10:00"),
            days.quantity(.heartRate, 90, beats, "2025-11-10 11:00"),
            days.quantity(.heartRate, 120, beats, "2025-11-12 11:00"),
        ])
        let sums = try await reader.days(of: steps, in: days.interval("2025-11-10", "2025-11-13"), unit: .count())
        #expect(sums.isCumulative && sums.days.map(\.value) == [400, nil, 50])
        #expect(sums.days.map(\.date) == ["2025-11-10", "2025-11-11", "2025-11-12"].map(days.date))
        let figures = sums.figures
        #expect(figures.dayCount == 3 && figures.daysWithData == 2)
        #expect(figures.total == 450 && figures.average == 225)
        #expect(figures.minimum == 50 && figures.maximum == 400)
        let rates = try await reader.days(of: heart, in: days.interval("2025-11-10", "2025-11-13"))
        #expect(rates.unit == beats)
        #expect(rates.days.map(\.value) == [75, nil, 120])
        #expect(rates.figures.total == nil && rates.figures.average == 90)
        #expect(rates.figures.minimum == 60 && rates.figures.maximum == 120)
        let none = try await reader.figures(of: steps, in: days.interval("2020-01-01", "2020-02-01"), unit: .count())
        #expect(none.dayCount == 31 && none.daysWithData == 0 && none.average == nil && none.total == nil)
        #expect(none.standardDeviation == nil && none.minimum == nil)
    }

    @Test("The latest value is that of the sample that ends last, however early it began")
    func latest() async throws {
        try health.plant([
            days.quantity(.heartRate, 60, beats, "2025-11-10 10:00"),
            days.quantity(.heartRate, 70, beats, "2025-11-10 09:00", "2025-11-10 11:00"),
            days.quantity(.heartRate, 80, beats, "2025-11-10 10:30"),
            days.quantity(.heartRate, 90, beats, "2025-11-20 10:00"),
        ])
        let values = try await reader.recentValues(of: heart, asOf: days.date("2025-11-11"), unit: beats)
        #expect(values?.latest.value == 70)
        try health.plant([days.quantity(.heartRate, 75, beats, "2025-11-10 12:00")])
        #expect(
            try await reader.recentValues(of: heart, asOf: days.date("2025-11-11"), unit: beats)?.latest.value == 75)
        #expect(try await reader.recentValues(of: heart, asOf: days.date("2025-11-01"), unit: beats) == nil)
    }

    @Test("The average of a discrete type is that of the samples, and that of a cumulative type is of whole days")
    func averages() async throws {
        let weight = HKQuantityType(.bodyMass)
        let kilograms = HKUnit.gramUnit(with: .kilo)
        try health.plant(
            [(70, "2025-11-10 08:00"), (72, "2025-11-10 20:00"), (80, "2025-11-12 08:00")].map {
                days.quantity(.bodyMass, $0, kilograms, $1)
            })
        try health.plant(
            [(1_000, "2025-11-10 08:00"), (3_000, "2025-11-11 08:00"), (10, "2025-11-12 08:00")].map {
                days.quantity(.stepCount, $0, .count(), $1)
            })
        let interval = days.interval("2025-11-10", "2025-11-12 09:00")
        let mean = try #require(try await reader.figures(of: weight, in: interval, unit: kilograms).average)
        #expect(abs(mean - 74) < 1e-9)
        let walked = try await reader.figures(of: steps, in: interval, unit: .count())
        #expect(walked.total == 4_010 && walked.average == 2_000 && walked.daysWithData == 3)
        #expect(walked.minimum == 1_000 && walked.maximum == 3_000)
        let today = days.interval("2025-11-12", "2025-11-12 09:00")
        #expect(try await reader.figures(of: steps, in: today, unit: .count()).average == 10)
    }

    @Test("A sample that lasts for millennia says nothing about a day; a period of millennia is an error")
    func millennia() async throws {
        try health.plant([
            days.quantity(.stepCount, 1e9, .count(), "0100-01-01 10:00", "3900-01-01 10:00"),
            days.quantity(.heartRate, 300, beats, "0100-01-01 10:00", "3900-01-01 10:00"),
            days.quantity(.stepCount, 100, .count(), "2025-11-10 10:00", "2025-11-10 10:10"),
            days.quantity(.stepCount, 7, .count(), "0001-11-10 10:00", "0001-11-10 10:10"),
            days.quantity(.heartRate, 60, beats, "2025-11-10 10:00"),
        ])
        let sums = try await reader.days(of: steps, in: days.interval("2025-11-10", "2025-11-13"), unit: .count())
        #expect(sums.days.map(\.value) == [100, nil, nil])
        #expect(try await reader.figures(of: heart, in: days.interval("2025-11-10", "2025-11-13")).maximum == 60)
        let reference = try await reader.reference(of: steps, asOf: days.date("2025-11-16") + 43_200, unit: .count())
        #expect(reference.figures.daysWithData == 1 && reference.averageByNow == 100)
        let whole = days.interval("0001-01-01", "9999-01-01")
        let sleep = SleepReader(store: health.store, calendar: days.calendar)
        let history = WorkoutHistory(store: health.store, calendar: days.calendar)
        let errors = [
            await #expect(throws: HKError.self) { try await reader.days(of: steps, in: whole) },
            await #expect(throws: HKError.self) { try await reader.figures(of: steps, in: whole) },
            await #expect(throws: HKError.self) { try await sleep.days(in: whole) },
            await #expect(throws: HKError.self) { try await history.weeks(in: whole) },
        ]
        #expect(errors.allSatisfy { $0?.code == .errorInvalidArgument })
        #expect(try await sleep.nights(in: whole).isEmpty)
    }

    @Test("The first and the last day of an interval can be parts of a day")
    func parts() async throws {
        try health.plant(
            ["2025-11-10 08:00", "2025-11-10 12:00", "2025-11-11 12:00", "2025-11-12 08:00", "2025-11-12 20:00"].map {
                days.quantity(.stepCount, 100, .count(), $0)
            })
        // Half of a sample that reaches into the interval counts.
        try health.plant([days.quantity(.stepCount, 60, .count(), "2025-11-10 09:30", "2025-11-10 10:30")])
        let sums = try await reader.days(
            of: steps, in: days.interval("2025-11-10 10:00", "2025-11-12 09:30"), unit: .count())
        #expect(sums.days.map(\.value) == [130, 100, 100])
        let within = try await reader.days(
            of: steps, in: days.interval("2025-11-12 07:00", "2025-11-12 09:00"), unit: .count())
        #expect(within.days.map(\.value) == [100])
        let empty = try await reader.days(of: steps, in: days.interval("2025-11-12", "2025-11-12"), unit: .count())
        #expect(empty.days.isEmpty)
    }

    @Test(
        "Days have 23 and 25 hours when the clocks change",
        arguments: ["America/New_York", "Europe/Berlin", "America/Sao_Paulo"])
    func clocks(zone: String) async throws {
        let days = InsightsDays(zone)
        let interval =
            zone == "America/Sao_Paulo"
            ? days.interval("2018-10-25", "2018-11-10") : days.interval("2025-03-01", "2025-04-05")
        var samples: [HKQuantitySample] = []
        var hour = interval.start
        while hour < interval.end {
            samples.append(
                HKQuantitySample(
                    type: steps, quantity: HKQuantity(unit: .count(), doubleValue: 1), start: hour + 60, end: hour + 120
                ))
            hour += 3_600
        }
        try health.plant(samples)
        let found = try await TrendReader(store: health.store, calendar: days.calendar)
            .days(of: steps, in: interval, unit: .count()).days
        #expect(found.filter { $0.value == 23 }.count == 1)
        #expect(found.allSatisfy { $0.value == 24 || $0.value == 23 })
        #expect(found.reduce(0) { $0 + ($1.value ?? 0) } == Double(samples.count))
    }

    @Test("A trend compares the last week with the four weeks before, without today")
    func trend() async throws {
        try plant(recent(12_000, days: 7))
        try plant(baseline)
        try plant([(0, 50_000), (36, 50_000)])
        let trend = try await reader.trend(of: steps, asOf: days.date("2025-11-16 15:00"), unit: .count())
        #expect(trend.recent.average == 12_000 && trend.recent.daysWithData == 7)
        #expect(trend.baseline.average == 10_000 && trend.baseline.daysWithData == 28)
        #expect(trend.change == 2_000 && trend.relativeChange == 0.2)
        #expect(trend.direction == .higher)
        #expect(trend.days.count == 35 && trend.days.last?.date == days.date("2025-11-15"))
        let spread = try #require(trend.baseline.standardDeviation)
        #expect(abs(spread - 1_018.350154434631) < 1e-6)
        #expect(abs((trend.standardizedChange ?? 0) - 2_000 / spread) < 1e-9)
    }

    @Test(
        "A direction requires half a standard deviation and three days",
        arguments: [
            (12_000.0, 7, Trend.Direction.higher), (10_400, 7, .similar), (9_600, 7, .similar), (9_000, 7, .lower),
            (12_000, 3, .higher), (12_000, 2, .unknown), (12_000, 0, .unknown),
        ])
    func directions(value: Double, count: Int, direction: Trend.Direction) async throws {
        try plant(recent(value, days: count))
        try plant(baseline)
        #expect(try await reader.trend(of: steps, asOf: days.date("2025-11-16"), unit: .count()).direction == direction)
    }

    @Test("A baseline without variation is similar to itself, and without samples unknown")
    func constant() async throws {
        try plant(recent(0.1, days: 35))
        let same = try await reader.trend(of: steps, asOf: days.date("2025-11-16"), unit: .count())
        #expect(same.direction == .similar && same.standardizedChange == nil)
        let none = try await reader.trend(of: heart, asOf: days.date("2025-11-16"))
        #expect(none.direction == .unknown && none.change == nil && none.relativeChange == nil)
    }

    @Test("This week is compared with the last one at the same point")
    func weeks() async throws {
        // Sunday the 16th is the last day of a week. The last week has twice the steps, and more after this point.
        try plant((0...6).map { day in (daysAgo: day, value: 1_000) })
        try plant((7...13).map { day in (daysAgo: day, value: 2_000) })
        try health.plant([days.quantity(.stepCount, 500, .count(), "2025-11-09 20:00")])
        let week = try await reader.weekComparison(of: steps, asOf: days.date("2025-11-16 12:00"), unit: .count())
        #expect(week.current.interval == days.interval("2025-11-10", "2025-11-16 12:00"))
        #expect(week.previous.interval == days.interval("2025-11-03", "2025-11-09 12:00"))
        #expect(week.current.total == 7_000 && week.previous.total == 14_000 && week.previousWeek.total == 14_500)
        #expect(week.comparison.totalChange == -7_000 && week.comparison.relativeTotalChange == -0.5)
        let monday = try await reader.weekComparison(of: steps, asOf: days.date("2025-11-10 00:00"), unit: .count())
        #expect(monday.current.total == nil && monday.current.dayCount == 0)
        // The clocks changed on 2 November: the same point is at the same time of day.
        let early = try await reader.weekComparison(of: steps, asOf: days.date("2025-11-03 09:30"), unit: .count())
        #expect(early.previous.interval == days.interval("2025-10-27", "2025-10-27 09:30"))
    }

    @Test("Two periods are compared by their days, so that their lengths can differ")
    func periods() async throws {
        try plant([(1, 100), (2, 300), (20, 100), (21, 100), (22, 100), (23, 100)])
        let comparison = try await reader.comparison(
            of: steps, days.interval("2025-10-20", "2025-11-01"), with: days.interval("2025-11-10", "2025-11-16"),
            unit: .count())
        #expect(comparison.first.average == 100 && comparison.second.average == 200)
        #expect(comparison.change == 100 && comparison.relativeChange == 1)
        #expect(comparison.first.dayCount == 12 && comparison.second.dayCount == 6)
    }

    @Test("The reference of today has the average until this time of day")
    func reference() async throws {
        for ago in 1...4 {
            let day = days.calendar.date(byAdding: .day, value: -ago, to: days.date("2025-11-16"))!
            try health.plant([
                HKQuantitySample(
                    type: steps, quantity: HKQuantity(unit: .count(), doubleValue: 100), start: day + 8 * 3_600,
                    end: day + 8 * 3_600 + 60),
                HKQuantitySample(
                    type: steps, quantity: HKQuantity(unit: .count(), doubleValue: 90), start: day + 12 * 3_600,
                    end: day + 12 * 3_600 + 900),
                HKQuantitySample(
                    type: steps, quantity: HKQuantity(unit: .count(), doubleValue: 800), start: day + 20 * 3_600,
                    end: day + 20 * 3_600 + 60),
            ])
        }
        let reference = try await reader.reference(of: steps, asOf: days.date("2025-11-16 12:05"), unit: .count())
        #expect(reference.figures.dayCount == 28 && reference.figures.daysWithData == 4)
        #expect(reference.average == 990)
        #expect(abs((reference.averageByNow ?? 0) - 130) < 1e-9)
        #expect(
            try await reader.reference(of: steps, asOf: days.date("2025-11-16 07:00"), unit: .count()).averageByNow == 0
        )
        let rates = try await reader.reference(of: heart, asOf: days.date("2025-11-16 07:00"))
        #expect(rates.averageByNow == nil && rates.average == nil)
    }

    @Test("A failure is thrown wherever it occurs")
    func failures() async throws {
        try plant([(1, 100), (9, 100)])
        _ = try await reader.trend(of: steps, asOf: days.date("2025-11-16"))
        health.inject(nil)
        _ = try await reader.trend(of: steps, asOf: days.date("2025-11-16"))
        let reads = health.calls(at: .read)
        #expect(reads > 0)
        for read in 0..<reads {
            health.inject(Fault(at: .read, after: read))
            await #expect(throws: HKError.self) { try await reader.trend(of: steps, asOf: days.date("2025-11-16")) }
        }
    }
}
