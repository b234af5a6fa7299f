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
    /// What a traversal depends on. Pages do not change without a new sequence.
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
