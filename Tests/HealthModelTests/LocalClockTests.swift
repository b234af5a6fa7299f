import Foundation
import HealthModel
import Testing

@Suite struct LocalClockTests {
    private static let zones = [
        "Europe/Berlin", "America/New_York", "America/St_Johns", "Asia/Kathmandu", "Pacific/Apia",
        "Africa/Casablanca", "Australia/Lord_Howe", "America/Sao_Paulo", "GMT",
    ]

    /// The same text, according to Foundation's calendar.
    private static func calendarText(_ instant: Double, _ zone: TimeZone) -> String {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let date = Date(timeIntervalSinceReferenceDate: instant)
        let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: date)
        let offset = zone.secondsFromGMT(for: date)
        func two(_ number: Int) -> String { String(String(100 + number).dropFirst()) }
        let sign = offset < 0 ? "-" : "+"
        return "\(parts.year!)-\(two(parts.month!))-\(two(parts.day!))T\(two(parts.hour!)):\(two(parts.minute!)):"
            + "\(two(parts.second!))\(sign)\(two(abs(offset) / 3_600)):\(two(abs(offset) / 60 % 60))"
    }

    @Test(arguments: zones)
    func agreesWithTheCalendar(_ name: String) throws {
        let zone = try #require(TimeZone(identifier: name))
        let clock = LocalClock(timeZone: zone)
        var state: UInt64 = 7
        for _ in 0..<2_000 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            // From 1975 to 2035.
            let instant = Double(state >> 33).truncatingRemainder(dividingBy: 1.9e9) - 8.2e8
            let whole = instant.rounded(.down)
            #expect(clock.text(whole) == Self.calendarText(whole, zone), "\(name) \(whole)")
            #expect(clock.dayText(whole) == Self.calendarText(whole, zone).prefix(10))
            // The text parses to the same instant.
            #expect(clock.instant(of: clock.text(whole)) == whole)
            let wall = clock.wallSecond(at: whole)
            let back = clock.instant(ofWallSecond: wall)
            #expect(clock.wallSecond(at: Double(back)) == wall)
            #expect(Double(back) <= whole)
        }
    }

    @Test func clockChanges() throws {
        let clock = LocalClock(timeZone: try #require(TimeZone(identifier: "Europe/Berlin")))
        // 2:00 was skipped on 31 March 2024 and occurred twice on 27 October.
        #expect(clock.instant(of: "2024-03-31 02:30") == clock.instant(of: "2024-03-31T01:30:00Z"))
        #expect(clock.instant(of: "2024-10-27 02:30") == clock.instant(of: "2024-10-27T02:30:00+02:00"))
        let summer = CivilDate.dayNumber(year: 2024, month: 3, day: 31)
        #expect(clock.start(ofDay: summer + 1) - clock.start(ofDay: summer) == 23 * 3_600)
        let apia = LocalClock(timeZone: try #require(TimeZone(identifier: "Pacific/Apia")))
        // 30 December 2011 was skipped there.
        let day = CivilDate.dayNumber(year: 2011, month: 12, day: 30)
        #expect(apia.start(ofDay: day) == apia.start(ofDay: day + 1))
    }

    @Test func fractions() {
        let clock = LocalClock(timeZone: .gmt)
        #expect(clock.text(0) == "2001-01-01T00:00:00+00:00")
        #expect(clock.text(0.25) == "2001-01-01T00:00:00.250+00:00")
        #expect(clock.text(700_000_000.123) == "2023-03-08T20:26:40.123+00:00")
        #expect(clock.text(0.000_25) == "2001-01-01T00:00:00.000250+00:00")
        #expect(clock.text(0.999_999_9) == "2001-01-01T00:00:01+00:00")
        #expect(clock.text(-0.5) == "2000-12-31T23:59:59.500+00:00")
        #expect(clock.text(.infinity).hasPrefix("9999") || clock.text(.infinity).hasPrefix("9998"))
        #expect(clock.text(.nan).count == 25)
    }

    @Test func theFirstAndTheLastYearAreShownAsTheyAre() throws {
        let clock = LocalClock(timeZone: .gmt)
        for text in ["0001-01-01T00:00:00+00:00", "0001-12-31T12:30:00+00:00", "9999-12-31T23:59:59+00:00"] {
            #expect(clock.text(try #require(clock.instant(of: text))) == text)
        }
        #expect(
            clock.text(-1e300) == "0001-01-01T00:00:00+00:00" && clock.text(.infinity) == "9999-12-31T23:59:59+00:00")
        let first = try #require(clock.instant(of: "0001-01-01T00:00:00Z"))
        let last = try #require(clock.instant(of: "9999-12-31T23:59:59Z"))
        let newYork = LocalClock(timeZone: try #require(TimeZone(identifier: "America/New_York")))
        #expect(newYork.text(first).hasPrefix("0000-12-31T19:0"))
        #expect(newYork.instant(of: newYork.text(first)) == first)
        let tokyo = LocalClock(timeZone: try #require(TimeZone(identifier: "Asia/Tokyo")))
        #expect(tokyo.text(last) == "9999-12-31T23:59:59+00:00" && tokyo.dayText(last) == "9999-12-31")
    }

    @Test(arguments: [
        ("2024", 725_760_000.0), ("2024-02", 728_438_400), ("2024-02-29", 730_857_600),
        ("2024-02-29 01:00", 730_861_200), ("2024-02-29T01:00:30", 730_861_230),
        ("2024-02-29T01:00:30.5Z", 730_861_230.5),
        ("2024-02-29T01:00:30+0100", 730_857_630), ("2024-02-29 01:00:30 -01:00", 730_864_830),
    ])
    func reads(_ text: String, _ instant: Double) {
        #expect(LocalClock(timeZone: .gmt).instant(of: text) == instant)
    }

    @Test(arguments: [
        "", "24", "2024-", "2024-13", "2024-02-30", "2024-02-29T", "2024-02-29T25:00", "2024-02-29T01", "yesterday",
        "2024-02-29T01:00:30.", "2024-02-29T01:00:30+", "2024-02-29x", "2024-02-29Z",
    ])
    func refuses(_ text: String) {
        #expect(LocalClock(timeZone: .gmt).instant(of: text) == nil)
    }

    @Test func daysDecreaseWhereClocksAreSetBackAfterMidnight() throws {
        let newfoundland = LocalClock(timeZone: try #require(TimeZone(identifier: "America/St_Johns")))
        #expect(!newfoundland.daysAscend(from: 0, to: 3e8))
        #expect(newfoundland.daysAscend(from: 4e8, to: 8e8))
        for name in ["Europe/Berlin", "America/Sao_Paulo", "GMT"] {
            let clock = LocalClock(timeZone: try #require(TimeZone(identifier: name)))
            #expect(clock.daysAscend(from: -9e8, to: 9e8), "\(name)")
        }
    }
}
