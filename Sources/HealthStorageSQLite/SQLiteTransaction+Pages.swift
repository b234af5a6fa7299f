import GRDB
import HealthModel
import HealthStorage

extension SQLiteTransaction {
    func putPage(_ page: StoredPage, replacing known: PageLocation?) throws -> PageLocation? {
        let previous = known?.key == page.key ? known : try location(of: page.key)
        lastFound = nil
        // Rows that are no longer in the page have been moved or removed.
        if let previous, previous.maximumSequence > page.bounds.maximumSequence { try willRemove() }
        recordSequence(page.bounds.maximumSequence)
        let isInline = page.header.count + page.body.count <= SQLitePageRow.inlineBytes
        let body = try putBody(isInline ? nil : page.body, at: previous?.body)
        let keepsIndex = previous.map {
            SQLitePosition.bound($0.maximumSequence) == SQLitePosition.bound(page.bounds.maximumSequence)
                && $0.minimumSequence == page.bounds.minimumSequence
        }
        func write(_ statement: PreparedStatement) throws {
            let bounds = page.bounds
            try statement.bind([
                page.key.type, page.key.firstStart, page.key.firstSequence, bounds.lastStart, bounds.maximumEnd,
                bounds.maximumSequence, Int64(bounds.count), body,
            ])
            if keepsIndex != true {
                try statement.bind([bounds.minimumSequence, SQLitePosition.bound(bounds.maximumSequence)], from: 11)
            }
            try page.header.withUnsafeBytes { header in
                try statement.bind(bytes: header, at: 9)
                try page.body.withUnsafeBytes { bytes in
                    if isInline { try statement.bind(bytes: bytes, at: 10) }
                    try statement.execute()
                }
            }
        }
        switch keepsIndex {
        case true?: try statements.run(.updatePage, in: connection, write)
        case false?: try database.run(SQLitePageRow.update) { try write($0) }
        case nil: try database.run(SQLitePageRow.insert) { try write($0) }
        }
        let location = PageLocation(
            key: page.key, body: body, minimumSequence: page.bounds.minimumSequence,
            maximumSequence: page.bounds.maximumSequence)
        lastFound = location
        try raiseSpan(page.bounds.maximumEnd - page.key.firstStart, of: page.key.type)
        return location
    }

    /// Writes a body to `page_body`, in its previous row if any, and returns the row. Without a body, removes the row.
    private func putBody(_ body: [UInt8]?, at previous: Int64?) throws -> Int64? {
        guard let body else {
            if let previous { try removeBody(previous) }
            return nil
        }
        // INSERT OR REPLACE would journal the pages that it might have to restore.
        try database.run(
            previous == nil ? "INSERT INTO page_body (bytes) VALUES (?)" : "UPDATE page_body SET bytes = ? WHERE id = ?"
        ) { statement in
            if let previous { try statement.bind([previous], from: 2) }
            try body.withUnsafeBytes {
                try statement.bind(bytes: $0, at: 1)
                try statement.execute()
            }
        }
        return previous ?? connection.lastInsertedRowID
    }

    private func removeBody(_ body: Int64) throws {
        try database.execute("DELETE FROM page_body WHERE id = ?", [body])
    }

    func removePage(_ key: PageKey) throws {
        guard let previous = try location(of: key) else { return }
        lastFound = nil
        try willRemove()
        if let body = previous.body { try removeBody(body) }
        try database.execute(
            "DELETE FROM page_header WHERE type = ? AND first_start = ? AND first_sequence = ?", key.arguments)
    }

    private func location(of key: PageKey) throws -> PageLocation? {
        if let lastFound, lastFound.key == key { return lastFound }
        return try database.first(
            """
            SELECT body_id, least_sequence, greatest_sequence FROM page_header
            WHERE type = ? AND first_start = ? AND first_sequence = ?
            """,
            key.arguments
        ) { statement in
            PageLocation(
                key: key, body: statement.isNull(0) ? nil : statement.integer(0), minimumSequence: statement.integer(1),
                maximumSequence: statement.integer(2))
        }
    }

    /// Raises the maximum page length of the type, which is never lowered. It is a power of two, so that pages that
    /// grow sample by sample rarely change it.
    private func raiseSpan(_ span: Double, of type: TypeCode) throws {
        guard span > 0 else { return }
        if let known = memory[longestOf: type], known >= span { return }
        if let longest = try longestPage(of: type), longest >= span {
            if !raisedSpans.contains(type) { memory[longestOf: type] = longest }
            return
        }
        raisedSpans.insert(type)
        let bound = span.isNormal ? span.binade * 2 : span
        try database.execute("INSERT OR REPLACE INTO page_span (type, longest) VALUES (?, ?)", [type, bound])
    }
}

extension SQLitePageRow {
    static let insert = """
        INSERT INTO page_header
            (type, first_start, first_sequence, last_start, greatest_end, greatest_sequence, count, body_id,
            header, body, least_sequence, sequence_bound)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)
        """
    static let update = """
        UPDATE page_header SET last_start = ?4, greatest_end = ?5, greatest_sequence = ?6, count = ?7,
            body_id = ?8, header = ?9, body = ?10, least_sequence = ?11, sequence_bound = ?12
        WHERE type = ?1 AND first_start = ?2 AND first_sequence = ?3
        """
    /// Sets no column of `page_sequence`: SQLite rewrites an index for every column that is set, whether it changes or
    /// not.
    static let updateInPlace = """
        UPDATE page_header SET last_start = ?4, greatest_end = ?5, greatest_sequence = ?6, count = ?7,
            body_id = ?8, header = ?9, body = ?10
        WHERE type = ?1 AND first_start = ?2 AND first_sequence = ?3
        """
}
