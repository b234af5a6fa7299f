import Foundation
import HealthModel
import Testing

@Suite struct LocalIntervalsTests {
    private static func calendar(_ zone: TimeZone) -> Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        return calendar
    }

    @Test(arguments: ["Europe/Berlin", "America/New_York", "Asia/Kathmandu", "America/Sao_Paulo", "UTC"])
    func boundsAreThoseOfTheCalendar(_ name: String) throws {
        let zone = try #require(TimeZone(identifier: name))
        let calendar = Self.calendar(zone)
        let anchor = try #require(calendar.date(from: DateComponents(year: 2001, month: 1, day: 1)))
        let lengths: [(LocalIntervals.Length, (Int) -> DateComponents)] = [
            (.days(1), { DateComponents(day: $0) }), (.days(7), { DateComponents(day: 7 * $0) }),
            (.months(1), { DateComponents(month: $0) }), (.months(12), { DateComponents(year: $0) }),
        ]
        var state: UInt64 = 20_261_124
        for (length, components) in lengths {
            // UTC as no time zone at all, too.
            for given in name == "UTC" ? [zone, nil] : [zone] {
                let intervals = LocalIntervals(length, timeZone: given)
                #expect(intervals.anchor == anchor.timeIntervalSinceReferenceDate)
                for _ in 0..<60 {
                    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                    // From 1990 to 2040.
                    let start = Double(state >> 33) / Double(1 << 31) * 1.578e9 - 3.4e8
                    let bounds = try #require(
                        intervals.bounds(
                            from: start, through: start + 3 * intervals.approximateLength, maximumCount: 100))
                    #expect(
                        bounds
                            == intervals.bounds(
                                covering: [start...start + 3 * intervals.approximateLength], maximumCount: 100))
                    let first = try #require(bounds.first)
                    #expect(first <= start && bounds[1] > start)
                    #expect(try #require(bounds.last) > start + 3 * intervals.approximateLength)
                    let index = Int(((first - intervals.anchor) / intervals.approximateLength).rounded())
                    for (offset, bound) in bounds.enumerated() {
                        let expected = try #require(calendar.date(byAdding: components(index + offset), to: anchor))
                        #expect(bound == expected.timeIntervalSinceReferenceDate)
                    }
                }
            }
        }
    }

    /// There was no 30 December 2011 in Samoa. A `Calendar` counts the days that there were, and weeks begin a day
    /// later since.
    @Test func weeksBeginOnMondayAcrossTheDateLine() throws {
        let zone = try #require(TimeZone(identifier: "Pacific/Apia"))
        let bounds = try #require(
            LocalIntervals(.days(7), timeZone: zone).bounds(from: 345_000_000, through: 350_000_000, maximumCount: 20))
        let clock = LocalClock(timeZone: zone)
        #expect(bounds.count >= 8)
        for bound in bounds {
            #expect(clock.dayNumber(at: bound) % 7 == 0)
            #expect(clock.wallSecond(at: bound) % 86_400 == 0)
        }
    }

    @Test func hoursHaveTheSameNumberOfSeconds() throws {
        let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
        let intervals = LocalIntervals(.seconds(3_600), timeZone: zone)
        // The night of 30 March 2025, in which the clock was set forward.
        let bounds = try #require(intervals.bounds(from: 764_980_000, through: 765_000_000, maximumCount: 10))
        #expect(bounds.count >= 6 && zone.secondsFromGMT(for: Date(timeIntervalSinceReferenceDate: bounds[0])) == 3_600)
        #expect(zone.secondsFromGMT(for: Date(timeIntervalSinceReferenceDate: bounds[5])) == 7_200)
        #expect(zip(bounds, bounds.dropFirst()).allSatisfy { $1 - $0 == 3_600 })
    }

    @Test func manyIntervalsAreRefused() {
        let intervals = LocalIntervals(.days(1), timeZone: nil)
        #expect(intervals.bounds(from: 0, through: 86_400 * 99 - 1, maximumCount: 101)?.count == 100)
        #expect(intervals.bounds(from: 0, through: 86_400 * 101, maximumCount: 100) == nil)
        #expect(intervals.bounds(covering: [0...1, 5e9...6e9], maximumCount: 1_000) == nil)
    }

    @Test func stretchesThatTouchShareTheirBound() {
        let intervals = LocalIntervals(.days(1), timeZone: nil)
        #expect(
            intervals.bounds(covering: [10...20, 30...86_400, 400_000...400_001], maximumCount: 100)
                == [0, 86_400, 172_800, 345_600, 432_000])
    }
}
