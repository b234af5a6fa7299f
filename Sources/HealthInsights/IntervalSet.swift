/// Ranges of time that don't overlap, in ascending order.
struct IntervalSet {
    private(set) var ranges: [(start: Double, end: Double)] = []

    /// Adds a range and joins it with those that it touches.
    mutating func insert(_ start: Double, _ end: Double) {
        guard end > start else { return }
        let first = ranges.firstIndex { $0.end >= start } ?? ranges.count
        var (low, high, last) = (start, end, first)
        while last < ranges.count, ranges[last].start <= end {
            low = min(low, ranges[last].start)
            high = max(high, ranges[last].end)
            last += 1
        }
        ranges.replaceSubrange(first..<last, with: [(low, high)])
    }

    /// Returns the parts of a range that are in none of the ranges.
    func gaps(from start: Double, to end: Double) -> [(start: Double, end: Double)] {
        var gaps: [(start: Double, end: Double)] = []
        var position = start
        for range in ranges where range.end > start && range.start < end {
            if range.start > position { gaps.append((position, range.start)) }
            position = max(position, range.end)
        }
        if position < end { gaps.append((position, end)) }
        return gaps
    }

    /// Returns the length of the parts of the ranges between two instants.
    func length(from start: Double, to end: Double) -> Double {
        ranges.reduce(0) { $0 + max(0, min($1.end, end) - max($1.start, start)) }
    }
}
