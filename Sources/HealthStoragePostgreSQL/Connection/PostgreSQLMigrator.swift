import HealthStorage

/// Migrates a database to the newest schema, or throws if a newer program has created it.
struct PostgreSQLMigrator: Sendable {
    var migrations: [[String]] = PostgreSQLSchema.migrations
    /// Whether missing tables are created.
    var isCreating = true

    /// Checks the schema and, if it is missing or older, creates or migrates it in one transaction.
    func migrate(_ connection: PostgreSQLConnection, _ address: PostgreSQLAddress) throws {
        let stored = try version(connection, address)
        guard stored < migrations.count else { return }
        guard stored > 0 || isCreating else {
            throw StorageError(.unreachable, "The schema \(address.schema) has no tables. Use “hk database init”.")
        }
        try connection.script("BEGIN")
        do {
            // Several programs may start at the same time. Check again, because another one may have migrated.
            try connection.script("SELECT pg_advisory_xact_lock(\(Self.lock))")
            let found = try version(connection, address)
            if found < migrations.count {
                let schemas = try connection.execute([
                    PostgreSQLCall("SELECT 1::int8 FROM pg_namespace WHERE nspname = $1") { $0.add(address.schema) }
                ])
                if schemas.first?.count != 1 { try connection.script("CREATE SCHEMA \(address.schema)") }
                for statements in migrations.dropFirst(found) {
                    try connection.script(statements.joined(separator: ";\n"))
                }
                try connection.script(
                    "DELETE FROM schema_version; INSERT INTO schema_version (version) VALUES (\(migrations.count))")
                if found == 0, try PostgreSQLCluster.hasCitus(connection) {
                    try PostgreSQLCluster.distribute(connection)
                }
            }
            try connection.script("COMMIT")
        } catch {
            try? connection.script("ROLLBACK")
            throw error
        }
    }

    /// The version of the schema; 0 if it has no tables.
    private func version(_ connection: PostgreSQLConnection, _ address: PostgreSQLAddress) throws -> Int {
        // Not to_regclass, which may still believe that the schema does not exist when another program has just created
        // it.
        let tables = try connection.execute([
            PostgreSQLCall(
                """
                SELECT 1::int8 FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
                WHERE nspname = $1 AND relname = 'schema_version'
                """
            ) { $0.add(address.schema) }
        ])
        guard tables.first?.count == 1 else { return 0 }
        guard let rows = try connection.execute([PostgreSQLCall("SELECT version FROM schema_version")]).first,
            rows.count == 1
        else { throw StorageError(.notAStore, "The schema \(address.schema) has no version.") }
        let version: Int = try rows.number(0, 0)
        guard version > 0, version <= migrations.count else {
            throw StorageError(
                .notAStore,
                "The schema \(address.schema) has version \(version); this program supports versions up to \(migrations.count)."
            )
        }
        return version
    }

    /// The number of the lock that one migration has at a time: the letters OHKS.
    private static let lock = 0x4F48_4B53
}
