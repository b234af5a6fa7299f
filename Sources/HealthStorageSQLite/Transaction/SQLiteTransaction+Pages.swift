import GRDB
import HealthModel
import HealthStorage

extension SQLiteTransaction {
    func putPage(_ page: StoredPage) throws {
        if let former = try bodyNumber(of: page.key) {
            // Not INSERT OR REPLACE: that keeps copies of what it may have to take back.
            try database.run("UPDATE page_body SET bytes = ? WHERE id = ?") { statement in
                try statement.bind(former, at: 2)
                try page.body.withUnsafeBytes {
                    try statement.bind(bytes: $0, at: 1)
                    try statement.execute()
                }
            }
            try putHeader(
                page, body: former,
                """
                UPDATE page_header SET last_start = ?4, greatest_end = ?5, least_sequence = ?6,
                    greatest_sequence = ?7, count = ?8, body_id = ?9, header = ?10
                WHERE type = ?1 AND first_start = ?2 AND first_sequence = ?3
                """)
        } else {
            try database.run("INSERT INTO page_body (bytes) VALUES (?)") { statement in
                try page.body.withUnsafeBytes {
                    try statement.bind(bytes: $0, at: 1)
                    try statement.execute()
                }
            }
            try putHeader(
                page, body: database.lastInsertedRowID,
                """
                INSERT INTO page_header
                    (type, first_start, first_sequence, last_start, greatest_end, least_sequence,
                    greatest_sequence, count, body_id, header)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
                """)
        }
        try noteSpan(page.bounds.greatestEnd - page.key.firstStart, of: page.key.type)
    }

    private func putHeader(_ page: StoredPage, body: Int64, _ sql: String) throws {
        try database.run(sql) { statement in
            try statement.bind(page.key)
            try statement.bind(page.bounds.lastStart, at: 4)
            try statement.bind(page.bounds.greatestEnd, at: 5)
            try statement.bind(page.bounds.leastSequence, at: 6)
            try statement.bind(page.bounds.greatestSequence, at: 7)
            try statement.bind(Int64(page.bounds.count), at: 8)
            try statement.bind(body, at: 9)
            try page.header.withUnsafeBytes { header in
                try statement.bind(bytes: header, at: 10)
                try statement.execute()
            }
        }
    }

    func removePage(_ key: PageKey) throws {
        guard let body = try bodyNumber(of: key) else { return }
        try database.run("DELETE FROM page_body WHERE id = ?") { statement in
            try statement.bind(body, at: 1)
            try statement.execute()
        }
        try database.run(
            "DELETE FROM page_header WHERE type = ? AND first_start = ? AND first_sequence = ?"
        ) { statement in
            try statement.bind(key)
            try statement.execute()
        }
    }

    private func bodyNumber(of key: PageKey) throws -> Int64? {
        try database.run(
            "SELECT body_id FROM page_header WHERE type = ? AND first_start = ? AND first_sequence = ?"
        ) { statement in
            try statement.bind(key)
            return try statement.step() ? statement.integer(0) : nil
        }
    }

    /// Raises the type's longest page length; it is never lowered. Kept as a power of two, so that
    /// pages that grow sample by sample write nothing here, except a few times.
    private func noteSpan(_ span: Double, of type: TypeCode) throws {
        guard span > 0, try longestPage(of: type).map({ $0 < span }) ?? true else { return }
        let bound = span.isNormal ? span.binade * 2 : span
        try database.run("INSERT OR REPLACE INTO page_span (type, longest) VALUES (?, ?)") { statement in
            try statement.bind(Int64(type.rawValue), at: 1)
            try statement.bind(bound, at: 2)
            try statement.execute()
        }
    }
}
