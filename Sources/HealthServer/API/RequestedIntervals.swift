import Foundation
import HealthEngine
import HealthModel

/// The length of the intervals of a statistics collection, and the bounds they have in a time zone.
///
/// Intervals of days, weeks, months and years begin at the anchor's time of day, also when the clock changes; those of
/// hours and minutes have the same number of seconds.
struct RequestedIntervals: Hashable, Sendable {
    /// A length.
    enum Length: Hashable, Sendable {
        case seconds(Int)
        case days(Int)
        case months(Int)
    }

    var length: Length
    /// The name or text of the length.
    var name: String
    /// An instant on which an interval begins, in seconds since 2001.
    var anchor: Double
    var timeZone: TimeZone

    /// Reads a length such as `day` or `15m`.
    ///
    /// - Throws: ``Problem`` `invalidParameter`.
    init(_ text: String, anchor: Double?, timeZone: TimeZone) throws {
        guard let length = Self.length(text) else {
            throw QueryParameters.problem(
                "interval", text, "is not an interval. Use hour, day, week, month, quarter, year, or a number with m, h, d or w.")
        }
        self.length = length
        self.timeZone = timeZone
        name = text
        // The first of January 2001 was a Monday.
        self.anchor = anchor ?? Double(LocalClock(timeZone: timeZone).start(ofDay: 0))
    }

    private static func length(_ text: String) -> Length? {
        switch text {
        case "minute": return .seconds(60)
        case "hour": return .seconds(3_600)
        case "day": return .days(1)
        case "week": return .days(7)
        case "month": return .months(1)
        case "quarter": return .months(3)
        case "year": return .months(12)
        default: break
        }
        guard let unit = text.last, let count = Int(text.dropLast()), (1...10_000).contains(count), text.first != "+" else {
            return nil
        }
        switch unit {
        case "m": return .seconds(60 * count)
        case "h": return .seconds(3_600 * count)
        case "d": return .days(count)
        case "w": return .days(7 * count)
        default: return nil
        }
    }

    /// The approximate length in seconds.
    var approximateLength: Double {
        switch length {
        case .seconds(let count): Double(count)
        case .days(let count): Double(count) * 86_400
        case .months(let count): Double(count) * 2_629_746
        }
    }

    /// The largest number of intervals in one answer.
    static let maximumCount = 200_000

    /// Ascending bounds that cover ascending stretches of time: one at or before the start of each, one after its end.
    func bounds(covering stretches: [ClosedRange<Double>]) throws -> [Double] {
        let clock = BoundsClock(self)
        var bounds: [Double] = []
        for stretch in stretches {
            let (first, last) = (clock.index(of: stretch.lowerBound), clock.index(of: stretch.upperBound) + 1)
            guard bounds.count + last - first < Self.maximumCount else {
                throw Problem(
                    .invalidParameter,
                    "interval: There would be more than \(Self.maximumCount) intervals. Use longer ones or a shorter range.")
            }
            for index in first...last {
                let bound = clock.bound(index)
                if bounds.last.map({ $0 < bound }) ?? true { bounds.append(bound) }
            }
        }
        return bounds
    }
}

/// Computes bounds without a `Calendar`.
private struct BoundsClock {
    let length: RequestedIntervals.Length
    let approximateLength: Double
    let anchor: Double
    /// The anchor's date, and its time of day in seconds.
    let anchorDay: Int
    let anchorTime: Int
    let fraction: Double
    let clock: LocalClock

    init(_ intervals: RequestedIntervals) {
        length = intervals.length
        approximateLength = intervals.approximateLength
        anchor = intervals.anchor
        clock = LocalClock(timeZone: intervals.timeZone)
        let whole = anchor.rounded(.down)
        fraction = anchor - whole
        anchorDay = clock.dayNumber(at: whole)
        anchorTime = clock.wallSecond(at: whole) - anchorDay * 86_400
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
        // Dates outside the years 1 to 9999 have no interval of their own, nor have their first and last days, which not every
        // time zone has.
        let (first, last) = (CivilDate.dayNumber(year: 1, month: 1, day: 3), CivilDate.dayNumber(year: 9_999, month: 12, day: 30))
        let instant = min(max(instant, 86_400 * Double(first)), 86_400 * Double(last))
        var index = Int(((instant - anchor) / approximateLength).rounded(.down))
        while bound(index) > instant { index -= 1 }
        while bound(index + 1) <= instant { index += 1 }
        return index
    }
}
