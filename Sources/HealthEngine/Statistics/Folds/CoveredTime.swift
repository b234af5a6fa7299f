/// Disjoint intervals in ascending order: the time that better sources have taken. Behind the last one
/// stands an interval at infinity, so that whoever walks along need not look for the end.
struct CoveredTime {
    private(set) var starts: [Double] = [.infinity]
    private(set) var ends: [Double] = [.infinity]
    /// Seconds covered before each interval.
    private(set) var before: [Double] = [0]

    var isEmpty: Bool { starts.count == 1 }

    /// Takes in the intervals of rows, which are ordered by start. `scratch` lends its memory.
    mutating func formUnion(_ rows: RowSpan, scratch: inout CoveredTime) {
        swap(&self, &scratch)
        let most = scratch.starts.count + rows.count
        starts.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
        starts.append(contentsOf: repeatElement(0, count: most))
        ends.append(contentsOf: repeatElement(0, count: most))
        let count = Self.unite(scratch, rows, &starts, &ends)
        starts.removeLast(most - count)
        ends.removeLast(most - count)
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

    /// Writes the union of intervals and rows, the one at infinity included; returns how many.
    private static func unite(
        _ old: CoveredTime, _ rows: RowSpan, _ starts: inout [Double], _ ends: inout [Double]
    ) -> Int {
        starts.withUnsafeMutableBufferPointer { starts in
            ends.withUnsafeMutableBufferPointer { ends in
                var count = 0
                /// Joins intervals that come by ascending start. An instant covers nothing.
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
