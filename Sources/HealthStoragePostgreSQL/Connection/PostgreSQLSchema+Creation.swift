import HealthStorage

extension PostgreSQLSchema {
    /// Checks the version of the schema and, if it has no tables, creates them in one transaction.
    ///
    /// - Parameter isCreating: Whether missing tables are created; otherwise they are `.unreachable`.
    static func prepare(
        _ connection: PostgreSQLConnection, _ address: PostgreSQLAddress, isCreating: Bool = true
    ) throws {
        guard try !hasTables(connection, address) else { return }
        guard isCreating else {
            throw StorageError(.unreachable, "The schema \(address.schema) has no tables. Use “hk database init”.")
        }
        try connection.script("BEGIN")
        do {
            // Several programs may start at the same time. Check again, because another one may have created the tables.
            try connection.script("SELECT pg_advisory_xact_lock(\(lock))")
            if try !hasTables(connection, address) {
                let schemas = try connection.rows(
                    "SELECT 1::int8 FROM pg_namespace WHERE nspname = $1", [address.schema])
                if schemas.count != 1 { try connection.script("CREATE SCHEMA \(address.schema)") }
                try connection.script(creation.joined(separator: ";\n"))
                for function in PostgreSQLFunction.all {
                    try connection.script(function.creation(in: address.schema))
                }
                try connection.script(
                    "INSERT INTO schema_version (version, readable_by) VALUES (\(version), \(version))")
                if try PostgreSQLCluster.hasCitus(connection) {
                    try PostgreSQLCluster.distribute(connection, in: address.schema)
                }
            }
            try connection.script("COMMIT")
        } catch {
            try? connection.script("ROLLBACK")
            throw error
        }
    }

    /// Whether the schema has tables. Throws `StorageError` `.notAStore` if they are of a version that can't be read.
    private static func hasTables(_ connection: PostgreSQLConnection, _ address: PostgreSQLAddress) throws -> Bool {
        // Not to_regclass, which may still believe that the schema does not exist when another program has just created
        // it.
        let tables = try connection.rows(
            """
            SELECT 1::int8 FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
            WHERE nspname = $1 AND relname = 'schema_version'
            """,
            [address.schema])
        guard tables.count == 1 else { return false }
        if case .nothing(let reason) = try compatibility(connection, address.schema) {
            throw StorageError(.notAStore, reason)
        }
        return true
    }

    /// The compatibility of the tables of a version with a program of another one, and the reason for limits.
    enum Compatibility: Hashable, Sendable {
        case full
        case reading(String)
        case nothing(String)
    }

    static func compatibility(_ connection: PostgreSQLConnection, _ schema: String) throws -> Compatibility {
        let call = PostgreSQLCall("SELECT version, readable_by FROM \(schema).schema_version", isPrepared: false)
        guard let rows = try connection.execute([call]).first, rows.count == 1 else {
            return .nothing("The schema \(schema) has no version.")
        }
        return compatibility(schema, version: try rows[0].number(0), readableBy: try rows[0].number(1))
    }

    static func compatibility(_ schema: String, version found: Int, readableBy oldest: Int) -> Compatibility {
        guard found != version else { return .full }
        let what = "The schema \(schema) has version \(found), and this program version \(version)."
        if found > version {
            return oldest <= version
                ? .reading(what + " Stores can be read, not changed. Install the newer hk.")
                : .nothing(what + " Install the newer hk.")
        }
        return found >= oldestReadable
            ? .reading(what + " Stores can be read, not changed, until “hk database init” has run.")
            : .nothing(what + " Use “hk database init”.")
    }

    /// The number of the lock that one creation has at a time: the letters OHKS.
    private static let lock = 0x4F48_4B53
}
