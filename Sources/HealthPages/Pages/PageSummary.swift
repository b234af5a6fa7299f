import HealthModel

/// One pass over rows for what a header says of them.
struct PageSummary {
    var sum = 0.0
    var minimum = Double.infinity
    var maximum = -Double.infinity
    var latest: PageHeader.Latest
    var coveredDuration = 0.0
    var totalDuration = 0.0
    var weightedSum = 0.0
    var leastSequence = Int64.max
    var greatestSequence = Int64.min
    var traits: PageHeader.Traits = []

    /// `rows` is not empty and sorted by start.
    init(_ columns: SampleColumns, rows: Range<Int>) {
        let first = rows.lowerBound
        latest = PageHeader.Latest(
            value: columns.values[first], start: columns.starts[first], end: columns.ends[first],
            sequence: columns.sequences[first])
        var reach = -Double.infinity
        for row in rows {
            let start = columns.starts[row]
            let end = columns.ends[row]
            let value = columns.values[row]
            let sequence = columns.sequences[row]
            sum += value
            if value < minimum { minimum = value }
            if value > maximum { maximum = value }
            totalDuration += end - start
            weightedSum += value * (end - start)
            leastSequence = min(leastSequence, sequence)
            greatestSequence = max(greatestSequence, sequence)
            if (end, start, sequence) > (latest.end, latest.start, latest.sequence) {
                latest = PageHeader.Latest(value: value, start: start, end: end, sequence: sequence)
            }
            if start == end { traits.insert(.zeroLength) }
            if start < reach { traits.insert(.overlaps) }
            if end > reach {
                coveredDuration += end - max(start, reach)
                reach = end
            }
        }
        if minimum > maximum {
            minimum = .nan
            maximum = .nan
        }
    }
}
