import Foundation
import HealthModel

/// A date parameter of a FHIR search, such as `ge2026-02`: a prefix, and a date that covers a day, a month, a year or a
/// second.
struct FHIRDate: Hashable, Sendable {
    /// The first instant that the date covers, in seconds since 2001.
    let start: Double
    /// The first instant after it.
    let end: Double
    /// How observations are compared with it.
    let prefix: Prefix

    /// The prefixes of FHIR R4.
    enum Prefix: String {
        case equal = "eq", notEqual = "ne", greater = "gt", less = "lt", atLeast = "ge", atMost = "le"
        case startsAfter = "sa", endsBefore = "eb", approximately = "ap"
    }

    /// Reads a parameter; `nil` for a text that isn't a date.
    init?(_ text: String, timeZone: TimeZone) {
        let known = Prefix(rawValue: String(text.prefix(2)))
        prefix = known ?? .equal
        // A plus sign that was not encoded arrives as a space.
        var date = String(known == nil ? text[...] : text.dropFirst(2))
        if date.contains("T") { date = date.replacing(" ", with: "+") }
        guard let first = DateText(date), first.wallSecond >= LocalClock.firstSecond,
            (first.precision > .day) == date.contains("T")
        else { return nil }
        let clock = LocalClock(timeZone: timeZone)
        let number = CivilDate.split(first.wallSecond).day
        let (year, month, _) = CivilDate.date(dayNumber: number)
        start = clock.instant(first)
        end =
            switch first.precision {
            case .year: Double(clock.start(ofDay: CivilDate.dayNumber(year: year + 1, month: 1, day: 1)))
            case .month:
                Double(clock.start(ofDay: CivilDate.dayNumber(year: year + month / 12, month: month % 12 + 1, day: 1)))
            case .day: Double(clock.start(ofDay: number + 1))
            case .minute: start + 60
            case .second: start + 1
            case .fraction: start + 0.001
            }
    }

    /// Returns whether a period matches, as ``filter`` does for samples.
    func matches(start: Double, end: Double) -> Bool {
        let isWithin = start >= self.start && start < self.end && end <= self.end
        return switch prefix {
        case .equal: isWithin
        case .notEqual: !isWithin
        case .greater: end >= self.end
        case .less: start < self.start
        case .atLeast: end >= self.start
        case .atMost: start < self.end
        case .startsAfter: start >= self.end
        case .endsBefore: end < self.start
        case .approximately: start < self.end && end >= self.start
        }
    }

    /// The condition on samples, whose periods are from start to end.
    var filter: SampleFilter {
        let within = SampleFilter.and([
            .start(.greaterThanOrEqual, start), .start(.lessThan, end), .end(.lessThanOrEqual, end),
        ])
        return switch prefix {
        case .equal: within
        case .notEqual: .not(within)
        case .greater: .end(.greaterThanOrEqual, end)
        case .less: .start(.lessThan, start)
        case .atLeast: .end(.greaterThanOrEqual, start)
        case .atMost: .start(.lessThan, end)
        case .startsAfter: .start(.greaterThanOrEqual, end)
        case .endsBefore: .end(.lessThan, start)
        case .approximately: .and([.start(.lessThan, end), .end(.greaterThanOrEqual, start)])
        }
    }
}
