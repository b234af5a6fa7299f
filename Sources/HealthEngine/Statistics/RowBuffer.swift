/// Rows of one type in flat columns, reused from one task to the next so that nothing is allocated per
/// page. Used by one thread at a time.
final class RowBuffer {
    private(set) var starts: UnsafeMutablePointer<Double>
    private(set) var ends: UnsafeMutablePointer<Double>
    /// In the canonical unit once a page has been filled in.
    private(set) var values: UnsafeMutablePointer<Double>
    /// Revision numbers, with ``enteredByHand`` set for samples that a person typed in.
    private(set) var revisions: UnsafeMutablePointer<UInt32>
    private var capacity: Int
    var count = 0

    /// Stands beside the revision number, which is far smaller.
    static let enteredByHand: UInt32 = 1 << 31

    init(capacity: Int = 4_096) {
        self.capacity = capacity
        starts = .allocate(capacity: capacity)
        ends = .allocate(capacity: capacity)
        values = .allocate(capacity: capacity)
        revisions = .allocate(capacity: capacity)
    }

    deinit {
        starts.deallocate()
        ends.deallocate()
        values.deallocate()
        revisions.deallocate()
    }

    /// Makes room for `more` rows behind the present ones.
    func reserve(_ more: Int) {
        guard count + more > capacity else { return }
        let grown = max(capacity * 2, count + more)
        starts = Self.moved(starts, count, to: grown)
        ends = Self.moved(ends, count, to: grown)
        values = Self.moved(values, count, to: grown)
        revisions = Self.moved(revisions, count, to: grown)
        capacity = grown
    }

    /// Keeps those of the rows from `first` on whose mark is set, in order.
    func keep(from first: Int, where marks: [Bool]) {
        var target = first
        for (offset, isKept) in marks.enumerated() where isKept {
            let row = first + offset
            starts[target] = starts[row]
            ends[target] = ends[row]
            values[target] = values[row]
            revisions[target] = revisions[row]
            target += 1
        }
        count = target
    }

    /// All rows, valid until the buffer changes.
    var rows: RowSpan {
        RowSpan(starts: starts, ends: ends, values: values, count: count)
    }

    private static func moved<Value>(
        _ column: UnsafeMutablePointer<Value>, _ count: Int, to capacity: Int
    ) -> UnsafeMutablePointer<Value> {
        let grown = UnsafeMutablePointer<Value>.allocate(capacity: capacity)
        grown.moveInitialize(from: column, count: count)
        column.deallocate()
        return grown
    }
}
