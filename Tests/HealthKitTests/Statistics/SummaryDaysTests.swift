import Foundation
import HealthEngine
@testable import HealthKit
import HealthModel
import Testing

@Suite struct SummaryDaysTests {
    @Test(arguments: [
        ("Europe/Berlin", 2024, 3, 31, 23.0), ("Europe/Berlin", 2024, 10, 27, 25.0),
        // Midnight does not exist on the first day of summer time.
        ("America/Sao_Paulo", 2018, 11, 4, 23.0),
    ])
    func daysAreAsLongAsTheClockMakesThem(
        zone: String, year: Int, month: Int, day: Int, hours: Double
    ) throws {
        let calendar = FreshStore.calendar(zone)
        let days = SummaryDays(filter: .all, calendar: calendar)
        let noon = try #require(
            calendar.date(from: DateComponents(year: year, month: month, day: day, hour: 12)))
        let instant = noon.timeIntervalSinceReferenceDate
        let found = days.days(covering: instant...instant)
        #expect(found.map(\.day) == [Profile.Day(year: year, month: month, day: day)])
        #expect(found.map { $0.end - $0.start } == [hours * 3600])
    }

    @Test func neighbouringDaysTouch() {
        let days = SummaryDays(filter: .all, calendar: FreshStore.calendar("America/New_York"))
            .days(covering: 700_000_000...760_000_000)
        #expect(days.count > 690)
        #expect(zip(days, days.dropFirst()).allSatisfy { $0.end == $1.start && $0.day < $1.day })
    }

    @Test func theFilterChoosesDays() {
        let filter = SampleFilter.and([
            .summaryDay(.greaterThanOrEqual, 20_230_310), .summaryDay(.lessThanOrEqual, 20_230_312),
            .not(.summaryDay(.equal, 20_230_311)),
        ])
        let days = SummaryDays(filter: filter, calendar: FreshStore.calendar())
            .days(covering: 700_000_000...701_000_000)
        #expect(days.map(\.day.number) == [20_230_310, 20_230_312])
        #expect(!SummaryDays.matches(.start(.equal, 0), 20_230_310))
        #expect(SummaryDays.matches(.or([.nothing, .all]), 20_230_310))
    }

    @Test func daysAreMadeWhereDataIs() throws {
        let days = SummaryDays(filter: .all, calendar: FreshStore.calendar())
        let day = 86_400.0
        let times = SummaryTimes(
            samples: [
                -6e10...(-6e10 + 60), 700_000_000...700_000_060, 700_000_100...(700_000_100 + 2 * day), 2.5e11...2.5e11,
            ],
            importedDays: [Profile.Day(year: 1, month: 6, day: 1), Profile.Day(year: 2023, month: 3, day: 9)])
        let found = try days.days(at: times)
        #expect(found.count == 6)
        #expect(zip(found, found.dropFirst()).allSatisfy { $0.start < $1.start })
        #expect(throws: HKError.self) { try days.days(at: SummaryTimes(samples: [-6e10...2.5e11])) }
    }

    @Test(arguments: [
        (SampleFilter.all, -Double.infinity, Double.infinity),
        (.summaryDay(.equal, 20_230_310), 700_099_200, 700_099_200),
        (
            .and([.summaryDay(.greaterThanOrEqual, 20_230_310), .summaryDay(.lessThan, 20_230_311)]), 700_099_200,
            700_185_600
        ),
        (.or([.summaryDay(.equal, 20_230_310), .summaryDay(.greaterThan, 20_230_311)]), 700_099_200, .infinity),
        (.not(.summaryDay(.equal, 20_230_310)), -.infinity, .infinity),
        (.summaryDay(.lessThan, 7), -.infinity, -.infinity),
    ])
    func theRangeOfAFilter(filter: SampleFilter, first: Double, last: Double) {
        let range = SummaryDays(filter: filter, calendar: FreshStore.calendar("Etc/GMT")).range
        #expect(
            range.map { $0.lowerBound <= first && $0.lowerBound >= first - 4 * 86_400 } ?? false || first == -.infinity)
        #expect(
            range.map { $0.upperBound >= last && $0.upperBound <= last + 4 * 86_400 } ?? false || last == -.infinity)
        let none = SampleFilter.and([.summaryDay(.equal, 20_230_310), .summaryDay(.equal, 20_230_311)])
        #expect(SummaryDays(filter: none, calendar: FreshStore.calendar()).range == nil)
    }
}
