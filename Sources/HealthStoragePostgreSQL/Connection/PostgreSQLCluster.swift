import Foundation
import HealthStorage

/// The distribution of the tables over the nodes of a cluster, with PostgreSQL's extension Citus.
///
/// The tables with people's data are distributed by person and colocated, so that all rows of a person are in one
/// place. The tables of people and of the version are on every node.
enum PostgreSQLCluster {
    /// Whether the database has the extension.
    static func hasCitus(_ connection: PostgreSQLConnection) throws -> Bool {
        let rows = try connection.execute([PostgreSQLCall("SELECT 1::int8 FROM pg_extension WHERE extname = 'citus'")])
        return rows.first?.count ?? 0 > 0
    }

    /// The tables of a schema that are distributed or on every node.
    static func distributedTables(_ connection: PostgreSQLConnection, in schema: String) throws -> Set<String> {
        let rows = try connection.execute([
            PostgreSQLCall(
                """
                SELECT relname::text FROM pg_dist_partition JOIN pg_class ON pg_class.oid = logicalrelid
                WHERE relnamespace = to_regnamespace($1)
                """,
                [schema])
        ])[0]
        return Set(rows.map { $0.text(0) })
    }

    /// What every connection to a cluster needs: Citus finds the shard of most statements when they are executed, but
    /// has to plan those with parts, such as `UNION ALL` and `WITH`, for their arguments.
    static let sessionSettings = "SET plan_cache_mode = auto"

    /// What is wrong with a cluster, for ``PostgreSQLAdministration/check()``.
    static func problems(_ connection: PostgreSQLConnection, role: String?) throws -> [String] {
        let rows = try connection.execute([
            PostgreSQLCall("SELECT extversion FROM pg_extension WHERE extname = 'citus'"),
            PostgreSQLCall("SELECT groupid::int8 FROM pg_dist_local_group"),
            PostgreSQLCall("SELECT rolcanlogin FROM pg_roles WHERE rolname = coalesce($1, current_user)", [role]),
        ])
        var problems: [String] = []
        let version = rows[0][0].text(0)
        if version.compare("11.2", options: .numeric) == .orderedAscending {
            problems.append(
                "Citus has version \(version). Before 11.2, a reader may see changes that were made while it reads.")
        }
        if try rows[1][0].integer(0) != 0 {
            problems.append(
                "This is a worker. Addresses must be the coordinator's, because notifications and locks are.")
        }
        if rows[2].count > 0, !rows[2][0].isTrue(0) {
            problems.append("The role can't log in to the workers. Use “hk database init”, or ALTER ROLE … LOGIN.")
        }
        return problems
    }

    /// Distributes the tables within a transaction. They may contain rows.
    static func distribute(_ connection: PostgreSQLConnection) throws {
        for statement in statements { try connection.script(statement) }
    }

    static var statements: [String] {
        // One connection to each worker, which then sees what the transaction has created.
        ["SET LOCAL citus.multi_shard_modify_mode = 'sequential'"]
            + PostgreSQLSchema.referenceTables.map { "SELECT create_reference_table('\($0)')" }
            + PostgreSQLSchema.personTables.map { table in
                let first = PostgreSQLSchema.personTables[0]
                return table == first
                    ? "SELECT create_distributed_table('\(table)', 'person')"
                    : "SELECT create_distributed_table('\(table)', 'person', colocate_with => '\(first)')"
            }
    }
}
