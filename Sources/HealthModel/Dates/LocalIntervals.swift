package import Foundation

/// Consecutive intervals of one length, in both directions from an anchor, computed without a `Calendar`.
///
/// Intervals of days, weeks, months and years begin at the anchor's time of day, also when the clock changes; those of
/// hours and minutes have the same number of seconds.
package struct LocalIntervals: Hashable, Sendable {
    /// A length.
    package enum Length: Hashable, Sendable {
        /// A number of seconds.
        case seconds(Int)
        /// A number of days, which have 23 to 25 hours.
        case days(Int)
        /// A number of months.
        case months(Int)
    }

    /// The dates whose intervals are computed.
    package enum Reach: Hashable, Sendable {
        /// The years 1 to 9999, which texts have, without their first and last two days, which not every time zone has.
        /// Instants before and after belong to the first and last interval.
        case writtenDates
        /// The years -1100 to 11500, in which time zones are reliable.
        case remoteDates

        /// The first instant, in seconds since 2001.
        package var earliest: Double {
            self == .writtenDates ? 86_400 * Double(CivilDate.dayNumber(year: 1, month: 1, day: 3)) : -1e11
        }

        /// The last instant, in seconds since 2001.
        package var latest: Double {
            self == .writtenDates ? 86_400 * Double(CivilDate.dayNumber(year: 9_999, month: 12, day: 30)) : 3e11
        }
    }

    /// The length of an interval.
    package let length: Length
    /// The dates whose intervals are computed.
    package let reach: Reach
    /// An instant at which an interval begins, in seconds since 2001.
    package let anchor: Double
    /// The time zone whose days, months and years the intervals consist of.
    package let timeZone: TimeZone

    /// Creates intervals.
    ///
    /// - Parameters:
    ///   - length: Their length, at least 1.
    ///   - anchor: An instant at which one begins, in seconds since 2001; `nil` for the beginning of 2001, a Monday, in
    ///     the time zone.
    ///   - timeZone: The time zone of their days, months and years; `nil` for UTC.
    ///   - reach: The dates whose intervals are computed.
    package init(_ length: Length, anchor: Double? = nil, timeZone: TimeZone?, reach: Reach = .writtenDates) {
        self.length = length
        self.reach = reach
        let timeZone = timeZone ?? .gmt
        self.timeZone = timeZone
        self.anchor = anchor ?? Double(LocalClock(timeZone: timeZone).start(ofDay: 0))
    }

    /// The approximate length in seconds.
    package var approximateLength: Double {
        switch length {
        case .seconds(let count): Double(count)
        case .days(let count): Double(count) * 86_400
        case .months(let count): Double(count) * 2_629_746
        }
    }

    /// Returns ascending bounds that cover ascending stretches of time: one at or before the start of each, one after
    /// its end; `nil` for more than `maximumCount` intervals.
    package func bounds(covering stretches: [ClosedRange<Double>], maximumCount: Int) -> [Double]? {
        let clock = BoundsClock(self)
        var bounds: [Double] = []
        for stretch in stretches {
            guard clock.append(from: stretch.lowerBound, through: stretch.upperBound, to: &bounds, maximumCount) else {
                return nil
            }
        }
        return bounds
    }

    /// Returns ascending bounds that cover a stretch of time, as ``bounds(covering:maximumCount:)`` does.
    package func bounds(from first: Double, through last: Double, maximumCount: Int) -> [Double]? {
        var bounds: [Double] = []
        return BoundsClock(self).append(from: first, through: last, to: &bounds, maximumCount) ? bounds : nil
    }
}

/// The clock that bounds are computed with.
private struct BoundsClock {
    let length: LocalIntervals.Length
    let reach: LocalIntervals.Reach
    let approximateLength: Double
    let anchor: Double
    /// The anchor's date, and its time of day in seconds.
    let anchorDay: Int
    let anchorTime: Int
    let fraction: Double
    let clock: LocalClock

    init(_ intervals: LocalIntervals) {
        length = intervals.length
        reach = intervals.reach
        approximateLength = intervals.approximateLength
        anchor = intervals.anchor
        clock = LocalClock(timeZone: intervals.timeZone)
        let whole = anchor.rounded(.down)
        fraction = anchor - whole
        anchorDay = clock.dayNumber(at: whole)
        anchorTime = clock.wallSecond(at: whole) - anchorDay * 86_400
    }

    func append(from start: Double, through end: Double, to bounds: inout [Double], _ maximumCount: Int) -> Bool {
        var index = index(of: start)
        let last = self.index(of: end) + 1
        guard bounds.count + last - index < maximumCount else { return false }
        while index <= last {
            let bound = bound(index)
            if bounds.last.map({ $0 < bound }) ?? true { bounds.append(bound) }
            index += 1
        }
        return true
    }

    func bound(_ index: Int) -> Double {
        switch length {
        case .seconds(let count): return anchor + Double(index * count)
        case .days(let count): return instant(day: anchorDay + index * count)
        case .months(let count):
            let date = CivilDate.date(dayNumber: anchorDay)
            let months = date.year * 12 + date.month - 1 + index * count
            let (year, month) = (months >= 0 ? months / 12 : (months - 11) / 12, ((months % 12) + 12) % 12 + 1)
            var day = date.day
            while day > 28, !CivilDate.isValid(year: min(max(year, 1), 9_999), month: month, day: day) { day -= 1 }
            return instant(day: CivilDate.dayNumber(year: year, month: month, day: day))
        }
    }

    private func instant(day: Int) -> Double {
        Double(clock.instant(ofWallSecond: day * 86_400 + anchorTime)) + fraction
    }

    /// The number of the interval that contains an instant.
    func index(of instant: Double) -> Int {
        let instant = min(max(instant, reach.earliest), reach.latest)
        var index = Int(((instant - anchor) / approximateLength).rounded(.down))
        while bound(index) > instant { index -= 1 }
        while bound(index + 1) <= instant { index += 1 }
        return index
    }
}
