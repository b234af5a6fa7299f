import HealthModel
import HealthStorage

extension PostgreSQLTransaction {
    /// The pages written and removed since the last visit of pages. They are sent together, and many of them as one copy.
    struct PendingPages {
        var pages: [PageKey: StoredPage] = [:]
        var removed: Set<PageKey> = []
        var byteCount = 0

        mutating func put(_ page: StoredPage) {
            takeBack(page.key)
            removed.remove(page.key)
            pages[page.key] = page
            byteCount += page.header.count + page.body.count + 128
        }

        mutating func remove(_ key: PageKey) {
            takeBack(key)
            if removed.insert(key).inserted { byteCount += 128 }
        }

        private mutating func takeBack(_ key: PageKey) {
            guard let page = pages.removeValue(forKey: key) else { return }
            byteCount -= page.header.count + page.body.count + 128
        }

        /// Whether pages of a type have been written or removed.
        func hasChanged(_ type: TypeCode) -> Bool {
            pages.keys.contains { $0.type == type } || removed.contains { $0.type == type }
        }
    }

    /// The number of pages from which they are copied instead of inserted one by one.
    static let copiedCount = 24
    /// The length of pages that are kept before they are sent.
    private static let maximumPending = 8 << 20

    func putPage(_ page: StoredPage, replacing previous: PageLocation?) throws -> PageLocation? {
        try raiseSpan(page.bounds.maximumEnd - page.key.firstStart, of: page.key.type)
        pendingPages.put(page)
        knownPages[page.key.type]?.put(page)
        recordWriting()
        if pendingPages.byteCount >= Self.maximumPending { try flush() }
        return nil
    }

    func removePage(_ key: PageKey) throws {
        pendingPages.remove(key)
        if knownPages[key.type]?.remove(key) == false { knownPages[key.type] = nil }
        recordWriting()
        if pendingPages.byteCount >= Self.maximumPending { try flush() }
    }

    /// Takes the pending pages as statements, or as a copy if there are many.
    func takePages() -> (calls: [PostgreSQLCall], copy: PageCopyData?) {
        let pages = pendingPages.pages.values.sorted { $0.key < $1.key }
        var removed = Array(pendingPages.removed)
        pendingPages = PendingPages()
        let isCopied = pages.count >= Self.copiedCount && pool.canCopy
        // The predecessors of copied pages are removed first, because a copy cannot replace.
        if isCopied { removed += pages.map(\.key) }
        let types = Dictionary(grouping: removed, by: \.type).sorted { $0.key < $1.key }
        let removals = types.map { type, keys in
            PostgreSQLCall(
                """
                DELETE FROM page WHERE person = $1 AND type = $2
                    AND (first_start, first_sequence) IN (SELECT * FROM unnest($3::float8[], $4::int8[]))
                """,
                [person, type, keys.map(\.firstStart), keys.map(\.firstSequence)])
        }
        return isCopied ? (removals, PageCopyData(person: person, pages: pages)) : (removals + pages.map(upsert), nil)
    }

    private func upsert(_ page: StoredPage) -> PostgreSQLCall {
        PostgreSQLCall(
            """
            INSERT INTO page (\(PageCopyData.columns)) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
            \(Self.replacement)
            """,
            [person] + page.arguments)
    }

    /// The end of a statement that inserts a page or replaces it.
    static let replacement = """
        ON CONFLICT (person, type, first_start, first_sequence) DO UPDATE SET
            last_start = excluded.last_start, greatest_end = excluded.greatest_end,
            least_sequence = excluded.least_sequence, greatest_sequence = excluded.greatest_sequence,
            sequence_bound = excluded.sequence_bound, count = excluded.count, header = excluded.header,
            body = excluded.body, revisions = excluded.revisions, summary = excluded.summary
        """
}

extension StoredPage {
    /// The columns of a page but the person, in the order of `PageCopyData.columns`.
    var arguments: [any PostgreSQLArgument] {
        let summary = PostgreSQLPageSummary(self)
        return [
            key.type, key.firstStart, key.firstSequence, bounds.lastStart, bounds.maximumEnd, bounds.minimumSequence,
            bounds.maximumSequence, PostgreSQLPageRow.bound(bounds.maximumSequence), Int64(bounds.count), header, body,
            summary?.revisions, summary?.values,
        ]
    }
}

/// Pages as the data of `COPY` in PostgreSQL's binary format.
struct PageCopyData {
    static let columns = """
        person, type, first_start, first_sequence, last_start, greatest_end, least_sequence, greatest_sequence, \
        sequence_bound, count, header, body, revisions, summary
        """
    /// The person is in the data, in every row.
    static let statement = "COPY page (\(columns)) FROM STDIN (FORMAT binary)"

    private(set) var data: [UInt8] = []

    init(person: Int64, pages: [StoredPage]) {
        data.reserveCapacity(pages.reduce(64) { $0 + $1.header.count + $1.body.count + 160 })
        data += Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0]
        data.appendBigEndian(Int32(0))
        data.appendBigEndian(Int32(0))
        for page in pages {
            data.appendBigEndian(Int16(14))
            let row = PostgreSQLArguments([person] + page.arguments)
            for range in row.ranges {
                data.appendBigEndian(Int32(range?.count ?? -1))
                if let range { data += row.bytes[range] }
            }
        }
        data.appendBigEndian(Int16(-1))
    }
}
