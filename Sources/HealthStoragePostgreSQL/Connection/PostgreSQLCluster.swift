import HealthStorage

/// The distribution of the tables over the nodes of a cluster, with PostgreSQL's extension Citus.
///
/// The tables with people's data are distributed by person and colocated, so that all rows of a person are in one place.
/// The tables of people and of the version are on every node.
enum PostgreSQLCluster {
    /// Whether the database has the extension.
    static func hasCitus(_ connection: PostgreSQLConnection) throws -> Bool {
        let rows = try connection.execute([PostgreSQLCall("SELECT 1::int8 FROM pg_extension WHERE extname = 'citus'")])
        return rows.first?.count ?? 0 > 0
    }

    /// The tables that are distributed or on every node.
    static func distributedTables(_ connection: PostgreSQLConnection) throws -> Set<String> {
        let rows = try connection.execute([PostgreSQLCall("SELECT logicalrelid::text FROM pg_dist_partition")])[0]
        return Set((0..<rows.count).compactMap { rows.text($0, 0).split(separator: ".").last.map(String.init) })
    }

    /// Distributes the tables. They may contain rows.
    static func distribute(_ connection: PostgreSQLConnection) throws {
        for statement in statements { try connection.script(statement) }
    }

    static var statements: [String] {
        PostgreSQLSchema.referenceTables.map { "SELECT create_reference_table('\($0)')" }
            + PostgreSQLSchema.personTables.map { table in
                let first = PostgreSQLSchema.personTables[0]
                return table == first
                    ? "SELECT create_distributed_table('\(table)', 'person')"
                    : "SELECT create_distributed_table('\(table)', 'person', colocate_with => '\(first)')"
            }
    }
}
