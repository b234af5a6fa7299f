import Foundation

extension RequiredAggregates {
    /// Adds rows, ordered by start, to the totals of a grid's buckets. Each fold makes its own pass because the
    /// rows are in the processor's cache. Sums do not distinguish sources.
    func addFigures(
        of rows: RowSpan, to totals: UnsafeMutablePointer<BucketTotals>, _ grid: BucketGrid, withSum: Bool
    ) {
        func add<Fold: BucketFold>(_ fold: Fold, if isNeeded: Bool) {
            guard isNeeded else { return }
            var fold = fold
            grid.walk(rows, &fold)
        }
        add(SumFold(totals: totals), if: sum && withSum)
        add(DiscreteFold(totals: totals), if: extremesAndMean)
        add(WeightedFold(totals: totals), if: weightedMean)
        add(SoundLevelFold(totals: totals), if: level)
        add(RecentFold(totals: totals), if: recent)
        if duration {
            DurationFold.add(rows, to: totals, on: grid)
        } else {
            add(PresenceFold(totals: totals), if: !sum && !extremesAndMean && !recent)
        }
    }
}

/// Some neighboring buckets: bucket `b` contains the instants from `bounds[b]` to just before
/// `bounds[b + 1]`.
struct BucketGrid {
    let bounds: UnsafePointer<Double>
    let count: Int

    /// Passes every row to the fold, divided at the bounds. Rows are ordered by start; time outside the
    /// grid is ignored.
    func walk<Fold: BucketFold>(_ rows: RowSpan, _ fold: inout Fold) {
        let (starts, ends, total) = (rows.starts, rows.ends, rows.count)
        var row = 0
        while row < total, starts[row] < bounds[0] {
            if ends[row] > bounds[0] { cut(row, rows, from: 0, &fold) }
            row += 1
        }
        var bucket = 0
        while row < total {
            while bucket < count, bounds[bucket + 1] <= starts[row] { bucket += 1 }
            guard bucket < count else { return }
            let bound = bounds[bucket + 1]
            // Only a damaged page has a start that is NaN; the row is skipped.
            guard starts[row] < bound else {
                row += 1
                continue
            }
            var first = row
            while row < total, starts[row] < bound {
                if ends[row] > bound {
                    if first < row { fold.add(first..<row, of: rows, in: bucket) }
                    cut(row, rows, from: bucket, &fold)
                    first = row + 1
                }
                row += 1
            }
            if first < row { fold.add(first..<row, of: rows, in: bucket) }
        }
    }

    private func cut<Fold: BucketFold>(_ row: Int, _ rows: RowSpan, from first: Int, _ fold: inout Fold) {
        var bucket = first
        while bucket < count, bounds[bucket] < rows.ends[row] {
            fold.addPiece(
                of: row, rows, from: max(rows.starts[row], bounds[bucket]),
                to: min(rows.ends[row], bounds[bucket + 1]), in: bucket)
            bucket += 1
        }
    }
}

/// An aggregation of rows by bucket.
protocol BucketFold {
    /// Adds rows that lie entirely within the bucket.
    mutating func add(_ run: Range<Int>, of rows: RowSpan, in bucket: Int)
    /// Adds the part of a row that lies within the bucket if the row crosses a bound. Its duration is greater than 0.
    mutating func addPiece(of row: Int, _ rows: RowSpan, from start: Double, to end: Double, in bucket: Int)
}

/// The sum of values; a row that crosses a bound is split in proportion to time.
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
        // Multiplying first keeps whole numbers whole where possible if they are split at whole seconds.
        totals[bucket].sum += rows.values[row] * (end - start) / (rows.ends[row] - rows.starts[row])
        totals[bucket].hasSamples = true
    }
}

/// The minimum, maximum and plain mean. A row counts in every bucket it overlaps.
private struct DiscreteFold: BucketFold {
    let totals: UnsafeMutablePointer<BucketTotals>

    @inline(__always)
    mutating func add(_ run: Range<Int>, of rows: RowSpan, in bucket: Int) {
        var (sum, minimum, maximum) = (0.0, totals[bucket].minimum, totals[bucket].maximum)
        for row in run {
            let value = rows.values[row]
            sum += value
            // Comparisons with NaN are false, so NaN is ignored.
            if value < minimum { minimum = value }
            if value > maximum { maximum = value }
        }
        totals[bucket].valueSum += sum
        totals[bucket].count += run.count
        totals[bucket].minimum = minimum
        totals[bucket].maximum = maximum
        totals[bucket].hasSamples = true
    }

    @inline(__always)
    mutating func addPiece(of row: Int, _ rows: RowSpan, from start: Double, to end: Double, in bucket: Int) {
        add(row..<row + 1, of: rows, in: bucket)
    }
}

/// The mean over time. How the original integrates is not published. Here a sample with a duration
/// is weighted by it, except for the time that a sample with an earlier start covers: overlaps are counted once,
/// as in the original since iOS 26.6. Between neighboring instantaneous samples of a bucket, the value is interpolated
/// linearly with a weight of at most five minutes, so that a single reading in the evening does not
/// represent the whole afternoon.
private struct WeightedFold: BucketFold {
    /// The maximum weight of the time between two instantaneous samples, in seconds.
    static let maximumGap = 300.0

    let totals: UnsafeMutablePointer<BucketTotals>
    var lastBucket = -1
    var lastInstant = 0.0
    var lastValue = 0.0
    /// The latest end of the rows so far. Rows are ordered by start, so they cover all time from a row's start to it.
    var coveredUntil = -Double.infinity

    @inline(__always)
    mutating func add(_ run: Range<Int>, of rows: RowSpan, in bucket: Int) {
        var (integral, time) = (0.0, 0.0)
        for row in run {
            let (start, value) = (rows.starts[row], rows.values[row])
            let duration = rows.ends[row] - start
            if duration > 0 {
                let seconds = rows.ends[row] - max(start, coveredUntil)
                if seconds > 0 {
                    integral += value * seconds
                    time += seconds
                    coveredUntil = rows.ends[row]
                }
                continue
            }
            if lastBucket == bucket {
                let gap = min(start - lastInstant, Self.maximumGap)
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
        totals[bucket].hasSamples = true
        let seconds = end - max(start, coveredUntil)
        guard seconds > 0 else { return }
        totals[bucket].integral += rows.values[row] * seconds
        totals[bucket].integralTime += seconds
        coveredUntil = end
    }
}

/// The equivalent continuous sound level of IEC 61672-1: energies are weighted by time, or equally if no
/// sample has a duration.
private struct SoundLevelFold: BucketFold {
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

/// The most recent sample of each bucket: the one with the latest end, then start, then sequence.
private struct RecentFold: BucketFold {
    let totals: UnsafeMutablePointer<BucketTotals>

    @inline(__always)
    mutating func add(_ run: Range<Int>, of rows: RowSpan, in bucket: Int) {
        // Rows are ordered by start and sequence, so among equal ends the last one wins.
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

/// The seconds covered by rows, with overlaps counted once.
private enum DurationFold {
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

    /// Adds one covered interval to the buckets it overlaps. Intervals are ordered.
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

/// The buckets that have samples.
private struct PresenceFold: BucketFold {
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

/// The sum over time that better sources have not covered: every row counts in proportion to its uncovered
/// time, a row without duration counts if its instant is not covered.
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

    /// Positions that only advance because rows are ordered by start: the first covered interval
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
                var sum = 0.0
                var hasRows = false
                let firstRow = row
                while row < rows.count, rows.starts[row] < upper {
                    let start = rows.starts[row]
                    // No row may overlap the interval at infinity.
                    let end = min(rows.ends[row], .greatestFiniteMagnitude)
                    interval = first(from: interval, endingAfter: start)
                    if start >= lower, end <= upper {
                        sum += openValue(rows.values[row], start, end)
                        hasRows = true
                    } else {
                        addPieces(row, start, end)
                    }
                    row += 1
                }
                totals[bucket].sum += sum
                if hasRows { totals[bucket].hasSamples = true }
                // Only a damaged page has a start that is NaN; the row is skipped.
                if row == firstRow { row += 1 }
            }
        }

        /// The part of a value that counts; all or nothing for an instant.
        @inline(__always)
        private func openValue(_ value: Double, _ start: Double, _ end: Double) -> Double {
            guard end > start else { return from[interval] <= start ? 0 : value }
            // A branch on whether anything is covered would be unpredictable. If nothing is, the share is exactly 1.
            return value * (max(0, end - start - coveredSeconds(start, end, interval)) / (end - start))
        }

        /// The first interval, starting with this one, that ends after an instant.
        @inline(__always)
        private func first(from interval: Int, endingAfter instant: Double) -> Int {
            // Usually there are zero or one steps, unpredictably, so the first two are counted without a branch.
            var found = interval
            found &+= to[found] <= instant ? 1 : 0
            found &+= to[found] <= instant ? 1 : 0
            while to[found] <= instant { found &+= 1 }
            return found
        }

        /// The covered seconds between two instants, from the running total. `interval` is the first that ends after
        /// `start`.
        @inline(__always)
        private func coveredSeconds(_ start: Double, _ end: Double, _ interval: Int) -> Double {
            let last = first(from: interval, endingAfter: end)
            return (before[last] + max(0, end - from[last])) - (before[interval] + max(0, start - from[interval]))
        }

        /// Adds a row that crosses a bound to each of its buckets.
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

/// The time covered by better sources: disjoint intervals in ascending order, followed by
/// an interval at infinity, which spares checks for the end.
struct CoveredTime {
    private(set) var starts: [Double] = [.infinity]
    private(set) var ends: [Double] = [.infinity]
    /// The seconds covered before each interval.
    private(set) var before: [Double] = [0]

    var isEmpty: Bool { starts.count == 1 }

    /// Adds the intervals of rows, which are ordered by start. The memory of `scratch` is reused.
    mutating func formUnion(_ rows: RowSpan, scratch: inout CoveredTime) {
        swap(&self, &scratch)
        let maximum = scratch.starts.count + rows.count
        starts.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
        starts.append(contentsOf: repeatElement(0, count: maximum))
        ends.append(contentsOf: repeatElement(0, count: maximum))
        let count = Self.unite(scratch, rows, &starts, &ends)
        starts.removeLast(maximum - count)
        ends.removeLast(maximum - count)
        before.removeAll(keepingCapacity: true)
        before.reserveCapacity(count)
        var total = 0.0
        for interval in 0..<count {
            before.append(total)
            total += ends[interval] - starts[interval]
        }
    }

    mutating func removeAll() {
        self = CoveredTime()
    }

    /// Writes the union of intervals and rows, including the one at infinity, and returns its length.
    private static func unite(
        _ old: CoveredTime, _ rows: RowSpan, _ starts: inout [Double], _ ends: inout [Double]
    ) -> Int {
        starts.withUnsafeMutableBufferPointer { starts in
            ends.withUnsafeMutableBufferPointer { ends in
                var count = 0
                /// Appends or joins an interval; starts ascend. An instant covers nothing.
                func append(_ start: Double, _ end: Double) {
                    guard end > start else { return }
                    if count > 0, start <= ends[count - 1] {
                        ends[count - 1] = max(ends[count - 1], end)
                    } else {
                        starts[count] = start
                        ends[count] = end
                        count += 1
                    }
                }
                var (interval, row) = (0, 0)
                while row < rows.count {
                    if old.starts[interval] <= rows.starts[row] {
                        append(old.starts[interval], old.ends[interval])
                        interval += 1
                    } else {
                        append(rows.starts[row], rows.ends[row])
                        row += 1
                    }
                }
                while interval < old.starts.count - 1 {
                    append(old.starts[interval], old.ends[interval])
                    interval += 1
                }
                starts[count] = .infinity
                ends[count] = .infinity
                return count + 1
            }
        }
    }
}
