import HealthStorage

extension PostgreSQLStorage {
    /// Checks for dangling references in this person's rows. The server checks its own files; see `pg_amcheck`.
    package func findDamage() throws -> [String] {
        try read { snapshot in
            guard let snapshot = snapshot as? PostgreSQLSnapshot else { return [] }
            let person = person
            let found = try snapshot.perform(Self.lost.map { PostgreSQLCall($0.sql, [person]) })
            return try zip(Self.lost, found).compactMap { lost, rows in
                let count = try rows[0].integer(0)
                return count == 0 ? nil : "\(lost.what): \(count)."
            }
        }
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
        (
            "Objects that cannot be found by their UUID",
            """
            SELECT count(*) FROM object WHERE person = $1 AND uuid IS NOT NULL
                AND NOT EXISTS (SELECT 1 FROM identity i WHERE i.person = $1 AND i.uuid = object.uuid AND i.sequence = object.sequence)
            """
        ),
    ]
}
