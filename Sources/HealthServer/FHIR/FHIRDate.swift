import Foundation
import HealthJSON
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
        let parts = date.prefix { $0 != "T" }.split(separator: "-", omittingEmptySubsequences: false)
        guard (1...3).contains(parts.count), parts[0].utf8.count == 4,
            parts.dropFirst().allSatisfy({ $0.utf8.count == 2 }),
            parts.allSatisfy({ $0.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } })
        else { return nil }
        let numbers = parts.compactMap { Int($0) }
        let (year, month, day) = (numbers[0], numbers.count > 1 ? numbers[1] : 1, numbers.count > 2 ? numbers[2] : 1)
        guard CivilDate.isValid(year: year, month: month, day: day) else { return nil }
        let clock = LocalClock(timeZone: timeZone)
        if date.contains("T") {
            guard numbers.count == 3, let instant = InstantReader(timeZone: timeZone).instant(of: date) else {
                return nil
            }
            start = instant
            end = instant + (!Self.hasSeconds(date) ? 60 : date.contains(".") ? 0.001 : 1)
            return
        }
        let next: (Int, Int, Int) =
            switch numbers.count {
            case 1: (year + 1, 1, 1)
            case 2: month == 12 ? (year + 1, 1, 1) : (year, month + 1, 1)
            default: (0, 0, 0)
            }
        let first = CivilDate.dayNumber(year: year, month: month, day: day)
        let last = numbers.count == 3 ? first + 1 : CivilDate.dayNumber(year: next.0, month: next.1, day: next.2)
        start = Double(clock.start(ofDay: first))
        end = Double(clock.start(ofDay: last))
    }

    /// Whether the time of day, without its offset from UTC, has seconds.
    private static func hasSeconds(_ date: String) -> Bool {
        let time = date.drop { $0 != "T" }.dropFirst().prefix { $0 != "+" && $0 != "-" && $0 != "Z" }
        return time.count { $0 == ":" } > 1
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
