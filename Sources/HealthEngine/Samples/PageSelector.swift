import HealthModel
import HealthPages
import HealthStorage

/// Gathers the matching page samples of one type, reading no page that a header can answer for.
struct PageSelector {
    private let part: SelectionPart
    private let snapshot: any StorageSnapshot
    private(set) var rows: SampleColumns

    init(_ part: SelectionPart, in snapshot: any StorageSnapshot) {
        self.part = part
        self.snapshot = snapshot
        rows = SampleColumns(type: part.type)
    }

    /// Every matching row, in page order.
    mutating func selectAll() throws {
        if let sequences = part.fewSequences {
            var seen: Set<PageKey> = []
            for sequence in sequences {
                try snapshot.visitPages(of: part.type, in: .containing(sequence: sequence), bodies: true) { page in
                    if seen.insert(page.key).inserted { try take(page) }
                    return true
                }
            }
            return
        }
        try snapshot.visitPages(of: part.type, in: part.window, bodies: true) { page in
            try take(page)
            return true
        }
    }

    /// At least the first `limit` rows in the order of `rank`, ties included, and few others.
    mutating func select(first limit: Int, by rank: SelectionRank) throws {
        guard part.fewSequences == nil else { return try selectAll() }
        var best = BestKeys(limit: limit)
        if rank.followsPages {
            try snapshot.visitPages(of: part.type, in: part.window, bodies: true) { page in
                if let worst = best.worst, page.key.firstStart > worst { return false }
                try take(page, by: rank, among: &best)
                return true
            }
            return
        }
        var window = part.window
        var done: PageKey?
        if rank.beginsAtTheEnd, part.after == 0 {
            let before = part.test.timeHull.startsBefore ?? .infinity
            guard let last = try snapshot.page(of: part.type, forStart: before.nextDown) else { return }
            try take(last, by: rank, among: &best)
            done = last.key
            if let worst = best.worst {
                // Starts ascend from page to page: nothing before this one begins after it does.
                if rank == .startDescending, -worst > last.key.firstStart { return }
                window = part.window(endsAtOrAfter: -worst)
            }
        }
        try selectByHeaders(window, except: done, by: rank, among: &best)
    }

    /// Looks at every header, then at bodies from the most promising on, until none can matter.
    private mutating func selectByHeaders(
        _ window: PageWindow, except done: PageKey?, by rank: SelectionRank, among best: inout BestKeys
    ) throws {
        var candidates: [(page: StoredPage, bound: Double)] = []
        try snapshot.visitPages(of: part.type, in: window, bodies: false) { page in
            guard page.key != done else { return true }
            let header = try PageHeader(decoding: page.header)
            if case .always(false) = part.reduced(by: header) { return true }
            candidates.append((page.copy, rank.bound(header)))
            return true
        }
        candidates.sort { $0.bound < $1.bound }
        for candidate in candidates {
            if let worst = best.worst, candidate.bound > worst { return }
            guard let body = try snapshot.pageBody(candidate.page.key) else { continue }
            var page = candidate.page
            page.body = body
            try take(page, by: rank, among: &best)
        }
    }

    // MARK: One page

    private mutating func take(_ page: PageView) throws {
        let header = try PageHeader(decoding: page.header)
        try take(header, page.body) { _, _ in true }
    }

    private mutating func take(
        _ page: PageView, by rank: SelectionRank, among best: inout BestKeys
    ) throws {
        let header = try PageHeader(decoding: page.header)
        try take(header, page.body, by: rank, among: &best)
    }

    private mutating func take(
        _ page: StoredPage, by rank: SelectionRank, among best: inout BestKeys
    ) throws {
        let header = try PageHeader(decoding: page.header)
        try page.body.withUnsafeBytes { try take(header, $0, by: rank, among: &best) }
    }

    private mutating func take(
        _ header: PageHeader, _ body: UnsafeRawBufferPointer, by rank: SelectionRank,
        among best: inout BestKeys
    ) throws {
        try take(header, body, keyColumn: rank.column) { best.admit(rank.key($0, $1)) }
    }

    /// Appends the rows of one page that pass the test and that `admit` lets in. Without a key column
    /// everything is let in.
    private mutating func take(
        _ header: PageHeader, _ body: UnsafeRawBufferPointer, keyColumn: SampleColumnSet = [],
        _ admit: (SampleColumns, Int) -> Bool
    ) throws {
        let test = part.reduced(by: header)
        if case .always(false) = test { return }
        let isCut = header.leastSequence <= part.after
        let reader = try PageReader(header: header, body: body)
        if case .always(true) = test, keyColumn.isEmpty, !isCut {
            try reader.append(part.columns, to: &rows)
            return
        }
        let looked = test.columns.union(keyColumn).union(.sequences)
        let page = try reader.read(looked)
        let marks = test.marks(of: page, count: header.count)
        let picked = (0..<header.count).filter {
            marks[$0] && page.sequences[$0] > part.after && admit(page, $0)
        }
        guard !picked.isEmpty else { return }
        if picked.count == header.count {
            try reader.append(part.columns, to: &rows)
        } else {
            rows.append(picked, of: try reader.read(part.columns))
        }
    }
}
