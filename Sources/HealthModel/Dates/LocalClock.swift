public import Foundation

/// What clocks on the wall show in one time zone, worked out without a calendar for every instant.
///
/// Instants are seconds since 2001-01-01 00:00:00 UTC. Offsets are asked of the zone once a week of time and
/// remembered, so that millions of instants cost a few hundred questions. Used on one thread at a time.
public final class LocalClock {
    /// The zone whose clocks are meant.
    public let timeZone: TimeZone

    /// One week with at most one change of the clocks in it.
    private struct Week {
        /// The first second with ``later``; beyond the week where nothing changes.
        var change: Int
        var earlier: Int
        var later: Int
    }

    private static let week = 7 * 86_400
    private var weeks: [Int: Week] = [:]
    private var lastNumber = Int.min
    private var last = Week(change: 0, earlier: 0, later: 0)

    /// A clock of this zone.
    public init(timeZone: TimeZone) {
        self.timeZone = timeZone
    }

    /// Seconds to add to an instant of Greenwich to get the wall's.
    public func offset(at second: Int) -> Int {
        let number = second >= 0 ? second / Self.week : (second + 1) / Self.week - 1
        if number != lastNumber {
            last = weeks[number] ?? learn(number)
            lastNumber = number
        }
        return second < last.change ? last.earlier : last.later
    }

    /// Seconds the wall's clock has gone since 2001-01-01 00:00:00 as it shows that; instants beyond the years
    /// 1 to 9999 are taken to those years' ends.
    public func wallSecond(at instant: Double) -> Int {
        let second = Self.wholeSecond(instant)
        return second + offset(at: second)
    }

    /// The day the wall shows, day 0 being 2001-01-01.
    public func dayNumber(at instant: Double) -> Int {
        let second = wallSecond(at: instant)
        return second >= 0 ? second / 86_400 : (second + 1) / 86_400 - 1
    }

    /// The instant at which the wall shows this time. A time that is shown twice is taken the first time; one
    /// that is never shown, as long after the change as it would have been without it.
    public func instant(ofWallSecond wall: Int) -> Int {
        let before = offset(at: wall - 86_400)
        let first = wall - before
        if offset(at: first) == before { return first }
        let after = offset(at: wall + 86_400)
        let second = wall - after
        return offset(at: second) == after ? second : first
    }

    /// The first instant of a day.
    public func start(ofDay number: Int) -> Int {
        instant(ofWallSecond: number * 86_400)
    }

    /// Whether the wall's day number never goes back as time goes on, between the first and the last of these
    /// instants. It does where clocks are put back just after midnight, as in Newfoundland until 2011.
    public func daysAscend(from first: Double, to last: Double) -> Bool {
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

    static func wholeSecond(_ instant: Double) -> Int {
        // Years 1 to 9999, a day kept free for offsets.
        Int(max(-63_113_817_600, min(252_423_907_200, instant.isNaN ? 0 : instant)).rounded(.down))
    }

    private func ask(_ second: Int) -> Int {
        timeZone.secondsFromGMT(for: Date(timeIntervalSinceReferenceDate: Double(second)))
    }

    private func learn(_ number: Int) -> Week {
        var low = number * Self.week
        var high = low + Self.week
        var week = Week(change: .max, earlier: ask(low), later: ask(high - 1))
        if week.earlier != week.later {
            while high - low > 1 {
                let middle = low + (high - low) / 2
                if ask(middle) == week.earlier { low = middle } else { high = middle }
            }
            week.change = high
        }
        weeks[number] = week
        return week
    }
}
