/// Least, greatest and plain mean. A row counts in every bucket it reaches into.
struct DiscreteFold: BucketFold {
    let totals: UnsafeMutablePointer<BucketTotals>

    @inline(__always)
    mutating func add(_ run: Range<Int>, of rows: RowSpan, in bucket: Int) {
        var (sum, least, greatest) = (0.0, totals[bucket].minimum, totals[bucket].maximum)
        for row in run {
            let value = rows.values[row]
            sum += value
            // Comparisons with NaN fail, which leaves NaN out.
            if value < least { least = value }
            if value > greatest { greatest = value }
        }
        totals[bucket].valueSum += sum
        totals[bucket].count += run.count
        totals[bucket].minimum = least
        totals[bucket].maximum = greatest
        totals[bucket].hasSamples = true
    }

    @inline(__always)
    mutating func addPiece(of row: Int, _ rows: RowSpan, from start: Double, to end: Double, in bucket: Int) {
        add(row..<row + 1, of: rows, in: bucket)
    }
}
