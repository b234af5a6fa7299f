/// Some neighbouring buckets: bucket `b` holds the instants from `bounds[b]` to just before
/// `bounds[b + 1]`.
struct BucketGrid {
    let bounds: UnsafePointer<Double>
    let count: Int
}

extension BucketGrid {
    /// Hands every row to the fold, cut at the bounds. Rows are ordered by start; what lies outside the
    /// grid is left out.
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
            // A start that is no number comes only from a damaged page; it is passed over.
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
