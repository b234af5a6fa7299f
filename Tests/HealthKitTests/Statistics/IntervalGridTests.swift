import Foundation
@testable import HealthKit
import Testing

@Suite struct IntervalGridTests {
    private func calendar(_ zone: String) -> Calendar { FreshStore.calendar(zone) }

    private func date(_ text: String, _ zone: String) throws -> Date {
        let parts = text.split { "-T:".contains($0) }.compactMap { Int($0) }
        let components = DateComponents(
            year: parts[0], month: parts[1], day: parts[2], hour: parts.count > 3 ? parts[3] : 0,
            minute: parts.count > 4 ? parts[4] : 0)
        return try #require(calendar(zone).date(from: components))
    }

    private func texts(_ bounds: [Double], _ zone: String) -> [String] {
        bounds.map { instant in
            let parts = calendar(zone).dateComponents(
                [.year, .month, .day, .hour], from: Date(timeIntervalSinceReferenceDate: instant))
            return String(format: "%04d-%02d-%02dT%02d", parts.year!, parts.month!, parts.day!, parts.hour!)
        }
    }

    private func grid(_ anchor: String, _ components: DateComponents, _ zone: String) throws -> IntervalGrid {
        try IntervalGrid(anchor: date(anchor, zone), components: components, calendar: calendar(zone))
    }

    /// Days stay at midnight over both changes of the clock, seen from before and from after.
    @Test(arguments: [
        ("Europe/Berlin", "2024-03-30", "2024-03-31", 23.0), ("Europe/Berlin", "2024-10-26", "2024-10-27", 25.0),
        ("America/New_York", "2024-03-09", "2024-03-10", 23.0),
        ("America/New_York", "2024-11-02", "2024-11-03", 25.0),
    ])
    func daysFollowTheClock(zone: String, before: String, change: String, hours: Double) throws {
        for anchor in ["2020-01-01", "2030-07-01", "2024-06-15", change] {
            let grid = try grid(anchor, DateComponents(day: 1), zone)
            let start = try date(before, zone).timeIntervalSinceReferenceDate
            let changed = try date(change, zone).timeIntervalSinceReferenceDate
            let bounds = grid.bounds(covering: start...changed + 30 * 3600)
            #expect(bounds.count == 4)
            #expect(bounds[0] == start)
            #expect(bounds[1] == changed)
            #expect(bounds[2] - bounds[1] == hours * 3600)
            #expect(bounds[3] - bounds[2] == 86_400)
            #expect(texts(bounds, zone).allSatisfy { $0.hasSuffix("T00") })
        }
    }

    /// The quick way to find days agrees with the calendar, day by day, in zones with odd habits.
    @Test(arguments: [
        "Europe/Berlin", "America/New_York", "Africa/Casablanca", "Africa/Cairo", "Australia/Lord_Howe",
        "Pacific/Apia", "America/Sao_Paulo", "Asia/Tehran", "Asia/Kolkata", "Asia/Gaza", "UTC",
    ])
    func manyDaysAgreeWithTheCalendar(zone: String) throws {
        let grid = try grid("2009-06-01", DateComponents(day: 1), zone)
        let start = try date("2006-01-01", zone).timeIntervalSinceReferenceDate
        let end = try date("2027-01-01", zone).timeIntervalSinceReferenceDate
        let bounds = grid.bounds(covering: start...end)
        let first = grid.index(of: start)
        #expect(bounds == (0..<bounds.count).map { grid.bound(first + $0) })
        #expect(bounds.count > 7_600)
    }

    @Test func fortnightsAreSummedToo() throws {
        let grid = try grid("2024-01-01", DateComponents(day: 3, weekOfYear: 1), "Europe/Berlin")
        let start = try date("2024-01-01", "Europe/Berlin").timeIntervalSinceReferenceDate
        let bounds = grid.bounds(covering: start...start + 200 * 86_400)
        #expect(texts(bounds, "Europe/Berlin").prefix(3) == ["2024-01-01T00", "2024-01-11T00", "2024-01-21T00"])
        #expect(texts(bounds, "Europe/Berlin").allSatisfy { $0.hasSuffix("T00") })
    }

    @Test func hoursAreHoursWhateverTheClockSays() throws {
        let grid = try grid("2024-03-30", DateComponents(hour: 1), "Europe/Berlin")
        let start = try date("2024-03-31", "Europe/Berlin").timeIntervalSinceReferenceDate
        let bounds = grid.bounds(covering: start...start + 3 * 3600)
        #expect(texts(bounds, "Europe/Berlin").map { $0.suffix(2) } == ["00", "01", "03", "04", "05"])
        #expect(zip(bounds, bounds.dropFirst()).allSatisfy { $1 - $0 == 3600 })
    }

    @Test func aMonthsEndDoesNotDrift() throws {
        let grid = try grid("2023-01-31", DateComponents(month: 1), "UTC")
        let start = try date("2023-02-01", "UTC").timeIntervalSinceReferenceDate
        let bounds = grid.bounds(covering: start...start + 120 * 86_400)
        #expect(
            texts(bounds, "UTC").map { $0.prefix(10) } == [
                "2023-01-31", "2023-02-28", "2023-03-31", "2023-04-30", "2023-05-31", "2023-06-30",
            ])
    }

    @Test(arguments: [
        DateComponents(day: 1), DateComponents(weekOfYear: 1), DateComponents(month: 1),
        DateComponents(year: 1), DateComponents(hour: 6), DateComponents(minute: 15),
        DateComponents(day: 1, hour: 12), DateComponents(quarter: 1),
    ])
    func anyAnchorOfOnePhaseGivesOneGrid(components: DateComponents) throws {
        let near = try IntervalGrid(
            anchor: date("2024-01-01", "UTC"), components: components, calendar: calendar("UTC"))
        let instant = try date("2023-05-17T13:20", "UTC").timeIntervalSinceReferenceDate
        let interval = near.interval(containing: instant)
        #expect(interval.start <= instant && instant < interval.end)
        // A bound far off has the same phase.
        for step in [-400, 400] {
            let anchor = Date(timeIntervalSinceReferenceDate: near.bound(step))
            let far = try IntervalGrid(anchor: anchor, components: components, calendar: calendar("UTC"))
            #expect(far.interval(containing: instant) == interval)
        }
    }

    @Test func theDistantPastIsAnAnchor() throws {
        let grid = try IntervalGrid(
            anchor: .distantPast, components: DateComponents(day: 1), calendar: calendar("UTC"))
        let instant = try date("2024-05-17T13:20", "UTC").timeIntervalSinceReferenceDate
        let interval = grid.interval(containing: instant)
        #expect(texts([interval.start, interval.end], "UTC") == ["2024-05-17T00", "2024-05-18T00"])
    }

    /// Numbers of intervals that an integer cannot hold, dates beyond every calendar, and dates that are not numbers.
    @Test(arguments: [
        DateComponents(nanosecond: 1), DateComponents(second: 1), DateComponents(hour: 1), DateComponents(day: 1),
        DateComponents(month: 1), DateComponents(year: 1), DateComponents(day: .max / 2),
        DateComponents(hour: .max / 2),
        DateComponents(year: .max / 2, month: .max / 2), DateComponents(day: .max / 2, weekOfYear: .max / 2),
        DateComponents(day: 1, nanosecond: 1),
    ])
    func remoteDatesDoNotTrap(components: DateComponents) throws {
        let remote =
            [Date.distantPast, .distantFuture, FreshStore.epoch]
            + [-1e300, -1e15, 1e15, 1e300, -.infinity, .infinity, .nan]
            .map { Date(timeIntervalSinceReferenceDate: $0) }
        for anchor in remote {
            guard let grid = try? IntervalGrid(anchor: anchor, components: components, calendar: calendar("UTC")) else {
                #expect(
                    abs(anchor.timeIntervalSinceReferenceDate) > 1e11 || anchor.timeIntervalSinceReferenceDate.isNaN)
                continue
            }
            for date in remote {
                let instant = date.timeIntervalSinceReferenceDate
                let interval = grid.interval(containing: instant)
                #expect(interval.start <= interval.end)
                if grid.reach.contains(instant) {
                    #expect(interval.start <= instant && instant < interval.end)
                }
            }
        }
    }

    @Test(arguments: [
        DateComponents(day: 1), DateComponents(day: 7), DateComponents(month: 1), DateComponents(year: 1),
    ])
    func theYears1And9999HaveIntervals(components: DateComponents) throws {
        for zone in ["UTC", "Pacific/Kiritimati", "America/New_York"] {
            let grid = try grid("2001-01-01", components, zone)
            // From 0001-01-01 00:00:00 to 9999-12-31 23:59:59 UTC.
            let (first, last): (Double, Double) = (-63_113_904_000, 252_423_993_599)
            let ranges = [first...first, last...last]
            let bounds = try #require(grid.bounds(covering: ranges))
            #expect(bounds.count == 4)
            #expect(bounds[0] <= ranges[0].lowerBound && ranges[0].lowerBound < bounds[1])
            #expect(bounds[2] <= ranges[1].lowerBound && ranges[1].lowerBound < bounds[3])
        }
    }

    @Test func gapsBetweenRangesHaveNoBounds() throws {
        for components in [DateComponents(day: 1), DateComponents(hour: 24), DateComponents(month: 1)] {
            let grid = try grid("2024-01-01", components, "UTC")
            let remote = Date.distantPast.timeIntervalSinceReferenceDate
            let near = try date("2024-05-17T13:20", "UTC").timeIntervalSinceReferenceDate
            let week = 7 * 86_400.0
            let (past, present) = (remote...remote + week, near...near + week)
            #expect(
                grid.bounds(covering: [past, present]) == grid.bounds(covering: past) + grid.bounds(covering: present))
            // Ranges in one interval and in adjacent ones have no gap.
            let parts = [near...near + 10, near + 20...near + 30, near + 86_400...near + week]
            #expect(grid.bounds(covering: parts) == grid.bounds(covering: present))
            #expect(
                grid.bounds(covering: [near...near + 10, near + 20...near + 30])
                    == grid.bounds(covering: near...near + 30))
            #expect(grid.bounds(covering: [1e15...2e15]) == nil)
            #expect(grid.bounds(covering: []) == [])
        }
    }

    @Test func enumerationStopsOnRequest() throws {
        let grid = try grid("2024-01-01", DateComponents(hour: 1), "UTC")
        var count = 0
        grid.forEachInterval(
            from: Date.distantPast.timeIntervalSinceReferenceDate,
            through: Date.distantFuture.timeIntervalSinceReferenceDate
        ) { start, end in
            count += 1
            return end - start == 3600 && count < 3000
        }
        #expect(count == 3000)
        let start = try date("2024-01-01", "UTC").timeIntervalSinceReferenceDate
        for components in [DateComponents(hour: 1), DateComponents(day: 1)] {
            let grid = try self.grid("2024-01-01", components, "UTC")
            var bounds = [start]
            grid.forEachInterval(from: start, through: start + 3000 * grid.approximateLength) { first, last in
                #expect(first == bounds.last)
                bounds.append(last)
                return true
            }
            #expect(bounds == grid.bounds(covering: start...start + 3000 * grid.approximateLength))
        }
    }

    @Test func aBoundBeginsTheLaterInterval() throws {
        let grid = try grid("2024-01-01", DateComponents(day: 1), "UTC")
        let midnight = try date("2024-02-02", "UTC").timeIntervalSinceReferenceDate
        #expect(grid.interval(containing: midnight).start == midnight)
        #expect(grid.bounds(covering: midnight...midnight).count == 2)
    }

    @Test func theComponentsCalendarAndZoneCount() throws {
        var components = DateComponents(day: 1)
        components.calendar = calendar("Asia/Tokyo")
        let tokyo = try grid("2024-01-01", components, "UTC")
        #expect(tokyo.calendar.timeZone.identifier == "Asia/Tokyo")
        components.timeZone = TimeZone(identifier: "America/New_York")
        #expect(try grid("2024-01-01", components, "UTC").calendar.timeZone.identifier == "America/New_York")
    }

    @Test(arguments: [DateComponents(), DateComponents(day: 0), DateComponents(hour: -1)])
    func componentsWithoutAPositiveDurationAreInvalid(components: DateComponents) {
        #expect(throws: IntervalGrid.Invalid.self) {
            try IntervalGrid(anchor: FreshStore.epoch, components: components, calendar: calendar("UTC"))
        }
    }
}

extension IntervalGrid {
    fileprivate func bounds(covering range: ClosedRange<Double>) -> [Double] { bounds(covering: [range]) ?? [] }
}
