/// Periods of workouts or nights that are known, to leave out what describes them with less detail.
package struct Periods: Sendable {
    private var periods: [Int: [(start: Double, end: Double)]] = [:]

    package init() {}

    package mutating func add(_ start: Double, _ end: Double) {
        for day in Self.days(start, end) { periods[day, default: []].append((start, end)) }
    }

    /// Whether a known period shares at least half of the longer one's time.
    package func contains(_ start: Double, _ end: Double) -> Bool {
        Self.days(start, end).contains { day in
            periods[day, default: []].contains { known in
                min(known.end, end) - max(known.start, start) >= 0.5 * max(known.end - known.start, end - start)
            }
        }
    }

    /// Whether a moment is in a known period.
    package func contains(_ date: Double) -> Bool {
        periods[Self.days(date, date).lowerBound]?.contains { $0.start <= date && date < $0.end } ?? false
    }

    private static func days(_ start: Double, _ end: Double) -> ClosedRange<Int> {
        let first = Int(max(-1e10, min(1e10, start)) / 86_400)
        return first...max(first, min(first + 31, Int(max(-1e10, min(1e10, end)) / 86_400)))
    }
}
