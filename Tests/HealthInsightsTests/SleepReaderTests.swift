import Foundation
import HealthInsights
import HealthKit
import HealthTesting
import Testing

@Suite("Nights of sleep")
struct SleepReaderTests {
    private let health = TestHealthStore()
    private let days = InsightsDays()

    private func nights(_ start: String, _ end: String, _ reader: SleepReader? = nil) async throws -> [SleepNight] {
        let reader = reader ?? SleepReader(store: health.store, calendar: days.calendar)
        return try await reader.nights(in: days.interval(start, end))
    }

    private func minutes(_ count: Double) -> TimeInterval { count * 60 }

    private func stages(_ period: SleepPeriod?) -> [String] {
        (period?.segments ?? []).map { "\($0.stage) \(Int($0.duration / 60)) \($0.source.name)" }
    }

    /// A night as a watch and a phone record it: in bed 22:45–7:00, asleep 23:00–6:50 with 20 minutes awake.
    private func plantNight() throws {
        try health.plant([days.sleepSample(.inBed, "2025-11-10 22:45", "2025-11-11 07:00")], from: .phone)
        try health.plant(
            [
                days.sleepSample(.asleepCore, "2025-11-10 23:00", "2025-11-11 01:00"),
                days.sleepSample(.asleepDeep, "2025-11-11 01:00", "2025-11-11 02:00"),
                days.sleepSample(.awake, "2025-11-11 02:00", "2025-11-11 02:20"),
                days.sleepSample(.asleepREM, "2025-11-11 02:20", "2025-11-11 04:20"),
                days.sleepSample(.asleepCore, "2025-11-11 04:20", "2025-11-11 06:50"),
            ], from: .watch)
    }

    @Test("A night has stages, efficiency, latency and awakenings, and belongs to the day of waking")
    func night() async throws {
        try plantNight()
        let night = try #require(try await nights("2025-11-01", "2025-12-01").first)
        #expect(night.day == DateComponents(year: 2025, month: 11, day: 11))
        #expect(night.date == days.date("2025-11-11"))
        let main = try #require(night.main)
        #expect(night.naps.isEmpty)
        #expect(main.start == days.date("2025-11-10 22:45") && main.end == days.date("2025-11-11 07:00"))
        #expect(main.isTimeInBedRecorded && main.hasStages)
        #expect(main.timeInBed == minutes(495))
        #expect(main.timeAsleep == minutes(450))
        #expect(abs((main.efficiency ?? 0) - 450.0 / 495) < 1e-12)
        #expect(main.latency == minutes(15))
        #expect(main.wakeAfterSleepOnset == minutes(20))
        #expect(main.awakenings == 1 && main.longAwakenings == 1)
        #expect(main.duration(of: .core) == minutes(270) && main.duration(of: .deep) == minutes(60))
        #expect(main.duration(of: .rem) == minutes(120) && main.duration(of: .awake) == minutes(20))
        #expect(main.sources.map(\.name) == ["iPhone", "Apple Watch"])
        #expect(
            stages(main) == [
                "inBed 15 iPhone", "core 120 Apple Watch", "deep 60 Apple Watch", "awake 20 Apple Watch",
                "rem 120 Apple Watch", "core 150 Apple Watch", "inBed 10 iPhone",
            ])
    }

    @Test("Only the asked days are returned, and a night is read as a whole")
    func range() async throws {
        try plantNight()
        for (start, end, count) in [
            ("2025-11-11", "2025-11-12", 1), ("2025-11-10", "2025-11-11", 0), ("2025-11-12", "2025-11-13", 0),
            ("2025-11-10 12:00", "2025-11-11 00:01", 1), ("2025-11-11 00:01", "2025-11-12", 0),
        ] {
            let found = try await nights(start, end)
            #expect(found.count == count, "\(start) – \(end)")
            if let night = found.first { #expect(night.timeAsleep == minutes(450)) }
        }
        let reader = SleepReader(store: health.store, calendar: days.calendar)
        #expect(try await reader.night(wakingOn: days.date("2025-11-11 15:00"))?.timeAsleep == minutes(450))
        #expect(try await reader.night(wakingOn: days.date("2025-11-10 15:00")) == nil)
    }

    @Test("Overlapping sources never count twice")
    func sources() async throws {
        try plantNight()
        try health.plant(
            [
                days.sleepSample(.asleepUnspecified, "2025-11-10 22:50", "2025-11-11 07:10"),
                days.sleepSample(.asleepUnspecified, "2025-11-11 00:00", "2025-11-11 06:00"),
            ], from: .tracker)
        let main = try #require(try await nights("2025-11-11", "2025-11-12").first?.main)
        // The tracker fills what the watch doesn't cover; awake remains awake.
        #expect(main.timeAsleep == minutes(450 + 10 + 20))
        #expect(main.duration(of: .awake) == minutes(20))
        #expect(main.timeInBed == minutes(505))
        let total = main.segments.reduce(0) { $0 + $1.duration }
        #expect(total == main.end.timeIntervalSince(main.start))
        for (one, next) in zip(main.segments, main.segments.dropFirst()) { #expect(one.end <= next.start) }
    }

    @Test("The person's order of sources precedes the default, and excluded sources don't count")
    func order() async throws {
        try plantNight()
        try health.plant([days.sleepSample(.asleepUnspecified, "2025-11-10 23:30", "2025-11-11 06:30")], from: .ring)
        let own = SleepReader(
            store: health.store, calendar: days.calendar, sourceOrder: [TestSource.ring.bundleIdentifier])
        let main = try #require(try await nights("2025-11-11", "2025-11-12", own).first?.main)
        #expect(main.duration(of: .asleep) == minutes(420))
        #expect(main.duration(of: .core) == minutes(50))
        #expect(main.duration(of: .awake) == 0)
        let without = SleepReader(
            store: health.store, calendar: days.calendar, excludedSources: [TestSource.watch.bundleIdentifier])
        #expect(try await nights("2025-11-11", "2025-11-12", without).first?.main?.hasStages == false)
        // Samples entered by hand precede everything.
        try health.plant(
            [days.sleepSample(.asleepUnspecified, "2025-11-10 23:00", "2025-11-11 07:00", byHand: true)],
            from: .healthApplication)
        #expect(try await nights("2025-11-11", "2025-11-12").first?.timeAsleep == minutes(480))
    }

    @Test("Data from before iOS 16: in bed only, and asleep with gaps")
    func old() async throws {
        try health.plant([days.sleepSample(.inBed, "2019-03-01 22:30", "2019-03-02 06:30")], from: .phone)
        try health.plant(
            [
                days.sleepSample(.asleepUnspecified, "2019-03-02 23:00", "2019-03-03 02:00"),
                days.sleepSample(.asleepUnspecified, "2019-03-03 02:04", "2019-03-03 04:00"),
                days.sleepSample(.asleepUnspecified, "2019-03-03 04:30", "2019-03-03 07:00"),
            ], from: .tracker)
        let found = try await nights("2019-03-01", "2019-03-10")
        #expect(found.map(\.day.day) == [2, 3])
        let inBed = try #require(found[0].main)
        #expect(
            inBed.timeAsleep == nil && inBed.efficiency == nil && inBed.latency == nil
                && inBed.wakeAfterSleepOnset == nil)
        #expect(inBed.timeInBed == minutes(8 * 60) && inBed.awakenings == 0)
        #expect(found[0].totalTimeAsleep == nil)
        let asleep = try #require(found[1].main)
        #expect(asleep.timeAsleep == minutes(180 + 116 + 150))
        #expect(asleep.timeInBed == minutes(8 * 60) && !asleep.isTimeInBedRecorded)
        // It is unknown when the person went to bed.
        #expect(asleep.latency == nil)
        #expect(asleep.wakeAfterSleepOnset == minutes(34))
        #expect(asleep.awakenings == 2 && asleep.longAwakenings == 1)
    }

    @Test("A tracker without awake samples says awake by a gap, which another source doesn't fill with sleep")
    func gaps() async throws {
        try health.plant(
            [
                days.sleepSample(.asleepUnspecified, "2025-11-10 23:00", "2025-11-11 02:00"),
                days.sleepSample(.asleepUnspecified, "2025-11-11 02:30", "2025-11-11 07:00"),
            ], from: .watch)
        try health.plant([days.sleepSample(.asleepUnspecified, "2025-11-10 23:00", "2025-11-11 07:00")], from: .tracker)
        let main = try #require(try await nights("2025-11-11", "2025-11-12").first?.main)
        #expect(main.timeAsleep == minutes(450))
        #expect(main.awakenings == 1)
    }

    @Test("Naps are apart from the main sleep, and short sleep at daytime alone is a nap")
    func naps() async throws {
        try plantNight()
        try health.plant(
            [
                days.sleepSample(.asleepCore, "2025-11-11 14:00", "2025-11-11 14:40"),
                days.sleepSample(.asleepCore, "2025-11-12 13:00", "2025-11-12 13:30"),
                // The day sleep of a shift worker.
                days.sleepSample(.asleepCore, "2025-11-13 08:30", "2025-11-13 14:30"),
            ], from: .watch)
        let found = try await nights("2025-11-11", "2025-11-14")
        #expect(found.map(\.day.day) == [11, 12, 13])
        #expect(found[0].naps.count == 1 && found[0].napTime == minutes(40))
        #expect(found[0].timeAsleep == minutes(450) && found[0].totalTimeAsleep == minutes(490))
        #expect(found[1].main == nil && found[1].timeAsleep == nil && found[1].totalTimeAsleep == minutes(30))
        #expect(found[1].date == days.date("2025-11-12"))
        #expect(found[2].main?.timeAsleep == minutes(6 * 60) && found[2].naps.isEmpty)
    }

    @Test("Getting up in the night doesn't end it, and an evening nap isn't part of it")
    func gettingUp() async throws {
        try health.plant(
            [
                days.sleepSample(.asleepCore, "2025-11-10 19:00", "2025-11-10 20:15"),
                days.sleepSample(.asleepCore, "2025-11-10 23:00", "2025-11-11 02:00"),
                days.sleepSample(.asleepCore, "2025-11-11 04:00", "2025-11-11 07:00"),
            ], from: .watch)
        let found = try await nights("2025-11-10", "2025-11-12")
        #expect(found.map(\.day.day) == [10, 11])
        #expect(found[0].main == nil && found[0].naps.count == 1)
        let main = try #require(found[1].main)
        #expect(
            main.timeAsleep == minutes(6 * 60) && main.awakenings == 1 && main.wakeAfterSleepOnset == minutes(2 * 60))
        // Who was up for two hours was not in bed.
        #expect(main.timeInBed == minutes(6 * 60))
    }

    @Test(
        "A night has an hour less or more when the clocks change",
        arguments: [("2025-03-09", 7.0), ("2025-11-02", 9.0)])
    func clocks(day: String, hours: Double) async throws {
        let evening = day == "2025-03-09" ? "2025-03-08" : "2025-11-01"
        try health.plant([days.sleepSample(.asleepCore, "\(evening) 23:00", "\(day) 07:00")], from: .watch)
        let night = try #require(try await nights(day, "2025-12-01").first)
        #expect(night.timeAsleep == hours * 3_600)
        #expect(night.date == days.date(day))
    }

    @Test("A night abroad belongs to the day on which the person woke there")
    func travel() async throws {
        let tokyo = InsightsDays("Asia/Tokyo")
        try health.plant(
            [tokyo.sleepSample(.asleepCore, "2025-11-12 23:30", "2025-11-13 06:30", zone: "Asia/Tokyo")], from: .watch)
        // In New York, it ended on the 12th at 16:30.
        let abroad = try #require(try await nights("2025-11-13", "2025-11-14").first)
        #expect(abroad.day == DateComponents(year: 2025, month: 11, day: 13))
        #expect(abroad.timeZone.identifier == "Asia/Tokyo" && abroad.main != nil)
        #expect(abroad.date == tokyo.date("2025-11-13"))
        #expect(try await nights("2025-11-12", "2025-11-13").isEmpty)
        let home = SleepReader(store: health.store, calendar: days.calendar, usesRecordedTimeZones: false)
        #expect(try await nights("2025-11-12", "2025-11-13", home).first?.day.day == 12)
    }

    @Test("Samples that can't be sleep are ignored")
    func odd() async throws {
        try plantNight()
        try health.plant(
            [
                // Awake all day, as some apps write, would join two nights.
                days.sleepSample(.awake, "2025-11-11 07:00", "2025-11-11 22:00"),
                days.sleepSample(.asleepCore, "2025-11-11 12:00", "2025-11-11 12:00"),
                days.sleepSample(.asleepCore, "2025-11-11 23:00", "2025-11-12 06:00"),
                days.sleepSample(.awake, "2025-11-13 12:00", "2025-11-13 12:30"),
            ], from: .watch)
        let found = try await nights("2025-11-11", "2025-11-15")
        #expect(found.map(\.day.day) == [11, 12])
        #expect(found.map { $0.timeAsleep ?? 0 } == [minutes(450), minutes(420)])
        #expect(found.allSatisfy { $0.naps.isEmpty })
    }

    @Test("The time asleep has a trend, with gaps")
    func trend() async throws {
        for day in 10...16 where day != 12 {
            try health.plant([
                days.sleepSample(.asleepCore, "2025-11-\(day - 1) 23:00", "2025-11-\(day) 0\(day == 16 ? 5 : 7):00")
            ])
        }
        let trend = try await SleepReader(store: health.store, calendar: days.calendar).trend(
            asOf: days.date("2025-11-16 12:00"), recentDays: 3, baselineDays: 4)
        #expect(trend.days.map(\.value) == [28_800, 28_800, nil, 28_800, 28_800, 28_800, 21_600])
        #expect(trend.days.map(\.date) == (10...16).map { days.date("2025-11-\($0)") })
        #expect(trend.direction == .lower && trend.unit == .second())
        #expect(trend.recent.daysWithData == 3 && trend.baseline.daysWithData == 3)
    }

    @Test("Without permission there are no nights; a failure is thrown")
    func failures() async throws {
        try plantNight()
        health.inject(Fault(at: .read, after: 0))
        await #expect(throws: HKError.self) { try await nights("2025-11-11", "2025-11-12") }
        health.inject(nil)
        health.deny(read: [HKCategoryType(.sleepAnalysis)])
        #expect(try await nights("2025-11-11", "2025-11-12").isEmpty)
    }

    @Test("Random samples of several sources: segments are in order, never overlap, and lie within the samples")
    func random() async throws {
        var random = SplitMix64(seed: 20_251_116)
        var count = 0
        for round in 0..<30 {
            let health = TestHealthStore()
            var covered = Set<Int>()
            for source in [TestSource.watch, .phone, .tracker, .ring].prefix(Int.random(in: 1...4, using: &random)) {
                var samples: [HKCategorySample] = []
                for _ in 0..<Int.random(in: 1...12, using: &random) {
                    let begin = Int.random(in: 0..<500, using: &random)
                    let end = begin + Int.random(in: 1...60, using: &random)
                    let value = HKCategoryValueSleepAnalysis(rawValue: Int.random(in: 0...5, using: &random))!
                    if value == .awake, end - begin >= 180 { continue }
                    covered.formUnion(begin..<end)
                    samples.append(
                        HKCategorySample(
                            type: HKCategoryType(.sleepAnalysis), value: value.rawValue,
                            start: days.date("2025-11-10 22:00") + Double(begin) * 60,
                            end: days.date("2025-11-10 22:00") + Double(end) * 60))
                }
                try health.plant(samples, from: source)
            }
            let reader = SleepReader(store: health.store, calendar: days.calendar)
            let found = try await reader.nights(in: days.interval("2025-11-10", "2025-11-13"))
            let periods = found.flatMap { [$0.main].compactMap { $0 } + $0.naps }
            let segments = periods.flatMap(\.segments).sorted { $0.start < $1.start }
            for (one, next) in zip(segments, segments.dropFirst()) { #expect(one.end <= next.start, "round \(round)") }
            for segment in segments {
                let first = Int(segment.start.timeIntervalSince(days.date("2025-11-10 22:00")) / 60)
                let last = first + Int(segment.duration / 60)
                #expect(first < last && covered.isSuperset(of: first..<last), "round \(round)")
            }
            for period in periods {
                #expect(period.efficiency ?? 0 <= 1, "round \(round)")
                let known = SleepStage.allCases.reduce(0) { $0 + period.duration(of: $1) }
                #expect(abs(known - period.segments.reduce(0) { $0 + $1.duration }) < 1e-6, "round \(round)")
            }
            count += segments.count
        }
        #expect(count > 30)
    }
}
