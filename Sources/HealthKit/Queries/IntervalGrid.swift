import Foundation

/// The time line cut into intervals of calendar components, in both directions from an anchor.
///
/// Bound number k is the anchor plus k times the components, so a month's end does not drift and a day's
/// bounds stay at the same time of day across daylight-saving changes. The anchor only fixes the phase.
struct IntervalGrid: Sendable {
    let anchor: Date
    let components: DateComponents
    let calendar: Calendar

    /// What the components come to, to guess bounds by.
    private let approximateLength: Double
    /// Whole days in an interval that is nothing but days and weeks; bounds between daylight-saving
    /// changes are then found by addition.
    private let wholeDays: Int?
    /// Seconds in an interval that is nothing but hours, minutes, seconds and fractions.
    private let exactSeconds: Double?

    /// - Throws: ``Invalid`` when the components come to nothing or run backwards.
    init(anchor: Date, components: DateComponents, calendar fallback: Calendar) throws(Invalid) {
        var calendar = components.calendar ?? fallback
        if let timeZone = components.timeZone {
            calendar.timeZone = timeZone
        }
        self.anchor = anchor
        self.components = components
        self.calendar = calendar

        let weeks = (components.weekOfYear ?? 0) + (components.weekOfMonth ?? 0)
        let days = (components.day ?? 0) + 7 * weeks
        let seconds =
            Double(components.hour ?? 0) * 3600 + Double(components.minute ?? 0) * 60
            + Double(components.second ?? 0) + Double(components.nanosecond ?? 0) / 1e9
        let years = (components.year ?? 0) + (components.yearForWeekOfYear ?? 0)
        let months = (components.month ?? 0) + 3 * (components.quarter ?? 0) + 12 * years
        approximateLength = Double(months) * 2_629_746 + Double(days) * 86_400 + seconds
        wholeDays = months == 0 && seconds == 0 ? days : nil
        exactSeconds = months == 0 && days == 0 ? seconds : nil
        guard approximateLength > 0 else { throw Invalid() }
    }

    /// Components that make no interval.
    struct Invalid: Error, CustomStringConvertible {
        var description: String { "intervalComponents must have a positive duration" }
    }

    /// Bound number `index`, in seconds since 2001.
    func bound(_ index: Int) -> Double {
        if let exactSeconds {
            return anchor.timeIntervalSinceReferenceDate + Double(index) * exactSeconds
        }
        var scaled = DateComponents()
        scaled.year = components.year.map { $0 * index }
        scaled.yearForWeekOfYear = components.yearForWeekOfYear.map { $0 * index }
        // Foundation on Linux adds no quarters.
        if components.month != nil || components.quarter != nil {
            scaled.month = ((components.month ?? 0) + 3 * (components.quarter ?? 0)) * index
        }
        if components.weekOfYear != nil || components.weekOfMonth != nil {
            scaled.weekOfYear = ((components.weekOfYear ?? 0) + (components.weekOfMonth ?? 0)) * index
        }
        scaled.day = components.day.map { $0 * index }
        scaled.hour = components.hour.map { $0 * index }
        scaled.minute = components.minute.map { $0 * index }
        scaled.second = components.second.map { $0 * index }
        scaled.nanosecond = components.nanosecond.map { $0 * index }
        let date = calendar.date(byAdding: scaled, to: anchor)
        return (date ?? anchor.addingTimeInterval(Double(index) * approximateLength))
            .timeIntervalSinceReferenceDate
    }

    /// The number of the interval that contains an instant: the last bound at or before it.
    func index(of instant: Double) -> Int {
        let distance = instant - anchor.timeIntervalSinceReferenceDate
        var index = Int((distance / approximateLength).rounded(.down))
        while bound(index) > instant { index -= 1 }
        while bound(index + 1) <= instant { index += 1 }
        return index
    }

    /// The bounds of the interval that contains an instant.
    func interval(containing instant: Double) -> (start: Double, end: Double) {
        let index = index(of: instant)
        return (bound(index), bound(index + 1))
    }

    /// Ascending bounds from the interval that contains the range's lower bound through the end of the
    /// one that contains its upper bound.
    func bounds(covering range: ClosedRange<Double>) -> [Double] {
        let first = index(of: range.lowerBound)
        let last = index(of: range.upperBound) + 1
        var bounds: [Double] = []
        bounds.reserveCapacity(last - first + 1)
        let start = bound(first)
        bounds.append(start)
        guard let wholeDays else {
            for index in first + 1...last {
                bounds.append(bound(index))
            }
            return bounds
        }
        fill(&bounds, from: (first, start), to: (last, bound(last)), length: Double(wholeDays) * 86_400)
        return bounds
    }

    /// Appends the bounds after `low` up to and including `high`.
    ///
    /// Asking the calendar for every day of ten years takes longer than summing them. Where two bounds
    /// within two weeks of each other are as far apart as their days, no clock was changed between them
    /// (no zone has changed its clocks there and back within two weeks), and addition gives the rest.
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
