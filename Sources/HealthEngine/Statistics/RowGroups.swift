/// Rows taken apart by merge class or by source, each group still ordered by start. Reused like the
/// buffer it reads from.
final class RowGroups {
    private var columns: UnsafeMutablePointer<Double>
    /// Rows there is room for in each of the three columns.
    private var capacity: Int
    private var groups: [Range<Int>] = []

    init(capacity: Int = 4_096) {
        self.capacity = capacity
        columns = .allocate(capacity: capacity * 3)
    }

    deinit {
        columns.deallocate()
    }

    var count: Int { groups.count }

    /// One group's rows, valid until the next ``fill(from:by:_:)``.
    subscript(group: Int) -> RowSpan {
        let first = groups[group].lowerBound
        return RowSpan(
            starts: columns + first, ends: columns + capacity + first,
            values: columns + 2 * capacity + first, count: groups[group].count)
    }

    /// Takes the rows apart without comparing any.
    func fill(from buffer: RowBuffer, by key: SourceTable.Key, _ table: SourceTable) {
        let count = table.groupCount(by: key)
        table.groups(by: key).withUnsafeBufferPointer { labels in
            let labels = Labels(table: labels, handClass: key == .mergeClass)
            if count == 2 {
                splitInTwo(buffer, labels)
            } else {
                split(buffer, into: count, labels)
            }
        }
    }

    /// A row's group.
    private struct Labels {
        let table: UnsafeBufferPointer<UInt16>
        /// Whether samples typed in by hand make a group of their own, the first.
        let handClass: Bool

        @inline(__always)
        func callAsFunction(_ revision: UInt32) -> Int {
            let isByHand = revision & RowBuffer.enteredByHand != 0
            return handClass && isByHand ? 0 : Int(table[Int(revision & ~RowBuffer.enteredByHand)])
        }
    }

    /// The usual case, watch and phone: one pass, with both ends in registers.
    private func splitInTwo(_ buffer: RowBuffer, _ labels: Labels) {
        let total = buffer.count
        reserve(total * 2)
        let (starts, ends, values) = (columns, columns + capacity, columns + 2 * capacity)
        var second = 0
        for row in 0..<total {
            let label = labels(buffer.revisions[row])
            // Chosen by a mask: a branch would be foreseen wrongly at every change of source.
            let (first, other) = (row &- second, total &+ second)
            let target = first ^ ((first ^ other) & (0 &- label))
            second &+= label
            starts[target] = buffer.starts[row]
            ends[target] = buffer.ends[row]
            values[target] = buffer.values[row]
        }
        groups = [0..<total - second, total..<total + second]
    }

    /// Sorting by counting.
    private func split(_ buffer: RowBuffer, into count: Int, _ labels: Labels) {
        let total = buffer.count
        reserve(total)
        var next = [Int](repeating: 0, count: count + 1)
        for row in 0..<total { next[labels(buffer.revisions[row]) + 1] += 1 }
        for group in 0..<count { next[group + 1] += next[group] }
        groups = (0..<count).map { next[$0]..<next[$0 + 1] }
        let (starts, ends, values) = (columns, columns + capacity, columns + 2 * capacity)
        for row in 0..<total {
            let label = labels(buffer.revisions[row])
            let target = next[label]
            next[label] = target + 1
            starts[target] = buffer.starts[row]
            ends[target] = buffer.ends[row]
            values[target] = buffer.values[row]
        }
    }

    private func reserve(_ count: Int) {
        guard count > capacity else { return }
        capacity = max(count, capacity * 2)
        columns.deallocate()
        columns = .allocate(capacity: capacity * 3)
    }
}
