import HealthModel
import HealthPages
import HealthStorage

/// The pages that a ``ChangeTraversal`` has yet to read, the one with the lowest next sequence first: a binary heap.
struct PageHeap: Sendable {
    /// A page that may have unread rows.
    struct Page: Sendable {
        /// A lower bound of the sequences of its unread rows.
        var next: Int64
        /// The index of its part in the traversal.
        let part: Int
        /// The page without its body.
        let page: StoredPage
    }

    private var heap: [Page]

    init(_ pages: [Page] = []) {
        // An ordered array is a heap.
        heap = pages.sorted { $0.next < $1.next }
    }

    /// The page that is due first.
    var first: Page? { heap.first }

    /// The next sequence of the page that is due after the first; `nil` if there is none.
    var second: Int64? { heap.dropFirst().prefix(2).map(\.next).min() }

    mutating func insert(_ page: Page) {
        heap.append(page)
        var child = heap.count - 1
        while child > 0, heap[child].next < heap[(child - 1) / 2].next {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    /// Removes and returns the first page; there must be one.
    mutating func removeFirst() -> Page {
        heap.swapAt(0, heap.count - 1)
        let removed = heap.removeLast()
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2]
            where child < heap.count && heap[child].next < heap[least].next {
                least = child
            }
            guard least != parent else { return removed }
            heap.swapAt(parent, least)
            parent = least
        }
    }
}

/// A page of a ``ChangeTraversal`` with the sequences of its matching rows; its other columns are decoded when it is known
/// which of the rows are next.
struct OpenPage {
    let due: PageHeap.Page
    /// The sequences of all rows.
    let sequences: [Int64]
    /// The rows that match, beginning after the sequence.
    let rows: [Int]
    private let header: PageHeader
    private let body: [UInt8]

    /// Reads a page; `nil` if it has no such rows.
    init?(
        _ due: PageHeap.Page, _ part: SelectionPart, after sequence: Int64, in snapshot: any StorageSnapshot
    ) throws {
        guard let body = try snapshot.pageBody(due.page.key) else {
            throw StorageError(.damaged, "A page disappeared without a new sequence number.")
        }
        let header = try PageHeader(of: due.page)
        let filter = part.filter.reduced(by: header)
        if case .always(false) = filter { return nil }
        let page = try body.withUnsafeBytes {
            try PageReader(header: header, body: $0).read(filter.columns.union(.sequences))
        }
        if case .always(true) = filter {
            rows = page.sequences.indices.filter { page.sequences[$0] > sequence }
        } else {
            let mask = filter.mask(of: page, count: header.count)
            rows = page.sequences.indices.filter { mask[$0] && page.sequences[$0] > sequence }
        }
        guard !rows.isEmpty else { return nil }
        self.due = due
        self.header = header
        self.body = body
        sequences = page.sequences
    }

    /// Appends the rows up to a sequence. Returns the next sequence after it, or `nil` if there is none.
    func append(
        through last: Int64, columns: SampleColumnSet, to target: inout SampleColumns
    ) throws -> Int64? {
        let picked = rows.filter { sequences[$0] <= last }
        if !picked.isEmpty {
            try body.withUnsafeBytes { body in
                let reader = try PageReader(header: header, body: body)
                if picked.count == header.count {
                    try reader.append(columns, to: &target)
                } else {
                    target.append(try reader.read(columns), rows: picked)
                }
            }
        }
        guard picked.count < rows.count else { return nil }
        return rows.reduce(into: Int64.max) { next, row in
            if sequences[row] > last { next = min(next, sequences[row]) }
        }
    }
}
