/// Notes which buckets have samples.
struct PresenceFold: BucketFold {
    let totals: UnsafeMutablePointer<BucketTotals>

    @inline(__always)
    mutating func add(_ run: Range<Int>, of rows: RowSpan, in bucket: Int) {
        totals[bucket].hasSamples = true
    }

    @inline(__always)
    mutating func addPiece(of row: Int, _ rows: RowSpan, from start: Double, to end: Double, in bucket: Int) {
        totals[bucket].hasSamples = true
    }
}
