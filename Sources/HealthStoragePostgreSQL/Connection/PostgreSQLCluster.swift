import Foundation
import HealthStorage

/// The distribution of the tables over the nodes of a cluster, with PostgreSQL's extension Citus.
///
/// The tables with people's data are distributed by person and colocated, so that all rows of a person are in one
/// place. The tables of people and of the version are on every node.
enum PostgreSQLCluster {
    /// Whether the database has the extension.
    static func hasCitus(_ connection: PostgreSQLConnection) throws -> Bool {
        try connection.rows("SELECT 1::int8 FROM pg_extension WHERE extname = 'citus'").count > 0
    }

    /// The tables of a schema that are distributed or on every node.
    static func distributedTables(_ connection: PostgreSQLConnection, in schema: String) throws -> Set<String> {
        let rows = try connection.rows(
            """
            SELECT relname::text FROM pg_dist_partition JOIN pg_class ON pg_class.oid = logicalrelid
            WHERE relnamespace = to_regnamespace($1)
            """,
            [schema])
        return Set(rows.map { $0.text(0) })
    }

    /// The problems of a cluster, for ``PostgreSQLAdministration/check()``.
    static func problems(_ connection: PostgreSQLConnection, _ address: PostgreSQLAddress) throws -> [String] {
        let rows = try connection.execute([
            PostgreSQLCall("SELECT extversion FROM pg_extension WHERE extname = 'citus'"),
            PostgreSQLCall("SELECT groupid::int8 FROM pg_dist_local_group"),
            PostgreSQLCall(
                "SELECT rolcanlogin FROM pg_roles WHERE rolname = coalesce($1, current_user)", [address.role]),
            PostgreSQLCall(Self.shardsOnCoordinator, [address.schema]),
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
        let shards = try rows[3][0].integer(0)
        if shards > 0 {
            problems.append(
                "\(shards) shards of people's tables are on the coordinator. Use citus_drain_node, or add workers.")
        }
        return try problems + problemsOfWorkers(connection)
    }

    private static let shardsOnCoordinator = """
        SELECT count(*) FROM pg_dist_placement JOIN pg_dist_shard USING (shardid) JOIN pg_dist_partition USING (logicalrelid)
        JOIN pg_class ON pg_class.oid = logicalrelid
        WHERE groupid = 0 AND partmethod = 'h' AND relnamespace = to_regnamespace($1)
        """

    /// The problems of the workers' settings, to which those of a connection aren't passed on.
    private static func problemsOfWorkers(_ connection: PostgreSQLConnection) throws -> [String] {
        let names = workerSettings.map { "'\($0.name)'" }.joined(separator: ", ")
        let command = "SELECT string_agg(name || '=' || setting, ' ') FROM pg_settings WHERE name IN (\(names))"
        return try runOnWorkers(command, connection).flatMap { answer -> [String] in
            guard answer.isSuccess else {
                return ["The worker \(answer.worker) can't be reached, or rejects the role."]
            }
            return problems(ofWorker: answer.worker, settings: answer.text)
        }
    }

    /// The answer of a worker.
    struct WorkerAnswer {
        /// The host and port.
        var worker: String
        var isSuccess: Bool
        /// The result, or the error.
        var text: String
    }

    /// Executes a command on every worker.
    static func runOnWorkers(_ command: String, _ connection: PostgreSQLConnection) throws -> [WorkerAnswer] {
        try connection.rows(
            "SELECT nodename || ':' || nodeport, success, result FROM run_command_on_workers($1) ORDER BY 1", [command]
        ).map { WorkerAnswer(worker: $0.text(0), isSuccess: $0.isTrue(1), text: $0.text(2)) }
    }

    /// Creates a role that can log in, on one node: a coordinator connects to the workers as the role that a connection
    /// has taken on. Citus knows only roles that are created while there are workers: of others it passes on what is
    /// granted to them, which fails on a worker without the role.
    static func roleCreation(_ role: String) -> String {
        onOneNode(
            """
            IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = '\(role)') THEN CREATE ROLE \(role) LOGIN;
            ELSIF NOT (SELECT rolcanlogin FROM pg_roles WHERE rolname = '\(role)') THEN ALTER ROLE \(role) LOGIN;
            END IF;
            """)
    }

    /// Makes the settings that a coordinator doesn't pass on, for the connections to a worker.
    static var workerPreparation: String {
        onOneNode(
            preparedSettings.map { name, value in
                "EXECUTE format('ALTER DATABASE %I SET \(name) = \(value)', current_database());"
            }.joined(separator: " "))
    }

    private static let preparedSettings = [("enable_seqscan", "off"), ("jit", "off"), ("lock_timeout", "10000")]

    /// The names of the settings that are made.
    static var settingNames: String { preparedSettings.map(\.0).joined(separator: ", ") }

    /// Statements whose effect Citus doesn't pass on to the other nodes.
    private static func onOneNode(_ statements: String) -> String {
        "DO $$ BEGIN PERFORM set_config('citus.enable_ddl_propagation', 'off', true); \(statements) END $$"
    }

    /// - Parameter settings: Names and values, such as `jit=on lock_timeout=0`.
    static func problems(ofWorker worker: String, settings: String) -> [String] {
        let pairs = settings.split(separator: " ").compactMap { pair -> (String, String)? in
            let parts = pair.split(separator: "=", maxSplits: 1)
            return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
        }
        let found = Dictionary(pairs) { first, _ in first }
        return workerSettings.filter { setting in found[setting.name].map(setting.isRight) != true }.map {
            "\($0.name) is \(found[$0.name] ?? "unknown") on the worker \(worker): \($0.reason)."
        }
    }

    private static let workerSettings: [(name: String, isRight: @Sendable (String) -> Bool, reason: String)] = [
        ("fsync", { $0 == "on" }, "a crash of the machine can destroy the database"),
        ("full_page_writes", { $0 == "on" }, "a crash of the machine can destroy the database"),
        ("synchronous_commit", { $0 == "on" || $0.hasPrefix("remote") }, "a crash can lose what was acknowledged"),
        (
            "max_prepared_transactions", { $0 != "0" },
            "people can't be added; set it to at least max_connections"
        ),
        (
            "log_min_error_statement", { ["log", "fatal", "panic"].contains($0) },
            "its log contains samples whenever one is sent again; set it to fatal"
        ),
        ("enable_seqscan", { $0 == "off" }, "statements may read other people's rows; use “hk database init”"),
        ("jit", { $0 == "off" }, "statements are too short to be compiled; use “hk database init”"),
        ("lock_timeout", { $0 != "0" }, "a writer waits without a limit; use “hk database init”"),
    ]

    /// Distributes the tables that aren't yet, and the functions, within a transaction. The tables may contain
    /// rows. Returns the tables.
    @discardableResult
    static func distribute(_ connection: PostgreSQLConnection, in schema: String) throws -> [String] {
        let before = try distributedTables(connection, in: schema)
        let tables = (PostgreSQLSchema.referenceTables + PostgreSQLSchema.personTables).filter { !before.contains($0) }
        guard !tables.isEmpty else { return [] }
        for statement in statements(tables) { try connection.script(statement) }
        guard !before.contains(PostgreSQLSchema.personTables[0]) else { return tables }
        for function in PostgreSQLFunction.all { try connection.script(function.distribution(in: schema)) }
        return tables
    }

    /// Removes the rows that tables had before they were distributed, of which Citus leaves a copy on the coordinator
    /// that nothing reads: a person who is removed later would stay in it.
    static func removeLocalRows(of tables: [String], _ connection: PostgreSQLConnection) throws {
        for table in tables { try connection.script("SELECT truncate_local_data_after_distributing_table('\(table)')") }
    }

    static func statements(_ tables: [String]) -> [String] {
        // One connection to each worker, which then sees what the transaction has created.
        ["SET LOCAL citus.multi_shard_modify_mode = 'sequential'"]
            + tables.map { table in
                guard PostgreSQLSchema.personTables.contains(table) else {
                    return "SELECT create_reference_table('\(table)')"
                }
                let first = PostgreSQLSchema.personTables[0]
                return table == first
                    ? "SELECT create_distributed_table('\(table)', 'person')"
                    : "SELECT create_distributed_table('\(table)', 'person', colocate_with => '\(first)')"
            }
    }
}
