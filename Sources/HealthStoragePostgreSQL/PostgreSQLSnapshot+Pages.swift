import HealthModel
import HealthStorage

extension PostgreSQLSnapshot {
    /// All pages of a window, with their bodies.
    struct PageBatches {
        let type: TypeCode
        let firstStarts: ClosedRange<Double>
        let endsAtOrAfter: Double
        let pages: [StoredPage]

        /// The number of pages up to which their bodies are read with the headers. That takes less time than a round
        /// trip.
        static let maximumCount = 4

        /// The pages of a window; `nil` if it isn't part of this one.
        func pages(
            of type: TypeCode, firstStarts: ClosedRange<Double>, endsAtOrAfter: Double
        ) -> [StoredPage]? {
            guard type == self.type, self.firstStarts.contains(firstStarts.lowerBound),
                self.firstStarts.contains(firstStarts.upperBound), endsAtOrAfter >= self.endsAtOrAfter
            else { return nil }
            return pages.filter {
                firstStarts.contains($0.key.firstStart) && $0.bounds.maximumEnd >= endsAtOrAfter
            }
        }
    }

    final func visitPages(
        of type: TypeCode, in window: PageWindow, bodies: Bool,
        _ visit: (PageView) throws -> Bool
    ) throws {
        switch try search(window, of: type) {
        case nil: return
        case .starts(let starts, let earliestEnd)?:
            try visitPages(of: type, firstStarts: starts, endsAtOrAfter: earliestEnd, bodies: bodies, visit)
        case .sequences(let sequences)?:
            try visitPages(of: type, sequences: sequences, bodies: bodies, visit)
        }
    }

    final func search(_ window: PageWindow, of type: TypeCode) throws -> PageSearch? {
        try window.search(longest: { try catalog().longestPage(of: type) ?? 0 })
    }

    /// Visits pages in key order, a batch at a time.
    private func visitPages(
        of type: TypeCode, firstStarts: ClosedRange<Double>, endsAtOrAfter: Double, bodies: Bool,
        _ visit: (PageView) throws -> Bool
    ) throws {
        if let pages = visitedPages?.pages(of: type, firstStarts: firstStarts, endsAtOrAfter: endsAtOrAfter) {
            for page in pages where try !page.withView(bodies: bodies, visit) { return }
            return
        }
        func batch(_ after: PageKey, _ limit: Int64, bodies: Bool) throws -> PostgreSQLRows {
            let sql = """
                \(PostgreSQLPageRow.selection(bodies: bodies))
                WHERE person = $1 AND type = $2 AND (first_start, first_sequence) > ($3, $4) AND first_start <= $5
                    AND greatest_end >= $6
                ORDER BY first_start, first_sequence LIMIT $7
                """
            return try rows(
                sql,
                [person, type, after.firstStart, after.firstSequence, firstStarts.upperBound, endsAtOrAfter, limit])
        }
        var first = PageKey(type: type, firstStart: firstStarts.lowerBound.nextDown, firstSequence: .max)
        // A small window is usually visited for its headers first, and then for some or all bodies.
        if !bodies, keepsPages, firstStarts.lowerBound > -.infinity {
            let rows = try batch(first, Int64(PageBatches.maximumCount), bodies: true)
            let pages = try rows.map { try PostgreSQLPageRow.view($0, of: type, bodies: true).copy }
            let isComplete = pages.count < PageBatches.maximumCount
            if isComplete {
                visitedPages = PageBatches(
                    type: type, firstStarts: firstStarts, endsAtOrAfter: endsAtOrAfter, pages: pages)
            }
            for page in pages where try !page.withView(bodies: bodies, visit) { return }
            guard !isComplete, let last = pages.last?.key else { return }
            first = last
        }
        try visitBatches(of: type, after: first, bodies: bodies, visit) { try batch($0, $1, bodies: bodies) }
    }

    /// Visits pages by maximum sequence number, in key order. The index contains only an upper bound of it.
    private func visitPages(
        of type: TypeCode, sequences: ClosedRange<Int64>, bodies: Bool, _ visit: (PageView) throws -> Bool
    ) throws {
        let sql = """
            \(PostgreSQLPageRow.selection(bodies: bodies))
            WHERE person = $1 AND type = $2 AND (first_start, first_sequence) > ($3, $4) AND sequence_bound >= $5
                AND greatest_sequence >= $5 AND least_sequence <= $6
            ORDER BY first_start, first_sequence LIMIT $7
            """
        let first = PageKey(type: type, firstStart: -.infinity, firstSequence: .min)
        try visitBatches(of: type, after: first, bodies: bodies, visit) { after, limit in
            // Which index is better depends on how many pages the numbers leave.
            try rows(
                sql,
                [
                    person, type, after.firstStart, after.firstSequence, sequences.lowerBound, sequences.upperBound,
                    limit,
                ], isPrepared: false)
        }
    }

    /// Visits pages in batches, which grow, so that a visit that ends early reads little and a long one takes few round
    /// trips and bounded memory.
    private func visitBatches(
        of type: TypeCode, after first: PageKey, bodies: Bool, _ visit: (PageView) throws -> Bool,
        _ batch: (_ after: PageKey, _ limit: Int64) throws -> PostgreSQLRows
    ) throws {
        var after = first
        var limit: Int64 = bodies ? 32 : 512
        let maximum: Int64 = bodies ? 512 : 8_192
        while true {
            let rows = try batch(after, limit)
            for row in rows {
                let view = try PostgreSQLPageRow.view(row, of: type, bodies: bodies)
                after = view.key
                guard try withExtendedLifetime(rows, { try visit(view) }) else { return }
            }
            guard rows.count == Int(limit) else { return }
            limit = min(limit * 8, maximum)
        }
    }

    final func page(of type: TypeCode, forStart start: Double) throws -> StoredPage? {
        if case .found(let page)? = knownPages[type]?.page(forStart: start) { return page }
        let rows = try rows(Self.pageForStart, [person, type, start])
        guard rows.count > 0 else { return nil }
        return try PostgreSQLPageRow.view(rows[0], of: type, bodies: true).copy
    }

    private static let pageForStart = """
        (\(PostgreSQLPageRow.selection(bodies: true, with: ", 0 AS rank"))
            WHERE person = $1 AND type = $2 AND first_start <= $3
            ORDER BY first_start DESC, first_sequence DESC LIMIT 1)
        UNION ALL
        (\(PostgreSQLPageRow.selection(bodies: true, with: ", 1 AS rank"))
            WHERE person = $1 AND type = $2
            ORDER BY first_start, first_sequence LIMIT 1)
        ORDER BY rank LIMIT 1
        """

    final func page(before key: PageKey) throws -> StoredPage? {
        if case .found(let page)? = knownPages[key.type]?.page(before: key) { return page }
        let rows = try rows(Self.pageBeforeKey, [person, key.type, key.firstStart, key.firstSequence])
        guard rows.count > 0 else { return nil }
        return try PostgreSQLPageRow.view(rows[0], of: key.type, bodies: false).copy
    }

    private static let pageBeforeKey = """
        \(PostgreSQLPageRow.selection(bodies: false))
        WHERE person = $1 AND type = $2 AND (first_start, first_sequence) < ($3, $4)
        ORDER BY first_start DESC, first_sequence DESC LIMIT 1
        """

    final func pageBody(_ key: PageKey) throws -> [UInt8]? {
        if let body = knownPages[key.type]?.body(key) { return body }
        if let page = visitedPages?.pages.first(where: { $0.key == key }) { return page.body }
        let rows = try rows(
            "SELECT body FROM page WHERE person = $1 AND type = $2 AND first_start = $3 AND first_sequence = $4",
            [person, key.type, key.firstStart, key.firstSequence])
        return rows.count == 0 ? nil : Array(rows[0].bytes(0))
    }

    final func typesInUse() throws -> [TypeCode] {
        try types(in: [("page", nil), ("object", nil)], [person])
    }

    /// One round trip, of which a server with the store open makes one for every commit of another server.
    final func typesAdded(after sequence: Int64) throws -> [TypeCode] {
        try types(
            in: [("page", "sequence_bound > $2 AND greatest_sequence > $2"), ("object", "sequence > $2")],
            [person, sequence])
    }

    /// The types of which a table has a row that meets a condition.
    private func types(
        in tables: [(name: String, condition: String?)], _ arguments: [any PostgreSQLArgument]
    ) throws -> [TypeCode] {
        let found = try perform(
            tables.map { PostgreSQLCall(Self.types(in: $0.name, $0.condition), arguments) })
        var types: Set<TypeCode> = []
        for rows in found.suffix(tables.count) {
            for row in rows { types.insert(try row.code(0)) }
        }
        return types.sorted()
    }

    /// Searches for the next type repeatedly, so that the rows in between are not read.
    private static func types(in table: String, _ condition: String?) -> String {
        let rest = condition.map {
            " AND EXISTS (SELECT 1 FROM \(table) WHERE person = $1 AND \(table).type = used.type AND \($0))"
        }
        return """
            WITH RECURSIVE used (type) AS (
                (SELECT type FROM \(table) WHERE person = $1 ORDER BY type LIMIT 1)
                UNION ALL
                SELECT (SELECT next.type FROM \(table) next WHERE next.person = $1 AND next.type > used.type
                    ORDER BY next.type LIMIT 1)
                FROM used WHERE used.type IS NOT NULL)
            SELECT type FROM used WHERE type IS NOT NULL\(rest ?? "")
            """
    }
}

/// A row of `page`.
enum PostgreSQLPageRow {
    /// The beginning of a statement whose rows are read by ``view(_:_:of:bodies:)``.
    static func selection(bodies: Bool, with more: String = "") -> String {
        """
        SELECT first_start, first_sequence, last_start, greatest_end, least_sequence, greatest_sequence, count, header\
        \(bodies ? ", body" : "")\(more) FROM page
        """
    }

    /// A row, without copying its bytes.
    static func view(_ row: PostgreSQLRow, of type: TypeCode, bodies: Bool) throws -> PageView {
        let count = Int(try row.integer(6))
        guard count > 0 else { throw StorageError(.damaged, "A stored page has no samples.") }
        return PageView(
            key: PageKey(type: type, firstStart: try row.real(0), firstSequence: try row.integer(1)),
            bounds: PageBounds(
                count: count, lastStart: try row.real(2), maximumEnd: try row.real(3),
                minimumSequence: try row.integer(4), maximumSequence: try row.integer(5)), header: row.bytes(7),
            body: bodies ? row.bytes(8) : UnsafeRawBufferPointer(start: nil, count: 0))
    }

    /// The last number in the block of 1,024 that contains a sequence number.
    static func bound(_ sequence: Int64) -> Int64 { sequence | 1_023 }
}
