/// The mean over time. How the original integrates is not published; here a sample with a duration
/// weighs by it, and between neighbouring instantaneous samples of a bucket the value is taken to go in a
/// straight line, for at most five minutes of weight: a lone reading in the evening must not stand
/// for the whole afternoon.
struct WeightedFold: BucketFold {
    /// The greatest weight of the time between two instantaneous samples, in seconds.
    static let greatestGap = 300.0

    let totals: UnsafeMutablePointer<BucketTotals>
    private var lastBucket = -1
    private var lastInstant = 0.0
    private var lastValue = 0.0

    init(totals: UnsafeMutablePointer<BucketTotals>) {
        self.totals = totals
    }

    @inline(__always)
    mutating func add(_ run: Range<Int>, of rows: RowSpan, in bucket: Int) {
        var (integral, time) = (0.0, 0.0)
        for row in run {
            let (start, value) = (rows.starts[row], rows.values[row])
            let duration = rows.ends[row] - start
            if duration > 0 {
                integral += value * duration
                time += duration
                continue
            }
            if lastBucket == bucket {
                let gap = min(start - lastInstant, Self.greatestGap)
                integral += (value + lastValue) / 2 * gap
                time += gap
            }
            (lastBucket, lastInstant, lastValue) = (bucket, start, value)
        }
        totals[bucket].integral += integral
        totals[bucket].integralTime += time
        totals[bucket].hasSamples = true
    }

    @inline(__always)
    mutating func addPiece(of row: Int, _ rows: RowSpan, from start: Double, to end: Double, in bucket: Int) {
        totals[bucket].integral += rows.values[row] * (end - start)
        totals[bucket].integralTime += end - start
        totals[bucket].hasSamples = true
    }
}
