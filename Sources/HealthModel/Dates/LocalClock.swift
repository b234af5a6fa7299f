package import Foundation

/// Converts between instants and the local (wall-clock) time of one time zone without a `Calendar`.
///
/// Instants are seconds since 2001-01-01 00:00:00 UTC. The offsets of the zone are looked up once a week of time
/// and cached, so that converting millions of instants costs a few hundred look-ups. Use from one thread at a time.
package final class LocalClock {
    /// The time zone.
    package let timeZone: TimeZone

    /// The offsets of one week, with at most one change.
    private struct Week {
        /// The first second to which ``later`` applies; after the end of the week if there is no change.
        var change: Int
        var earlier: Int
        var later: Int
    }

    private static let week = 7 * 86_400
    private var weeks: [Int: Week] = [:]
    private var lastNumber = Int.min
    private var last = Week(change: 0, earlier: 0, later: 0)

    /// Creates a clock for a time zone.
    package init(timeZone: TimeZone) {
        self.timeZone = timeZone
    }

    /// The offset from UTC, in seconds, at an instant.
    package func offset(at second: Int) -> Int {
        let number = second >= 0 ? second / Self.week : (second + 1) / Self.week - 1
        if number != lastNumber {
            last = weeks[number] ?? loadWeek(number)
            lastNumber = number
        }
        return second < last.change ? last.earlier : last.later
    }

    /// The local time, in seconds since 2001-01-01 00:00:00 local time. Instants outside the years 1 to 9999 are
    /// clamped to that range.
    package func wallSecond(at instant: Double) -> Int {
        let second = Self.wholeSecond(instant)
        return min(second + offset(at: second), Self.lastSecond)
    }

    /// The local day, where day 0 is 2001-01-01.
    package func dayNumber(at instant: Double) -> Int {
        CivilDate.split(wallSecond(at: instant)).day
    }

    /// The instant of a local time. A time that occurs twice means its first occurrence; a time that is skipped
    /// is as long after the change as it would have been without the change.
    package func instant(ofWallSecond wall: Int) -> Int {
        let before = offset(at: wall - 86_400)
        let first = wall - before
        if offset(at: first) == before { return first }
        let after = offset(at: wall + 86_400)
        let second = wall - after
        return offset(at: second) == after ? second : first
    }

    /// The occurrence of a local time that follows another one, as of the rows of a table in order of time.
    ///
    /// A time that occurs twice, because clocks are set back, is the second occurrence if that is nearer to the time
    /// before, and within an hour of it. Of two that are as near, the order of the times decides.
    ///
    /// - Parameters:
    ///   - first: The instant of the first occurrence.
    ///   - isDescending: The times are in descending order.
    package func occurrence(of first: Double, after previous: Double?, isDescending: Bool = false) -> Double {
        let second = Self.wholeSecond(first)
        let difference = offset(at: second) - offset(at: second + 86_400)
        guard let previous, difference > 0, offset(at: second) - offset(at: second + difference) == difference
        else { return first }
        let later = first + Double(difference)
        let (distance, other) = (abs(later - previous), abs(first - previous))
        return distance <= 3_600 && (distance < other || distance == other && !isDescending) ? later : first
    }

    /// The first instant of a local day.
    package func start(ofDay number: Int) -> Int {
        instant(ofWallSecond: number * 86_400)
    }

    /// A Boolean value that indicates whether local day numbers never decrease between two instants. They do
    /// where clocks were set back just after midnight, as in Newfoundland until 2011.
    package func daysAscend(from first: Double, to last: Double) -> Bool {
        let (first, last) = (Self.wholeSecond(first), Self.wholeSecond(last))
        guard first < last else { return true }
        var second = first
        while second <= last + Self.week {
            _ = offset(at: second)
            let change = self.last.change
            if self.last.later < self.last.earlier, change > first, change <= last,
                dayNumber(at: Double(change)) < dayNumber(at: Double(change - 1))
            {
                return false
            }
            second += Self.week
        }
        return true
    }

    /// The first second of the year 1 and the last one of the year 9999.
    package static let firstSecond = -63_113_904_000
    package static let lastSecond = 252_423_993_599

    /// The whole second of an instant, within the years 1 to 9999.
    package static func wholeSecond(_ instant: Double) -> Int {
        Int(max(Double(firstSecond), min(Double(lastSecond), instant.isNaN ? 0 : instant)).rounded(.down))
    }

    private func zoneOffset(_ second: Int) -> Int {
        timeZone.secondsFromGMT(for: Date(timeIntervalSinceReferenceDate: Double(second)))
    }

    private func loadWeek(_ number: Int) -> Week {
        var low = number * Self.week
        var high = low + Self.week
        var week = Week(change: .max, earlier: zoneOffset(low), later: zoneOffset(high - 1))
        if week.earlier != week.later {
            while high - low > 1 {
                let middle = low + (high - low) / 2
                if zoneOffset(middle) == week.earlier { low = middle } else { high = middle }
            }
            week.change = high
        }
        weeks[number] = week
        return week
    }
}
