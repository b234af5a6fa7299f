/// Seconds covered by rows, overlaps once.
enum DurationFold {
    static func add(_ rows: RowSpan, to totals: UnsafeMutablePointer<BucketTotals>, on grid: BucketGrid) {
        var presence = PresenceFold(totals: totals)
        grid.walk(rows, &presence)
        guard rows.count > 0 else { return }
        var bucket = 0
        var (from, to) = (rows.starts[0], rows.ends[0])
        for row in 1..<max(rows.count, 1) {
            if rows.starts[row] > to {
                spread(from, to, &bucket, totals, grid)
                (from, to) = (rows.starts[row], rows.ends[row])
            } else {
                to = max(to, rows.ends[row])
            }
        }
        spread(from, to, &bucket, totals, grid)
    }

    /// Adds one covered interval to the buckets it reaches into. Intervals come in order.
    private static func spread(
        _ from: Double, _ to: Double, _ first: inout Int,
        _ totals: UnsafeMutablePointer<BucketTotals>, _ grid: BucketGrid
    ) {
        while first < grid.count, grid.bounds[first + 1] <= from { first += 1 }
        var bucket = first
        while bucket < grid.count, grid.bounds[bucket] < to {
            let seconds = min(to, grid.bounds[bucket + 1]) - max(from, grid.bounds[bucket])
            if seconds > 0 { totals[bucket].duration += seconds }
            bucket += 1
        }
    }
}
