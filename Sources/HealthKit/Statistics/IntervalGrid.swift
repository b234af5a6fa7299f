import Foundation

/// Consecutive intervals of calendar components, in both directions from an anchor.
///
/// Bound number k is the anchor plus k times the components, so the end of a month does not drift and the
/// bounds of days stay at the same time of day across daylight-saving changes. The anchor only fixes the phase.
struct IntervalGrid: Sendable {
    let anchor: Date
    let components: DateComponents
    let calendar: Calendar

    /// The approximate length of an interval in seconds.
    let approximateLength: Double
    /// The length of an interval that consists of days and weeks only; the bounds between daylight-saving
    /// changes are then found by addition.
    private let wholeDays: Double?
    /// The length in seconds of an interval that consists of hours, minutes, seconds and nanoseconds only.
    private let exactSeconds: Double?
    /// The instants, in seconds from 2001, beyond which all belong to the first or last interval.
    let reach: ClosedRange<Double>

    /// The range in which calendars compute reliably, in seconds from 2001: the years −1100 to 11500.
    private static let calendarReach = -1e11...3e11

    /// - Throws: ``Invalid`` for components without a positive duration, and for an anchor that is not a number
    ///   or too remote for the calendar.
    init(anchor: Date, components: DateComponents, calendar fallback: Calendar) throws(Invalid) {
        var calendar = components.calendar ?? fallback
        if let timeZone = components.timeZone {
            calendar.timeZone = timeZone
        }
        self.components = components
        self.calendar = calendar

        // As floating-point numbers, because sums of extreme components exceed the range of integers.
        func number(_ component: Int?) -> Double { Double(component ?? 0) }
        let weeks = number(components.weekOfYear) + number(components.weekOfMonth)
        let days = number(components.day) + 7 * weeks
        let seconds =
            number(components.hour) * 3600 + number(components.minute) * 60
            + number(components.second) + number(components.nanosecond) / 1e9
        let years = number(components.year) + number(components.yearForWeekOfYear)
        let months = number(components.month) + 3 * number(components.quarter) + 12 * years
        approximateLength = months * 2_629_746 + days * 86_400 + seconds
        wholeDays = months == 0 && seconds == 0 ? days : nil
        exactSeconds = months == 0 && days == 0 ? seconds : nil
        guard approximateLength > 0 else {
            throw Invalid(reason: "intervalComponents must have a positive duration")
        }
        // Numbers of intervals are integers.
        let limit = approximateLength * 0x1p60
        reach = (exactSeconds == nil ? Self.calendarReach : -1e12...1e12).clamped(to: -limit...limit)
        let instant = anchor.timeIntervalSinceReferenceDate
        if let exactSeconds, instant.isFinite {
            // Of all bounds the one nearest to 2001: exact, and safe for an anchor however remote.
            self.anchor = Date(timeIntervalSinceReferenceDate: instant.truncatingRemainder(dividingBy: exactSeconds))
        } else if Self.calendarReach.contains(instant) {
            self.anchor = anchor
        } else {
            throw Invalid(reason: "anchorDate must be between Date.distantPast and Date.distantFuture")
        }
    }

    /// The reason why a grid cannot be made.
    struct Invalid: Error, CustomStringConvertible {
        let reason: String

        var description: String { reason }
    }

    /// Returns bound number `index`, in seconds since 2001.
    func bound(_ index: Int) -> Double {
        let approximation = anchor.timeIntervalSinceReferenceDate + Double(index) * approximateLength
        if exactSeconds != nil || !Self.calendarReach.contains(approximation) { return approximation }
        func scaled(_ component: Int?) -> Int? {
            component.map { $0.multipliedReportingOverflow(by: index).partialValue }
        }
        var offset = DateComponents()
        offset.year = scaled(components.year)
        offset.yearForWeekOfYear = scaled(components.yearForWeekOfYear)
        // Foundation on Linux does not add quarters.
        if components.month != nil || components.quarter != nil {
            offset.month = scaled((components.month ?? 0) + 3 * (components.quarter ?? 0))
        }
        if components.weekOfYear != nil || components.weekOfMonth != nil {
            offset.weekOfYear = scaled((components.weekOfYear ?? 0) + (components.weekOfMonth ?? 0))
        }
        offset.day = scaled(components.day)
        offset.hour = scaled(components.hour)
        offset.minute = scaled(components.minute)
        offset.second = scaled(components.second)
        offset.nanosecond = scaled(components.nanosecond)
        return calendar.date(byAdding: offset, to: anchor)?.timeIntervalSinceReferenceDate ?? approximation
    }

    /// Returns the number of the interval that contains an instant: that of the last bound at or before it.
    func index(of instant: Double) -> Int {
        let instant = instant.isNaN ? 0 : min(max(instant, reach.lowerBound), reach.upperBound)
        let distance = instant - anchor.timeIntervalSinceReferenceDate
        var index = Int((distance / approximateLength).rounded(.down))
        while bound(index) > instant { index -= 1 }
        while bound(index + 1) <= instant { index += 1 }
        return index
    }

    /// Returns the bounds of the interval that contains an instant.
    func interval(containing instant: Double) -> (start: Double, end: Double) {
        let index = index(of: instant)
        return (bound(index), bound(index + 1))
    }

    /// Returns ascending bounds that cover several ascending, disjoint ranges, without those in the gaps between
    /// them; `nil` if a range is beyond the reach of the grid.
    func bounds(covering ranges: [ClosedRange<Double>]) -> [Double]? {
        var bounds: [Double] = []
        var last: Int?
        for range in ranges {
            guard reach.contains(range.lowerBound), reach.contains(range.upperBound) else { return nil }
            let first = index(of: range.lowerBound)
            let end = index(of: range.upperBound) + 1
            if let last, first <= last {
                // The range starts in the interval in which the previous one ends, or right after it.
                guard end > last else { continue }
                bounds += self.bounds(last...end).dropFirst()
            } else {
                bounds += self.bounds(first...end)
            }
            last = end
        }
        return bounds
    }

    /// Calls `body` with the bounds of each interval from the one that contains `first` to the one that contains
    /// `last`, until it returns `false`.
    func forEachInterval(
        from first: Double, through last: Double, _ body: (_ start: Double, _ end: Double) -> Bool
    ) {
        var next = index(of: first)
        let end = index(of: last) + 1
        // In portions, because the intervals between remote dates do not fit into memory.
        while next < end {
            let portion = bounds(next...min(next + 1024, end))
            for (start, end) in zip(portion, portion.dropFirst()) {
                guard body(start, end) else { return }
            }
            next += portion.count - 1
        }
    }

    /// Returns the bounds with these numbers, of which there must be at least two.
    private func bounds(_ indices: ClosedRange<Int>) -> [Double] {
        var bounds: [Double] = []
        bounds.reserveCapacity(indices.count)
        let start = bound(indices.lowerBound)
        bounds.append(start)
        guard let wholeDays else {
            for index in indices.dropFirst() {
                bounds.append(bound(index))
            }
            return bounds
        }
        let last = (index: indices.upperBound, instant: bound(indices.upperBound))
        fill(&bounds, from: (indices.lowerBound, start), to: last, length: wholeDays * 86_400)
        return bounds
    }

    /// Appends the bounds after `low` up to and including `high`.
    ///
    /// Asking the calendar for every day of ten years takes longer than computing the statistics. If two bounds
    /// at most two weeks apart are as far apart as their days, no clock was changed between them (no zone has
    /// changed its clocks back and forth within two weeks), and addition gives the bounds between them.
    private func fill(
        _ bounds: inout [Double], from low: (index: Int, instant: Double),
        to high: (index: Int, instant: Double), length: Double
    ) {
        let steps = high.index - low.index
        guard steps > 1 else {
            bounds.append(high.instant)
            return
        }
        let span = Double(steps) * length
        if span <= 14 * 86_400, high.instant - low.instant == span {
            for step in 1..<steps {
                bounds.append(low.instant + Double(step) * length)
            }
            bounds.append(high.instant)
            return
        }
        let middle = low.index + steps / 2
        let between = (index: middle, instant: bound(middle))
        fill(&bounds, from: low, to: between, length: length)
        fill(&bounds, from: between, to: high, length: length)
    }
}
