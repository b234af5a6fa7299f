import Dispatch
package import HealthModel
import HealthPages
package import HealthStorage
import Synchronization

/// Changes pages inside a transaction: inserts samples, removes samples, and splits pages that exceed the capacity.
///
/// Within a type, pages ascend by key, and all rows of a page precede, by start and sequence, all rows of the next.
/// Only pages that change are encoded again. Samples at or after the end of a type's last page change no page if that
/// one is full.
///
/// Samples saved one by one are collected in a short page at the end, so that a save does not write a thousand samples
/// to add one. A run that would fill such a page, as of an hour, gets one of its own. When enough short pages have become
/// full, they are joined to one of medium length, and enough of these to a full one. So a sample is rewritten twice after
/// its own page is full, and a type has about a dozen pages that are not full.
package struct PageEditor {
    let transaction: any StorageTransaction
    let capacity: Int
    /// Whether long runs are encoded by several threads.
    var encodesInParallel: Bool

    package init(transaction: any StorageTransaction, capacity: Int, encodesInParallel: Bool = false) {
        self.transaction = transaction
        self.capacity = capacity
        self.encodesInParallel = encodesInParallel
    }

    // MARK: Inserting

    /// Inserts samples. The columns are complete, in the store's numbers and ordered by start and sequence; the
    /// sequences were taken in this transaction.
    package func merge(_ new: SampleColumns) throws {
        let count = new.starts.count
        guard count > 0 else { return }
        guard let first = try transaction.page(of: new.type, forStart: new.starts[0]) else {
            return try write(new, pieces: full(0..<count))
        }
        if count == 1 { return try merge(new, rows: 0..<1, into: first) }
        guard let last = try transaction.page(of: new.type, forStart: new.starts[count - 1]), last.key != first.key
        else { return try merge(new, rows: 0..<count, into: first) }

        var pages: [StoredPage] = []
        try transaction.visitPages(
            of: new.type, in: .time(startsBefore: last.key.firstStart.nextUp, endsAtOrAfter: first.key.firstStart),
            bodies: false
        ) { view in
            if view.key >= first.key, view.key <= last.key { pages.append(view.copy) }
            return true
        }
        var row = 0
        for index in pages.indices {
            // A row that starts where the next page does belongs there, because its sequence is the highest.
            let end = index + 1 < pages.count ? new.starts.lowerBound(of: pages[index + 1].key.firstStart) : count
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
        let isCollected = isAfter && rows.count < collectedCount
        if isCollected, page.bounds.count >= shortCount {
            guard rows.count >= shortCount, let joined = try join(new, rows, of: nil, after: page) else {
                return try write(new, pieces: [rows])
            }
            return try write(joined, pieces: full(joined.starts.indices))
        }
        let old = try withBody(page).decode()
        let merged = old.merged(with: new, rows: rows)
        if isCollected, merged.starts.count >= shortCount,
            let joined = try join(merged, merged.starts.indices, of: page, after: nil)
        {
            return try write(joined, pieces: full(joined.starts.indices))
        }
        let pieces = isAfter ? full(0..<merged.starts.count) : even(merged.starts.count)
        if merged.starts[0] != page.key.firstStart || merged.sequences[0] != page.key.firstSequence {
            try transaction.removePage(page.key)
        }
        try write(merged, pieces: pieces)
    }

    /// Returns the samples of a full short page joined to those of the pages before it, all of which but the first are
    /// removed, or `nil` if the page stays because they are too few.
    ///
    /// - Parameters:
    ///   - page: The page as it is stored; `nil` for a new one.
    ///   - last: The page before a new one.
    private func join(
        _ samples: SampleColumns, _ rows: Range<Int>, of page: StoredPage?, after last: StoredPage?
    ) throws -> SampleColumns? {
        let own = page.map { [$0] } ?? []
        var pages = own
        var count = rows.count
        for limit in [mediumCount, capacity] {
            // The search ends when there are enough, so it never goes far back, but takes along what would be left alone between
            // pages that are full.
            var (found, total) = (pages, count)
            while let before = try found.last.map({ try transaction.page(before: $0.key) }) ?? last,
                before.bounds.count < limit, total < limit || total + before.bounds.count < 2 * limit
            {
                found.append(before)
                total += before.bounds.count
            }
            guard total >= limit else { break }
            (pages, count) = (found, total)
        }
        guard pages.count > own.count else { return nil }
        var joined = SampleColumns(type: samples.type)
        joined.reserveCapacity(count)
        func append(_ part: SampleColumns, _ rows: Range<Int>) {
            var renumbering = MetadataRenumbering()
            joined.append(part, rows: rows, &renumbering)
        }
        for page in pages.dropFirst(own.count).reversed() {
            let part = try withBody(page).decode()
            append(part, part.starts.indices)
        }
        append(samples, rows)
        for page in pages.dropLast() { try transaction.removePage(page.key) }
        return joined
    }

    // MARK: Removing

    /// Removes the samples with these sequences (ascending) and returns them in page order. Sequences that are not
    /// stored are ignored.
    func remove(_ sequences: [Int64], of type: TypeCode, identities: DerivedIdentities) throws -> SampleColumns {
        var removed = SampleColumns(type: type)
        let finder = PageFinder(snapshot: transaction, identities: identities)
        var edits: [(page: StoredPage, rows: Set<Int>)] = []
        try finder.visitRows(of: type, sequences: sequences) { page, rows in
            edits.append((page, Set(rows)))
            return true
        }
        for (page, rows) in edits {
            let old = try page.decode()
            removed.append(old, rows: rows.sorted())
            let rest = old.filtered { !rows.contains($0) }
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

    /// The number of samples from which a page is no longer short; 0 if the capacity is too small for short pages.
    var shortCount: Int { capacity >= 256 ? capacity / 32 : 0 }

    /// The number of samples from which a page is no longer of medium length.
    private var mediumCount: Int { capacity / 4 }

    /// The number of samples from which a run is merged with the last page instead of collected in short pages.
    private var collectedCount: Int { shortCount > 0 ? mediumCount : 0 }

    /// Divides rows into full pages and a last one with the rest, to which samples are likely to be appended.
    private func full(_ rows: Range<Int>) -> [Range<Int>] {
        stride(from: rows.lowerBound, to: rows.upperBound, by: capacity).map {
            $0..<Swift.min($0 + capacity, rows.upperBound)
        }
    }

    /// Divides rows into as few pages as possible, of equal size, which leaves room for insertions.
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
        // In groups, so that the encoded pages do not all take memory beside the columns.
        for group in stride(from: 0, to: pieces.count, by: 128) {
            let pages = try ParallelEncoding.encode(
                columns, pieces: Array(pieces[group..<Swift.min(group + 128, pieces.count)]))
            for page in pages {
                try transaction.putPage(page)
            }
        }
    }
}

/// Encodes many pages concurrently, on all cores.
private enum ParallelEncoding {
    static func encode(_ columns: SampleColumns, pieces: [Range<Int>]) throws -> [StoredPage] {
        let slots = Mutex<[Result<StoredPage, any Error>?]>(Array(repeating: nil, count: pieces.count))
        DispatchQueue.concurrentPerform(iterations: pieces.count) { index in
            let page = Result { try StoredPage(encoding: columns, rows: pieces[index]) }
            slots.withLock { $0[index] = page }
        }
        return try slots.withLock { slots in
            try slots.map { slot in
                guard let slot else { preconditionFailure("every iteration fills its slot") }
                return try slot.get()
            }
        }
    }
}

// MARK: - Short pages

extension PageEditor {
    /// Merges samples like ``merge(_:)``, but appends a few of them to the type's last page without reading it where
    /// `shortPages` has it, and records the last page there.
    func merge(_ new: SampleColumns, shortPages: inout ShortPages) throws {
        var known = shortPages.removePage(of: new.type)
        guard let first = new.starts.first, let final = new.starts.last, new.starts.count <= Self.maximumAppend else {
            return try merge(new)
        }
        if let lastStart = known?.lastStart, let count = known?.samples.starts.count, first >= lastStart,
            count + new.starts.count < shortCount
        {
            let location = known?.location
            // The columns are taken out, so that they are not copied when the rows are appended.
            guard var samples = known.take()?.samples else { return }
            var renumbering = MetadataRenumbering()
            samples.append(new, rows: new.starts.indices, &renumbering)
            try put(samples, replacing: location, shortPages: &shortPages)
            return
        }
        try merge(new)
        guard let last = try transaction.page(of: new.type, forStart: .infinity),
            last.bounds.count < shortCount, last.bounds.lastStart <= final
        else { return }
        shortPages.keep(ShortPages.Page(lastStart: last.bounds.lastStart, samples: try last.decode()))
    }

    /// Reads ahead the pages to which samples are going to be merged, except those in `shortPages`. Long runs are left
    /// out, which belong to many pages.
    func prefetchPages(of runs: [SampleColumns], besides shortPages: ShortPages) throws {
        let missing = runs.compactMap { run -> PageRun? in
            let count = run.starts.count
            guard let first = run.starts.first, let last = run.starts.last, count <= capacity else { return nil }
            if count <= Self.maximumAppend, let index = shortPages.index(of: run.type) {
                let page = shortPages.outline(at: index)
                if first >= page.lastStart, page.count + count < shortCount { return nil }
            }
            // A long run isn't collected in short pages, and one that fills such a page may be joined with any others.
            let joined = max(shortCount - count, 0)..<(count < shortCount ? shortCount : capacity)
            return PageRun(
                type: run.type, firstStart: first, lastStart: last, bodyCount: capacity,
                joinedCounts: count < collectedCount ? joined : 0..<0)
        }
        if !missing.isEmpty { try transaction.prefetchPages(of: missing) }
    }

    /// Returns the index of the page in `shortPages` to which ``append(_:unit:revision:device:sequence:at:of:)`` can
    /// append a sample: the last one of its type, if the sample belongs at its end and no pages are to be joined.
    func indexForAppending(_ sample: SampleRecord, in shortPages: inout ShortPages) throws -> Int? {
        guard let index = shortPages.index(of: sample.type) else { return nil }
        let (lastStart, count) = shortPages.outline(at: index)
        guard sample.start >= lastStart else { return nil }
        guard count + 1 == shortCount else { return index }
        // The sample fills the page, which is joined with the short pages before it if there are enough.
        return try shortPages.change(index) { page in
            let before = try page.samplesBefore ?? samplesInShortPages(before: page.key)
            page.samplesBefore = before
            return before + count + 1 < mediumCount ? index : nil
        }
    }

    /// The number of samples in the short pages that directly precede a page; not all are counted if there are enough
    /// to join them.
    private func samplesInShortPages(before key: PageKey) throws -> Int {
        var (key, total) = (key, 0)
        while total < mediumCount, let before = try transaction.page(before: key), before.bounds.count < mediumCount {
            key = before.key
            total += before.bounds.count
        }
        return total
    }

    /// Appends one sample to a type's last page or, if that one is full, begins another.
    func append(
        _ sample: SampleRecord, unit: UInt32, revision: UInt32, device: UInt32, sequence: Int64,
        at index: Int, of shortPages: inout ShortPages
    ) throws {
        try shortPages.change(index) { page in
            if page.samples.starts.count >= shortCount { page.beginNext() }
            var interner = MetadataInterner()
            page.samples.append(
                sample, unit: unit, revision: revision, device: device, sequence: sequence, &interner)
            page.lastStart = sample.start
            let stored = try StoredPage(encoding: page.samples, rows: page.samples.starts.indices)
            page.location = try transaction.putPage(stored, replacing: page.location)
        }
    }

    private func put(
        _ samples: SampleColumns, replacing location: PageLocation?, shortPages: inout ShortPages
    ) throws {
        let page = try StoredPage(encoding: samples, rows: samples.starts.indices)
        let written = try transaction.putPage(page, replacing: location)
        shortPages.keep(ShortPages.Page(lastStart: page.bounds.lastStart, samples: samples, location: written))
    }

    /// Larger batches are not appended: for them merging costs little beside writing.
    private static var maximumAppend: Int { 8 }
}

/// The short pages at the ends of their types, decoded, as the last saves left them, and full ones that samples will
/// follow. With them, samples saved one by one are appended without finding, reading and decoding the page.
///
/// Owned by the writer. They are valid for one state of the store; a write other than a save discards them.
struct ShortPages {
    /// A short page. No other page of its type begins after it.
    struct Page {
        var lastStart: Double
        var samples: SampleColumns
        /// The set of its type, made once for the notifications of all saves.
        let types: Set<TypeCode>
        /// Where the backend keeps it, if it said so.
        var location: PageLocation?
        /// The number of samples in the short pages directly before it, if it has been counted.
        var samplesBefore: Int?

        init(lastStart: Double, samples: SampleColumns, location: PageLocation? = nil) {
            self.lastStart = lastStart
            self.samples = samples
            self.location = location
            types = [samples.type]
        }

        var key: PageKey {
            PageKey(type: samples.type, firstStart: samples.starts[0], firstSequence: samples.sequences[0])
        }

        /// Becomes the page after this one, without samples yet.
        mutating func beginNext() {
            samplesBefore = samplesBefore.map { $0 + samples.starts.count }
            samples = SampleColumns(type: samples.type)
            location = nil
        }
    }

    /// The number of types whose pages are kept; a process rarely alternates between more of them.
    private static let maximumCount = 64

    /// A list, because a process saves few types, among which one is found sooner by comparing than by hashing.
    private var pages: [Page] = []
    /// The state that the pages belong to.
    private var state: StorageState?

    /// Begins a transaction from a state, discarding pages of any other state.
    mutating func begin(from base: StorageState?) {
        if base == nil || base != state { pages.removeAll(keepingCapacity: true) }
        state = base?.afterCommit
    }

    /// Returns the index of the page of a type, which is valid until a page is added or removed.
    func index(of type: TypeCode) -> Int? {
        pages.firstIndex { $0.samples.type == type }
    }

    /// The last start and the number of samples of the page at an index.
    func outline(at index: Int) -> (lastStart: Double, count: Int) {
        (pages[index].lastStart, pages[index].samples.starts.count)
    }

    /// The set of the type of the page at an index.
    func types(at index: Int) -> Set<TypeCode> {
        pages[index].types
    }

    /// Calls `body` with the page at an index, which stays where it is, so that its columns are not copied. If `body`
    /// throws, the page may have been changed; then the transaction fails, and no page is kept.
    mutating func change<Value>(_ index: Int, _ body: (inout Page) throws -> Value) rethrows -> Value {
        try body(&pages[index])
    }

    /// Removes and returns the page of a type, which the caller is about to change.
    mutating func removePage(of type: TypeCode) -> Page? {
        guard let index = index(of: type) else { return nil }
        pages.swapAt(index, pages.count - 1)
        return pages.removeLast()
    }

    /// Keeps the page of a type, of which there is none yet. Has no effect where states cannot be compared.
    mutating func keep(_ page: Page) {
        guard state != nil else { return }
        if pages.count >= Self.maximumCount { pages.removeAll(keepingCapacity: true) }
        pages.append(page)
    }
}
