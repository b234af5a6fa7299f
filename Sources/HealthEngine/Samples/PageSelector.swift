import HealthModel
import HealthPages
import HealthStorage

/// Selects the matching samples in pages of one type, reading no page that can be excluded by its header.
struct PageSelector {
    private let part: SelectionPart
    private let snapshot: any StorageSnapshot
    private(set) var rows: SampleColumns

    init(_ part: SelectionPart, in snapshot: any StorageSnapshot) {
        self.part = part
        self.snapshot = snapshot
        rows = SampleColumns(type: part.type)
    }

    /// Selects every matching row, in page order.
    mutating func selectAll() throws {
        if let sequences = part.soughtSequences {
            var seen: Set<PageKey> = []
            for sequence in sequences {
                try snapshot.visitPages(of: part.type, in: .containing(sequence: sequence), bodies: true) { page in
                    if seen.insert(page.key).inserted { try append(page) }
                    return true
                }
            }
            return
        }
        try snapshot.visitPages(of: part.type, in: part.window, bodies: true) { page in
            try append(page)
            return true
        }
    }

    /// Selects at least the first `limit` rows in the order of `sortKey`, including ties, and few others.
    mutating func select(first limit: Int, by sortKey: SortKey) throws {
        guard part.soughtSequences == nil else { return try selectAll() }
        var best = BestKeys(limit: limit)
        if sortKey.followsPageOrder {
            try snapshot.visitPages(of: part.type, in: part.window, bodies: true) { page in
                if let maximum = best.maximum, page.key.firstStart > maximum { return false }
                try append(page, by: sortKey, among: &best)
                return true
            }
            return
        }
        var window = part.window
        var finished: PageKey?
        if sortKey.startsAtLastPage, part.after == 0 {
            let before = part.filter.timeBounds.startsBefore ?? .infinity
            guard let last = try snapshot.page(of: part.type, forStart: before.nextDown) else { return }
            try append(last, by: sortKey, among: &best)
            finished = last.key
            if let maximum = best.maximum {
                // Starts ascend from page to page: no page before this one begins after it.
                if sortKey == .startDescending, -maximum > last.key.firstStart { return }
                window = part.window(endsAtOrAfter: -maximum)
            }
        }
        try selectByHeaders(window, except: finished, by: sortKey, among: &best)
    }

    /// Reads every header, then the bodies in the order of their bounds until none can have a result.
    private mutating func selectByHeaders(
        _ window: PageWindow, except finished: PageKey?, by sortKey: SortKey, among best: inout BestKeys
    ) throws {
        var candidates: [(page: StoredPage, bound: Double)] = []
        try snapshot.visitPages(of: part.type, in: window, bodies: false) { page in
            guard page.key != finished else { return true }
            let header = try PageHeader(of: page)
            if case .always(false) = part.reduced(by: header) { return true }
            candidates.append((page.copy, sortKey.bound(header)))
            return true
        }
        candidates.sort { $0.bound < $1.bound }
        for candidate in candidates {
            if let maximum = best.maximum, candidate.bound > maximum { return }
            guard let body = try snapshot.pageBody(candidate.page.key) else { continue }
            var page = candidate.page
            page.body = body
            try append(page, by: sortKey, among: &best)
        }
    }

    // MARK: One page

    private mutating func append(_ page: PageView) throws {
        let header = try PageHeader(of: page)
        try append(header, page.body) { _, _ in true }
    }

    private mutating func append(
        _ page: PageView, by sortKey: SortKey, among best: inout BestKeys
    ) throws {
        let header = try PageHeader(of: page)
        try append(header, page.body, by: sortKey, among: &best)
    }

    private mutating func append(
        _ page: StoredPage, by sortKey: SortKey, among best: inout BestKeys
    ) throws {
        let header = try PageHeader(of: page)
        try page.body.withUnsafeBytes { try append(header, $0, by: sortKey, among: &best) }
    }

    private mutating func append(
        _ header: PageHeader, _ body: UnsafeRawBufferPointer, by sortKey: SortKey,
        among best: inout BestKeys
    ) throws {
        try append(header, body, keyColumn: sortKey.column) { best.insert(sortKey.key($0, $1)) }
    }

    /// Appends the rows of one page that match and that `isIncluded` accepts. Without a key column all are accepted.
    private mutating func append(
        _ header: PageHeader, _ body: UnsafeRawBufferPointer, keyColumn: SampleColumnSet = [],
        _ isIncluded: (SampleColumns, Int) -> Bool
    ) throws {
        let filter = part.reduced(by: header)
        if case .always(false) = filter { return }
        let isCut = header.minimumSequence <= part.after
        let reader = try PageReader(header: header, body: body)
        if case .always(true) = filter, keyColumn.isEmpty, !isCut {
            try reader.append(part.columns, to: &rows)
            return
        }
        let needed = filter.columns.union(keyColumn).union(.sequences)
        let page = try reader.read(needed)
        let mask = filter.mask(of: page, count: header.count)
        let picked = (0..<header.count).filter {
            mask[$0] && page.sequences[$0] > part.after && isIncluded(page, $0)
        }
        guard !picked.isEmpty else { return }
        if picked.count == header.count {
            try reader.append(part.columns, to: &rows)
        } else {
            rows.append(try reader.read(part.columns), rows: picked)
        }
    }
}

/// The `limit` smallest keys so far, which determine the rows that can still be among the results.
struct BestKeys {
    private let limit: Int
    /// A heap with the largest key on top.
    private var heap: [Double] = []

    init(limit: Int) {
        self.limit = limit
    }

    /// The largest of the keys once there are `limit` of them. A row with a larger key is not a result; one with an
    /// equal key may be, depending on its sequence.
    var maximum: Double? {
        heap.count == limit ? heap[0] : nil
    }

    /// Inserts a key. Returns `false` if its row is not a result.
    mutating func insert(_ key: Double) -> Bool {
        if heap.count < limit {
            heap.append(key)
            var child = heap.count - 1
            while child > 0, heap[(child - 1) / 2] < heap[child] {
                heap.swapAt(child, (child - 1) / 2)
                child = (child - 1) / 2
            }
            return true
        }
        guard key < heap[0] else { return key == heap[0] }
        heap[0] = key
        var parent = 0
        while true {
            var largest = parent
            for child in [2 * parent + 1, 2 * parent + 2]
            where child < heap.count && heap[child] > heap[largest] {
                largest = child
            }
            guard largest != parent else { return true }
            heap.swapAt(parent, largest)
            parent = largest
        }
    }
}
