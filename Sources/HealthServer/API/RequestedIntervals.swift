import Foundation
import HealthEngine
import HealthModel

/// The intervals of a statistics collection, as a request names their length.
struct RequestedIntervals: Hashable, Sendable {
    let intervals: LocalIntervals
    /// The name or text of the length.
    let name: String

    /// Reads a length such as `day` or `15m`.
    ///
    /// - Throws: ``Problem`` `invalidParameter`.
    init(_ text: String, anchor: Double?, timeZone: TimeZone) throws {
        guard let length = Self.length(text) else {
            throw QueryParameters.problem(
                "interval", text,
                "is not an interval. Use hour, day, week, month, quarter, year, or a number with m, h, d or w.")
        }
        intervals = LocalIntervals(length, anchor: anchor, timeZone: timeZone)
        name = text
    }

    private static func length(_ text: String) -> LocalIntervals.Length? {
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
        guard let unit = text.last, let count = Int(text.dropLast()), (1...10_000).contains(count), text.first != "+"
        else {
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
    var approximateLength: Double { intervals.approximateLength }

    /// The largest number of intervals in one answer.
    static let maximumCount = 200_000

    /// Ascending bounds that cover ascending stretches of time: one at or before the start of each, one after its end.
    ///
    /// - Throws: ``Problem`` `invalidParameter` for more than ``maximumCount`` intervals.
    func bounds(covering stretches: [ClosedRange<Double>]) throws -> [Double] {
        guard let bounds = intervals.bounds(covering: stretches, maximumCount: Self.maximumCount) else {
            throw Problem(
                .invalidParameter,
                "interval: There would be more than \(Self.maximumCount) intervals. Use longer ones or a shorter range."
            )
        }
        return bounds
    }
}
