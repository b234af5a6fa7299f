import HealthModel
import HealthPages
import HealthStorage

/// A traversal through page samples in the order of their sequences, in batches.
///
/// Pages are in the order of starts, so the samples of any part of the sequence can be in any page. A traversal looks at the
/// bounds of all pages once. It then knows for each page a lower bound of its next sequence, and reads a page
/// only when that is due. So all batches together read each page about as often as it has runs of the sequence,
/// whatever their size; without a traversal, each batch would have to look at all pages.
struct ChangeTraversal: Sendable {
    /// The values on which a traversal depends. Pages do not change without a new sequence.
    struct Key: Hashable, Sendable {
        var parts: [SampleRequest.Part]
        var scope: [TypeCode: ReadScope]
        var caller: Caller
        var lastSequence: Int64
    }

    let key: Key
    /// The sequence up to which rows were taken.
    private(set) var position: Int64

    private let parts: [SelectionPart]
    private var pages = PageHeap()
    /// The sequence up to which pages were read.
    private var end: Int64
    /// The rows read, by part and in the order of their sequences.
    private var columns: [SampleColumns]
    /// The number of rows of each part that were taken.
    private var takenRows: [Int]
    /// The sequences of all rows read, in order, and the number of those that were taken.
    private var sequences: [Int64] = []
    private var taken = 0
    /// The minimum number of rows to read next. It grows, so that a single small batch reads little, and many small
    /// batches do not read the same pages again and again.
    private var readAhead = 0

    private static let maximumReadAhead = 16_384

    /// Begins a traversal of the samples after a sequence.
    /// - Parameter parts: What to read of each type, beginning at the same sequence.
    init(_ key: Key, parts: [SelectionPart], after position: Int64, in snapshot: any StorageSnapshot) throws {
        self.key = key
        self.parts = parts
        self.position = position
        end = position
        columns = parts.map { SampleColumns(type: $0.type) }
        takenRows = parts.map { _ in 0 }
        var due: [PageHeap.Page] = []
        for (index, part) in parts.enumerated() {
            var seen: Set<PageKey> = []
            let sought = part.soughtSequences
            for window in sought?.map({ PageWindow.containing(sequence: $0) }) ?? [part.window] {
                try snapshot.visitPages(of: part.type, in: window, bodies: false) { view in
                    if sought != nil, !seen.insert(view.key).inserted { return true }
                    if case .always(false) = part.reduced(by: try PageHeader(of: view)) { return true }
                    let next = max(view.bounds.minimumSequence, position + 1)
                    due.append(PageHeap.Page(next: next, part: index, page: view.copy))
                    return true
                }
            }
        }
        pages = PageHeap(due)
    }

    /// Returns the next `count` sequences, or all if there are fewer; reads their rows if necessary.
    mutating func sequences(first count: Int, in snapshot: any StorageSnapshot) throws -> ArraySlice<Int64> {
        let missing = count - (sequences.count - taken)
        if missing > 0, pages.first != nil {
            removeTaken()
            try read(max(missing, readAhead), in: snapshot)
            readAhead = min(4 * max(readAhead, min(count, Self.maximumReadAhead)), Self.maximumReadAhead)
        }
        return sequences[taken...].prefix(count)
    }

    /// Returns the rows up to a sequence by type, each type in the order of sequences, and moves the position there.
    mutating func take(through last: Int64) -> [SampleColumns] {
        position = last
        taken = sequences.upperBound(of: last)
        var batches: [SampleColumns] = []
        for index in columns.indices {
            let rows = takenRows[index]..<columns[index].sequences.upperBound(of: last)
            guard !rows.isEmpty else { continue }
            batches.append(columns[index].run(rows))
            takenRows[index] = rows.upperBound
        }
        return batches
    }

    // MARK: Reading

    private mutating func removeTaken() {
        sequences.removeFirst(taken)
        taken = 0
        for index in columns.indices where takenRows[index] > 0 {
            columns[index] = columns[index].run(takenRows[index]..<columns[index].sequences.count)
            takenRows[index] = 0
        }
    }

    /// Reads at least the next `count` rows, or all if there are fewer.
    private mutating func read(_ count: Int, in snapshot: any StorageSnapshot) throws {
        var open: [OpenPage] = []
        // As long as pages do not overlap in the sequence, all rows of one come before those of the next.
        var (settled, reach) = (0, end)
        while settled < count, let next = pages.first {
            guard next.page.bounds.maximumSequence < pages.second ?? .max else { break }
            let page = pages.removeFirst()
            reach = page.page.bounds.maximumSequence
            guard let opened = try OpenPage(page, parts[page.part], after: end, in: snapshot) else { continue }
            settled += opened.rows.count
            open.append(opened)
        }
        if settled < count {
            var best = SmallestKeys(limit: count - settled)
            while let next = pages.first?.next, best.maximum.map({ Double(next) <= $0 }) ?? true {
                let page = pages.removeFirst()
                guard let opened = try OpenPage(page, parts[page.part], after: end, in: snapshot) else { continue }
                for row in opened.rows { _ = best.insert(Double(opened.sequences[row])) }
                open.append(opened)
            }
            reach = best.maximum.map { Int64($0) } ?? .max
        }
        end = reach
        // Once for all pages: columns that grow page by page are copied again and again.
        for index in columns.indices {
            let more = open.reduce(0) { $1.due.part == index ? $0 + $1.rows.count : $0 }
            columns[index].reserveCapacity(columns[index].sequences.count + more)
        }
        for opened in open {
            let part = opened.due.part
            if let next = try opened.append(through: end, columns: parts[part].columns, to: &columns[part]) {
                pages.insert(PageHeap.Page(next: next, part: part, page: opened.due.page))
            }
        }
        sortRows()
    }

    private mutating func sortRows() {
        for index in columns.indices where !columns[index].sequences.isAscending {
            let found = columns[index].sequences
            columns[index] = columns[index].permuted(
                by: (0..<Int32(found.count)).sorted { found[Int($0)] < found[Int($1)] })
        }
        sequences = columns.flatMap(\.sequences)
        if !sequences.isAscending { sequences.sort() }
    }
}

extension SampleColumns {
    /// Returns a run of rows, with only their metadata.
    fileprivate func run(_ rows: Range<Int>) -> SampleColumns {
        guard rows != 0..<sequences.count else { return self }
        var run = SampleColumns(type: type)
        var renumbering = MetadataRenumbering()
        run.append(self, rows: rows, &renumbering)
        return run
    }
}

extension [Int64] {
    fileprivate var isAscending: Bool {
        withUnsafeBufferPointer { numbers in
            (1..<Swift.max(numbers.count, 1)).allSatisfy { numbers[$0 - 1] < numbers[$0] }
        }
    }
}

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
