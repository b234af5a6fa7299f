import Foundation

/// The equivalent continuous sound level of IEC 61672-1: energies weigh by time, and only where no
/// sample has a duration do they weigh alike.
struct LevelFold: BucketFold {
    let totals: UnsafeMutablePointer<BucketTotals>

    mutating func add(_ run: Range<Int>, of rows: RowSpan, in bucket: Int) {
        for row in run {
            add(rows.values[row], for: rows.ends[row] - rows.starts[row], in: bucket)
        }
    }

    mutating func addPiece(of row: Int, _ rows: RowSpan, from start: Double, to end: Double, in bucket: Int) {
        add(rows.values[row], for: end - start, in: bucket)
    }

    private func add(_ level: Double, for duration: Double, in bucket: Int) {
        let energy = pow(10, level / 10)
        totals[bucket].energySum += energy
        totals[bucket].integral += energy * duration
        totals[bucket].integralTime += duration
        totals[bucket].hasSamples = true
    }
}
