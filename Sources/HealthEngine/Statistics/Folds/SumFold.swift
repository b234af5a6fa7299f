/// Adds up values; a row that crosses a bound is split in proportion to time.
struct SumFold: BucketFold {
    let totals: UnsafeMutablePointer<BucketTotals>

    @inline(__always)
    mutating func add(_ run: Range<Int>, of rows: RowSpan, in bucket: Int) {
        var sum = 0.0
        for row in run { sum += rows.values[row] }
        totals[bucket].sum += sum
        totals[bucket].hasSamples = true
    }

    @inline(__always)
    mutating func addPiece(of row: Int, _ rows: RowSpan, from start: Double, to end: Double, in bucket: Int) {
        // Multiplied first: whole numbers split at whole seconds then stay whole wherever they can.
        totals[bucket].sum += rows.values[row] * (end - start) / (rows.ends[row] - rows.starts[row])
        totals[bucket].hasSamples = true
    }
}
