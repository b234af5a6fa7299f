import Foundation
import HealthInsights
import HealthKit
import HealthTesting
import Testing

@Suite("Times of category types")
struct CategoryTimeReaderTests {
    private let health = TestHealthStore()
    private let days = InsightsDays()

    private func sample(_ type: HKCategoryTypeIdentifier, _ value: Int, _ start: String, _ end: String? = nil)
        -> HKCategorySample
    {
        HKCategorySample(
            type: HKCategoryType(type), value: value, start: days.date(start), end: days.date(end ?? start))
    }

    private func times(
        _ type: HKCategoryTypeIdentifier, _ start: String? = nil, _ end: String? = nil,
        every: Calendar.Component? = nil,
        order: [String] = []
    ) async throws -> [CategoryTimes] {
        try await CategoryTimeReader(store: health.store, calendar: days.calendar, sourceOrder: order).times(
            of: HKCategoryType(type), from: start.map(days.date), to: end.map(days.date), every: every)
    }

    @Test("Intervals are made where samples are; a sample that lasts for millennia has too many of them")
    func millennia() async throws {
        try health.plant([
            sample(.mindfulSession, 0, "0001-11-10 12:00", "0001-11-10 12:10"),
            sample(.mindfulSession, 0, "3999-11-11 12:00", "3999-11-11 12:10"),
        ])
        #expect(try await times(.mindfulSession, every: .day).map(\.duration) == [600, 600])
        #expect(try await times(.mindfulSession, every: .hour).count == 2)
        try health.plant([sample(.mindfulSession, 0, "0100-11-10 12:00", "3900-11-10 12:00")])
        for component in [Calendar.Component.hour, .day] {
            let error = await #expect(throws: HKError.self) { try await times(.mindfulSession, every: component) }
            #expect(error?.code == .errorInvalidArgument)
        }
        #expect(try await times(.mindfulSession, every: .year).count > 3_700)
        #expect(
            try await times(.mindfulSession, "2025-11-10", "2025-11-11", every: .hour).map(\.duration)
                == Array(repeating: 3_600, count: 24))
        #expect(try await times(.mindfulSession).count == 1)
    }

    @Test("Time in each value is split at the bounds of intervals; a sample counts where it begins")
    func split() async throws {
        try health.plant([
            sample(.mindfulSession, 0, "2025-11-10 23:50", "2025-11-11 00:20"),
            sample(.mindfulSession, 0, "2025-11-11 12:00", "2025-11-11 12:10"),
        ])
        let found = try await times(.mindfulSession, every: .day)
        #expect(found.map(\.interval.start) == [days.date("2025-11-10"), days.date("2025-11-11")])
        #expect(found.map(\.duration) == [600, 1_800] && found.map(\.count) == [1, 1])
        let total = try #require(try await times(.mindfulSession).first)
        #expect(total.interval == days.interval("2025-11-10 23:50", "2025-11-11 12:10"))
        #expect(total.duration == 2_400 && total.count == 2)
        // A range cuts off what is outside of it.
        let part = try #require(try await times(.mindfulSession, "2025-11-11", "2025-11-12").first)
        #expect(part.interval == days.interval("2025-11-11", "2025-11-12") && part.duration == 1_800 && part.count == 1)
        #expect(try await times(.mindfulSession, "2020-01-01", "2021-01-01").isEmpty)
    }

    @Test("Events have counts by value and no time")
    func events() async throws {
        try health.plant([
            sample(.headache, 2, "2025-11-10 10:00"), sample(.headache, 3, "2025-11-10 12:00"),
            sample(.headache, 2, "2025-11-17 12:00"),
        ])
        let weeks = try await times(.headache, every: .weekOfYear)
        #expect(weeks.map { $0.values.map(\.value) } == [[2, 3], [2]])
        #expect(weeks.map(\.count) == [2, 1] && weeks.map(\.duration) == [0, 0])
        #expect(weeks[0].count(of: 2) == 1 && weeks[0].count(of: 4) == 0 && weeks[0].duration(of: 2) == 0)
        #expect(weeks[1].interval == days.interval("2025-11-17", "2025-11-24"))
    }

    @Test("Overlapping sources never count twice, and the better source applies")
    func sources() async throws {
        try health.plant([sample(.appleStandHour, 1, "2025-11-10 10:00", "2025-11-10 11:00")], from: .phone)
        try health.plant(
            [
                sample(.appleStandHour, 0, "2025-11-10 10:00", "2025-11-10 11:00"),
                sample(.appleStandHour, 0, "2025-11-10 11:00", "2025-11-10 12:00"),
            ], from: .watch)
        let day = try #require(try await times(.appleStandHour, every: .day).first)
        #expect(day.duration == 7_200)
        #expect(day.duration(of: 0) == 7_200 && day.duration(of: 1) == 0)
        let own = try #require(
            try await times(.appleStandHour, every: .day, order: [TestSource.phone.bundleIdentifier]).first)
        #expect(own.duration(of: 1) == 3_600 && own.duration(of: 0) == 3_600)
    }

    @Test("Hours follow the clock when it changes")
    func clocks() async throws {
        try health.plant([sample(.sleepAnalysis, 3, "2025-11-01 23:30", "2025-11-02 03:00")])
        let hours = try await times(.sleepAnalysis, every: .hour)
        #expect(hours.count == 5)
        #expect(hours.map(\.duration) == [1_800, 3_600, 3_600, 3_600, 3_600])
    }
}
