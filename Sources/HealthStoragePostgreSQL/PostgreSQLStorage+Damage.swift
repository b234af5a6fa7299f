import HealthStorage

extension PostgreSQLStorage {
    /// Checks for dangling references in this person's rows. The server checks its own files; see `pg_amcheck`.
    package func findDamage() throws -> [String] {
        try read { snapshot in
            guard let snapshot = snapshot as? PostgreSQLSnapshot else { return [] }
            let person = person
            let found = try snapshot.perform(Self.lost.map { PostgreSQLCall($0.sql, [person]) })
            let counts = try found.map { try $0[0].integer(0) } + [Self.unknownObjects(snapshot)]
            return zip(Self.lost.map(\.what) + ["Objects that cannot be found by their UUID"], counts).compactMap {
                $1 == 0 ? nil : "\($0): \($1)."
            }
        }
    }

    private static func unknownObjects(_ snapshot: PostgreSQLSnapshot) throws -> Int64 {
        let sql = "SELECT uuid, sequence FROM object WHERE person = $1 AND uuid IS NOT NULL"
        let objects = try snapshot.rows(sql, [snapshot.person]).map { (try $0.uuid(0), try $0.integer(1)) }
        var count: Int64 = 0
        for start in stride(from: 0, to: objects.count, by: 8_192) {
            let some = objects[start..<min(start + 8_192, objects.count)]
            try snapshot.prefetchIdentities(of: some.map(\.0))
            for (uuid, sequence) in some where try snapshot.locate(uuid)?.sequence != sequence { count += 1 }
        }
        return count
    }

    private static let lost: [(what: String, sql: String)] = [
        (
            "Pages with a number greater than those allocated",
            """
            SELECT count(*) FROM page WHERE person = $1
                AND greatest_sequence > (SELECT last_sequence FROM store WHERE person = $1)
            """
        ),
        (
            "Objects with a number greater than those allocated",
            "SELECT count(*) FROM object WHERE person = $1 AND sequence > (SELECT last_sequence FROM store WHERE person = $1)"
        ),
        (
            "Deletions with a number greater than those allocated",
            "SELECT count(*) FROM tombstone WHERE person = $1 AND sequence > (SELECT last_sequence FROM store WHERE person = $1)"
        ),
        (
            "Pages that cannot be found by their sequence numbers",
            "SELECT count(*) FROM page WHERE person = $1 AND sequence_bound <> (greatest_sequence | 1023)"
        ),
        (
            "Pages of types whose longest page is unknown",
            """
            SELECT count(*) FROM page WHERE person = $1 AND greatest_end > first_start
                AND NOT EXISTS (SELECT 1 FROM page_span s WHERE s.person = $1 AND s.type = page.type)
            """
        ),
    ]
}
