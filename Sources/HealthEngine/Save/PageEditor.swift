import Foundation
import HealthModel
import HealthPages
import HealthStorage

/// Changes pages inside a transaction: puts samples in, takes samples out, splits what grows too full.
///
/// It keeps one order per type: pages ascend by key, and all rows of a page stand, by start and
/// sequence, before all rows of the next. Only pages that change are encoded again; samples at or
/// after the end of a type's last page, when that page is full, touch none.
///
/// Samples that come one by one, as an application saves them, gather in a short page behind the long
/// one, so that a save does not write a thousand samples to add one. A short page that has grown long
/// enough joins the page before it if that is of middle length, else it is the beginning of one itself; a page
/// that outgrows the middle joins the long one. So a sample is written again about as often as it would be in
/// a tree of these three heights, and a type has at most one page of either kind.
struct PageEditor {
    let transaction: any StorageTransaction
    let capacity: Int
    /// Whether long runs are encoded by several threads.
    var encodesInParallel = false

    // MARK: Putting in

    /// Puts samples in. They are complete columns in the store's numbers, ordered by start and
    /// sequence, and their sequences were taken in this transaction.
    func merge(_ new: SampleColumns) throws {
        let count = new.starts.count
        guard count > 0 else { return }
        guard let first = try transaction.page(of: new.type, forStart: new.starts[0]) else {
            return try write(new, pieces: full(0..<count))
        }
        if count == 1 { return try merge(new, rows: 0..<1, into: first) }
        guard let last = try transaction.page(of: new.type, forStart: new.starts[count - 1]),
            last.key != first.key
        else { return try merge(new, rows: 0..<count, into: first) }

        var pages: [StoredPage] = []
        try transaction.visitPages(
            of: new.type,
            in: .time(
                startsBefore: last.key.firstStart.nextUp, endsAtOrAfter: first.key.firstStart),
            bodies: false
        ) { view in
            if view.key >= first.key, view.key <= last.key { pages.append(view.copy) }
            return true
        }
        var row = 0
        for index in pages.indices {
            // A row that starts where the next page does belongs there: its sequence is the greatest.
            let end =
                index + 1 < pages.count
                ? new.starts.lowerBound(of: pages[index + 1].key.firstStart) : count
            guard end > row else { continue }
            try merge(new, rows: row..<end, into: pages[index])
            row = end
        }
    }

    private func merge(_ new: SampleColumns, rows: Range<Int>, into page: StoredPage) throws {
        let isAfter = new.starts[rows.lowerBound] >= page.bounds.lastStart
        if isAfter, page.bounds.count >= capacity {
            return try write(new, pieces: full(rows))
        }
        if isAfter, rows.count <= shortCount, page.bounds.count >= shortCount {
            return try write(new, pieces: [rows])
        }
        let old = try withBody(page).decode()
        let merged = old.merged(with: new, rows: rows)
        if isAfter, rows.count <= shortCount, merged.starts.count >= shortCount,
            let joined = try join(merged, of: page)
        {
            return try write(joined, pieces: [0..<joined.starts.count])
        }
        let pieces =
            isAfter ? full(0..<merged.starts.count) : even(merged.starts.count)
        if merged.starts[0] != page.key.firstStart || merged.sequences[0] != page.key.firstSequence {
            try transaction.removePage(page.key)
        }
        try write(merged, pieces: pieces)
    }

    /// What becomes of a short page's samples with the pages before it that they join, which are removed but for
    /// the first; `nil` where they stay by themselves.
    private func join(_ samples: SampleColumns, of page: StoredPage) throws -> SampleColumns? {
        guard let middle = try neighbour(before: page),
            middle.bounds.count < middleCount, middle.bounds.count + samples.starts.count <= capacity
        else { return nil }
        var joined = try withBody(middle).decode().merged(with: samples, rows: 0..<samples.starts.count)
        try transaction.removePage(page.key)
        if joined.starts.count >= middleCount, let long = try neighbour(before: middle),
            long.bounds.count + joined.starts.count <= capacity
        {
            joined = try withBody(long).decode().merged(with: joined, rows: 0..<joined.starts.count)
            try transaction.removePage(middle.key)
        }
        return joined
    }

    // MARK: Taking out

    /// Takes the samples of these sequences (ascending) out and returns them, in page order. A
    /// sequence that is not there is passed over.
    func remove(_ sequences: [Int64], of type: TypeCode, identities: DerivedIdentities) throws -> SampleColumns {
        var removed = SampleColumns(type: type)
        var numbers: MetadataNumbers
        let finder = PageFinder(snapshot: transaction, identities: identities)
        var edits: [(page: StoredPage, rows: Set<Int>)] = []
        try finder.visitRows(of: type, sequences: sequences) { page, rows in
            edits.append((page, Set(rows)))
            return true
        }
        for (page, rows) in edits {
            let old = try page.decode()
            numbers = MetadataNumbers()
            for row in rows.sorted() {
                removed.append(old, rows: row..<row + 1, numbers: &numbers)
            }
            let rest = old.rows { !rows.contains($0) }
            if rest.starts.first != page.key.firstStart || rest.sequences.first != page.key.firstSequence {
                try transaction.removePage(page.key)
            }
            if !rest.starts.isEmpty {
                try write(rest, pieces: even(rest.starts.count))
            }
        }
        return removed
    }

    // MARK: Pages

    /// A page of fewer samples is short; 0 where pages are too small for that to matter.
    var shortCount: Int { capacity >= 256 ? capacity / 32 : 0 }

    /// A page of as many samples is no longer of middle length.
    private var middleCount: Int { capacity / 4 }

    /// The page right before this one; its body may be missing.
    private func neighbour(before page: StoredPage) throws -> StoredPage? {
        var found: StoredPage?
        try transaction.visitPages(
            of: page.key.type,
            in: .time(startsBefore: page.key.firstStart.nextUp, endsAtOrAfter: page.key.firstStart),
            bodies: false
        ) { view in
            // Of pages that begin at one instant only a visit tells the last.
            if view.key.firstStart == page.key.firstStart, view.key < page.key { found = view.copy }
            return true
        }
        if let found { return found }
        guard let before = try transaction.page(of: page.key.type, forStart: page.key.firstStart.nextDown),
            before.key < page.key
        else { return nil }
        return before
    }

    /// Full pages, the last one taking the rest: what comes at the end is likely to be continued.
    private func full(_ rows: Range<Int>) -> [Range<Int>] {
        stride(from: rows.lowerBound, to: rows.upperBound, by: capacity).map {
            $0..<Swift.min($0 + capacity, rows.upperBound)
        }
    }

    /// As few pages as hold `count` rows, alike in size: room for what comes between them.
    private func even(_ count: Int) -> [Range<Int>] {
        let pages = (count + capacity - 1) / capacity
        return (0..<pages).map { count * $0 / pages..<count * ($0 + 1) / pages }
    }

    private func withBody(_ page: StoredPage) throws -> StoredPage {
        guard page.body.isEmpty else { return page }
        var whole = page
        whole.body = try transaction.pageBody(page.key) ?? []
        return whole
    }

    private func write(_ columns: SampleColumns, pieces: [Range<Int>]) throws {
        guard encodesInParallel, pieces.count > 3 else {
            for rows in pieces {
                try transaction.putPage(StoredPage(encoding: columns, rows: rows))
            }
            return
        }
        // A group at a time, so that encoded pages do not pile up beside the columns.
        for group in stride(from: 0, to: pieces.count, by: 128) {
            let pages = try ParallelEncoding.encode(
                columns, pieces: Array(pieces[group..<Swift.min(group + 128, pieces.count)]))
            for page in pages {
                try transaction.putPage(page)
            }
        }
    }
}
