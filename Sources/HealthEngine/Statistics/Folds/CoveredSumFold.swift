/// Adds up what better sources have left: every row counts with the share of its time that is not
/// covered, a row without duration counts if its instant is not covered.
enum CoveredSumFold {
    static func add(
        _ rows: RowSpan, outside covered: CoveredTime, to totals: UnsafeMutablePointer<BucketTotals>,
        on grid: BucketGrid
    ) {
        covered.starts.withUnsafeBufferPointer { from in
            covered.ends.withUnsafeBufferPointer { to in
                covered.before.withUnsafeBufferPointer { before in
                    guard let from = from.baseAddress, let to = to.baseAddress,
                        let before = before.baseAddress
                    else { return }
                    var sweep = Sweep(
                        rows: rows, from: from, to: to, before: before, totals: totals, grid: grid)
                    sweep.addAll()
                }
            }
        }
    }

    /// Pointers that only go forward, since rows come by ascending start: the first covered interval
    /// that ends after the row's start (the one at infinity if none does), and the bucket of the row's
    /// start.
    private struct Sweep {
        let rows: RowSpan
        let from: UnsafePointer<Double>
        let to: UnsafePointer<Double>
        let before: UnsafePointer<Double>
        let totals: UnsafeMutablePointer<BucketTotals>
        let grid: BucketGrid
        var interval = 0
        var bucket = 0

        mutating func addAll() {
            var row = 0
            while row < rows.count {
                let start = rows.starts[row]
                while bucket < grid.count, grid.bounds[bucket + 1] <= start { bucket += 1 }
                guard bucket < grid.count else { return }
                let (lower, upper) = (grid.bounds[bucket], grid.bounds[bucket + 1])
                // Rows of one bucket share its sum.
                var sum = 0.0
                var isTouched = false
                let firstRow = row
                while row < rows.count, rows.starts[row] < upper {
                    let start = rows.starts[row]
                    // No row reaches the interval at infinity.
                    let end = min(rows.ends[row], .greatestFiniteMagnitude)
                    interval = first(from: interval, endingAfter: start)
                    if start >= lower, end <= upper {
                        sum += openValue(rows.values[row], start, end)
                        isTouched = true
                    } else {
                        addPieces(row, start, end)
                    }
                    row += 1
                }
                totals[bucket].sum += sum
                if isTouched { totals[bucket].hasSamples = true }
                // A start that is no number comes only from a damaged page; it is passed over.
                if row == firstRow { row += 1 }
            }
        }

        /// The part of a value that counts; all or nothing for an instant.
        @inline(__always)
        private func openValue(_ value: Double, _ start: Double, _ end: Double) -> Double {
            guard end > start else { return from[interval] <= start ? 0 : value }
            // Without a branch on whether anything is covered, which nobody can foresee: where nothing is,
            // the share is 1 exactly.
            return value * (max(0, end - start - coveredSeconds(start, end, interval)) / (end - start))
        }

        /// The first interval, at or behind this one, that ends after an instant.
        @inline(__always)
        private func first(from interval: Int, endingAfter instant: Double) -> Int {
            // The usual steps are none and one, in no order a processor can foresee: counted, not branched on.
            var found = interval
            found &+= to[found] <= instant ? 1 : 0
            found &+= to[found] <= instant ? 1 : 0
            while to[found] <= instant { found &+= 1 }
            return found
        }

        /// Seconds between two instants that are covered. `interval` is the first that ends after
        /// `start`. Time covered up to an instant is looked up, not added up piece by piece.
        @inline(__always)
        private func coveredSeconds(_ start: Double, _ end: Double, _ interval: Int) -> Double {
            let last = first(from: interval, endingAfter: end)
            return (before[last] + max(0, end - from[last]))
                - (before[interval] + max(0, start - from[interval]))
        }

        /// A row that crosses a bound, bucket by bucket.
        private func addPieces(_ row: Int, _ start: Double, _ end: Double) {
            guard end > start else { return }
            var (bucket, interval) = (bucket, interval)
            while bucket < grid.count, grid.bounds[bucket] < end {
                let (left, right) = (max(start, grid.bounds[bucket]), min(end, grid.bounds[bucket + 1]))
                if right > left {
                    interval = first(from: interval, endingAfter: left)
                    let seconds = max(0, right - left - coveredSeconds(left, right, interval))
                    totals[bucket].sum += rows.values[row] * seconds / (end - start)
                    totals[bucket].hasSamples = true
                }
                bucket += 1
            }
        }
    }
}
