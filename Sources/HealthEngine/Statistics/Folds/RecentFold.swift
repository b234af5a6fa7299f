/// The most recent sample of each bucket: of the latest end, then start, then sequence.
struct RecentFold: BucketFold {
    let totals: UnsafeMutablePointer<BucketTotals>

    @inline(__always)
    mutating func add(_ run: Range<Int>, of rows: RowSpan, in bucket: Int) {
        // Rows come by start and sequence, so among equal ends the last one wins.
        var best = run.lowerBound
        for row in run where rows.ends[row] >= rows.ends[best] { best = row }
        offer(best, rows, in: bucket)
    }

    @inline(__always)
    mutating func addPiece(of row: Int, _ rows: RowSpan, from start: Double, to end: Double, in bucket: Int) {
        offer(row, rows, in: bucket)
    }

    private func offer(_ row: Int, _ rows: RowSpan, in bucket: Int) {
        totals[bucket].offerRecent(value: rows.values[row], start: rows.starts[row], end: rows.ends[row])
        totals[bucket].hasSamples = true
    }
}
