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
        var best = SmallestKeys(limit: limit)
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
            try last.withView(bodies: true) { try append($0, by: sortKey, among: &best) }
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
        _ window: PageWindow, except finished: PageKey?, by sortKey: SortKey, among best: inout SmallestKeys
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
            try page.withView(bodies: true) { try append($0, by: sortKey, among: &best) }
        }
    }

    // MARK: One page

    private mutating func append(
        _ page: PageView, by sortKey: SortKey, among best: inout SmallestKeys
    ) throws {
        try append(page, keyColumn: sortKey.column) { best.insert(sortKey.key($0, $1)) }
    }

    /// Appends the rows of one page that match and that `isIncluded` accepts. Without a key column all are accepted.
    private mutating func append(
        _ page: PageView, keyColumn: SampleColumnSet = [],
        _ isIncluded: (SampleColumns, Int) -> Bool = { _, _ in true }
    ) throws {
        let header = try PageHeader(of: page)
        let filter = part.reduced(by: header)
        if case .always(false) = filter { return }
        let isCut = header.minimumSequence <= part.after
        let reader = try PageReader(header: header, body: page.body)
        if case .always(true) = filter, keyColumn.isEmpty, !isCut {
            try reader.append(part.columns, to: &rows)
            return
        }
        let needed = filter.columns.union(keyColumn).union(.sequences)
        let found = try reader.read(needed)
        let mask = filter.mask(of: found, count: header.count)
        let picked = (0..<header.count).filter {
            mask[$0] && found.sequences[$0] > part.after && isIncluded(found, $0)
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
struct SmallestKeys {
    let limit: Int
    /// A heap with the largest key on top.
    private(set) var heap: [Double] = []

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

/// The part of one type to read: rows, columns, and the range of sequences.
struct SelectionPart {
    let type: TypeCode
    let filter: CompiledFilter
    /// The columns to read, including starts, ends, sequences and those for sorting.
    let columns: SampleColumnSet
    /// The sequence after which rows begin.
    let after: Int64

    init(type: TypeCode, filter: CompiledFilter, columns: SampleColumnSet, after: Int64 = 0) {
        self.type = type
        self.filter = filter
        self.columns = columns.union([.starts, .ends, .sequences])
        self.after = after
    }

    /// The window of pages with rows. A position in the sequence is more selective than a span of time.
    var window: PageWindow {
        after > 0 ? .sequencesAfter(after) : filter.timeBounds.window
    }

    /// Returns the window of pages that also end at or after an instant.
    func window(endsAtOrAfter instant: Double) -> PageWindow {
        filter.timeBounds.intersection(FilterTimeBounds(endsAtOrAfter: instant)).window
    }

    /// The sequences of the rows in question, if the filter selects a few single ones.
    var soughtSequences: [Int64]? {
        guard after == 0 else { return nil }
        let parts: [CompiledFilter]
        if case .every(let inner) = filter { parts = inner } else { parts = [filter] }
        for case .sequence(let set) in parts where set.count <= 32 {
            return (set.plain + set.derived).sorted()
        }
        return nil
    }

    /// Returns the filter that remains for a page's rows; `.always(false)` for a page to skip.
    func reduced(by header: PageHeader) -> CompiledFilter {
        guard header.maximumSequence > after else { return .always(false) }
        return filter.reduced(by: header)
    }
}

/// A page before its body is read: its header, and the filter that remains for its rows.
struct PageOutline: Sendable {
    let key: PageKey
    let header: PageHeader
    /// Never `.always(false)`.
    let filter: CompiledFilter
    /// Whether the backend has added up several pages. They have no body.
    var isGroup = false

    /// A Boolean value that indicates whether every row matches.
    var isWhole: Bool {
        if case .always(true) = filter { true } else { false }
    }

    /// Returns the outlines of all pages that may contain a matching row, in key order.
    static func visit(_ part: SelectionPart, in snapshot: any StorageSnapshot) throws -> [PageOutline] {
        var found: [PageOutline] = []
        if case .always(false) = part.filter { return found }
        try snapshot.visitPages(of: part.type, in: part.window, bodies: false) { page in
            let header = try PageHeader(of: page)
            let filter = part.reduced(by: header)
            if case .always(false) = filter { return true }
            found.append(PageOutline(key: page.key, header: header, filter: filter))
            return true
        }
        return found
    }

    /// Returns the same with pages added up that lie between two neighboring instants; `nil` if the backend adds up
    /// none.
    static func visitGroups(
        _ part: SelectionPart, between instants: [Double], in snapshot: any StorageSnapshot
    ) throws -> [PageOutline]? {
        if case .always(false) = part.filter { return nil }
        guard let groups = try snapshot.pageGroups(of: part.type, in: part.window, between: instants) else {
            return nil
        }
        return try groups.compactMap { group in
            let (header, isGroup) =
                switch group.content {
                case .header(let bytes): (try PageHeader(decoding: bytes, of: group.key), false)
                case .summary(let summary): (PageHeader(group.key, group.bounds, summary), true)
                }
            let filter = part.reduced(by: header)
            if case .always(false) = filter { return nil }
            return PageOutline(key: group.key, header: header, filter: filter, isGroup: isGroup)
        }
    }

    /// Returns the earliest start and latest end of the matching rows. Only pages that match in part and could extend
    /// the range are read.
    static func extent(
        _ pages: [PageOutline], in snapshot: any StorageSnapshot
    ) throws -> ClosedRange<Double>? {
        var extent: ClosedRange<Double>?
        for page in pages where page.isWhole {
            extent = page.header.firstStart.extended(to: page.header.maximumEnd, joining: extent)
        }
        // The latest ends first: after them few pages can extend the range.
        let partial = pages.filter { !$0.isWhole }.sorted { $0.header.maximumEnd > $1.header.maximumEnd }
        for page in partial {
            if let known = extent, known.lowerBound <= page.header.firstStart,
                known.upperBound >= page.header.maximumEnd
            {
                continue
            }
            guard let rows = try page.matchingTimes(in: snapshot) else { continue }
            extent = rows.lowerBound.extended(to: rows.upperBound, joining: extent)
        }
        return extent
    }

    private func matchingTimes(in snapshot: any StorageSnapshot) throws -> ClosedRange<Double>? {
        guard let body = try snapshot.pageBody(key) else { return nil }
        return try body.withUnsafeBytes { body in
            let rows = try PageReader(header: header, body: body)
                .read(filter.columns.union([.starts, .ends, .sequences]))
            let mask = filter.mask(of: rows, count: header.count)
            return (0..<header.count).reduce(into: nil) { extent, row in
                guard mask[row] else { return }
                extent = rows.starts[row].extended(to: rows.ends[row], joining: extent)
            }
        }
    }
}

// MARK: - Stretches of time

extension PageOutline {
    /// Returns ascending, disjoint stretches of time that contain all matching samples of the pages, as far as they are
    /// within an extent.
    ///
    /// This is the extent unless it is very long in terms of intervals. Then it is divided where there is no sample for
    /// more than a few intervals, so that the number of intervals is in proportion to the samples, whatever lies
    /// between them; only samples that are long themselves have more. Only pages with few samples for their time are
    /// read.
    static func stretches(
        of pages: [PageOutline], within extent: ClosedRange<Double>, intervalLength: Double,
        in snapshot: any StorageSnapshot
    ) throws -> [ClosedRange<Double>] {
        guard extent.upperBound - extent.lowerBound > undividedIntervals * intervalLength else { return [extent] }
        let gap = maximumEmptyIntervals * intervalLength
        var stretches: [ClosedRange<Double>] = []
        // Starts ascend from page to page and within a page.
        func add(_ start: Double, _ end: Double) {
            let (start, end) = (max(start, extent.lowerBound), min(end, extent.upperBound))
            if start <= end { stretches.join(start...end, within: gap) }
        }
        for page in pages {
            let header = page.header
            if header.maximumEnd - header.firstStart <= gap * Double(header.count) {
                add(header.firstStart, header.maximumEnd)
            } else if let body = try snapshot.pageBody(page.key) {
                try body.withUnsafeBytes { body in
                    let rows = try PageReader(header: header, body: body).read([.starts, .ends])
                    for row in rows.starts.indices { add(rows.starts[row], rows.ends[row]) }
                }
            }
        }
        return stretches
    }

    /// The number of intervals that are made without looking for gaps.
    private static let undividedIntervals = 100_000.0
    /// The number of consecutive empty intervals that aren't left out.
    private static let maximumEmptyIntervals = 16.0
}

extension [ClosedRange<Double>] {
    /// The number of intervals of a regular grid that these stretches of time can overlap.
    func intervalCount(ofLength length: Double) -> Double {
        reduce(0) { $0 + ($1.upperBound - $1.lowerBound) / length + 2 }
    }
}

extension PageHeader {
    /// Creates the header that one page with all samples of a group would have.
    fileprivate init(_ key: PageKey, _ bounds: PageBounds, _ summary: PageTotals) {
        self.init(
            type: key.type, count: bounds.count, firstStart: key.firstStart, firstSequence: key.firstSequence,
            lastStart: bounds.lastStart, maximumEnd: bounds.maximumEnd, minimumSequence: bounds.minimumSequence,
            maximumSequence: bounds.maximumSequence, sum: summary.sum, minimum: summary.minimum,
            maximum: summary.maximum,
            latest: Latest(
                value: summary.latestValue, start: summary.latestStart, end: summary.latestEnd,
                sequence: bounds.maximumSequence),
            coveredDuration: summary.coveredDuration, totalDuration: summary.totalDuration,
            weightedSum: summary.weightedSum,
            unit: summary.unit, revisions: summary.revisions, traits: Traits(rawValue: summary.traits))
    }
}
