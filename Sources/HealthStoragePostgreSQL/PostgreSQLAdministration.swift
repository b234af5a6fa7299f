import Foundation
import HealthModel
import HealthStorage

/// Prepares a database for many people, and checks it.
package struct PostgreSQLAdministration: Sendable {
    /// The role that servers assume with `role=openhealthkit_server` in their address. Row-level security lets it see
    /// the rows of the person of the transaction only.
    package static let serverRole = "openhealthkit_server"

    /// A sentence about the database.
    package struct Finding: Hashable, Sendable {
        /// Whether something should be changed.
        package var isProblem: Bool
        /// A description of the finding, without health data.
        package var text: String

        fileprivate init(_ text: String, isProblem: Bool = false) {
            self.text = text
            self.isProblem = isProblem
        }
    }

    private let address: PostgreSQLAddress

    /// Prepares for the database at an address, whose user must be allowed to create schemas and roles for
    /// ``initialize(role:)``.
    package init(_ address: PostgreSQLAddress) {
        self.address = address
    }

    /// Creates the tables, creates the servers' role and, where the database has the extension Citus, distributes the
    /// tables and prepares the workers. What exists already stays as it is, except that a role that was made before the
    /// database was a cluster may log in from now on. Returns what was found and done.
    ///
    /// - Parameter role: The name of the servers' role, which can't log in itself: grant it to the servers' users.
    /// - Throws: `StorageError` `.unreachable` if the server can't be reached or refuses something.
    package func initialize(role: String = PostgreSQLAdministration.serverRole) throws -> [Finding] {
        guard PostgreSQLAddress.isIdentifier(role) else {
            throw StorageError(
                .unreachable, "\(role) cannot be the name of the servers' role: use at most 40 of a–z, 0–9 and _.")
        }
        return try withConnection { connection in
            try PostgreSQLSchema.prepare(connection, address)
            if case .reading(let reason) = try PostgreSQLSchema.compatibility(connection, address.schema) {
                throw StorageError(.notAStore, reason)
            }
            var findings = [Finding("The schema \(address.schema) has version \(PostgreSQLSchema.version).")]
            let isCluster = try PostgreSQLCluster.hasCitus(connection)
            // Before the grants, which a cluster makes on the workers, too.
            findings.append(try createRole(role, isCluster: isCluster, connection))
            if isCluster { findings.append(try prepareWorkers(role, connection)) }
            let members = try connection.rows("SELECT pg_has_role(current_user, $1, 'MEMBER')", [role])
            if !members[0].isTrue(0) { try connection.script("GRANT \(role) TO CURRENT_USER") }
            try connection.script(
                """
                GRANT USAGE ON SCHEMA \(address.schema) TO \(role);
                GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA \(address.schema) TO \(role);
                REVOKE INSERT, UPDATE, DELETE ON schema_version FROM \(role)
                """)
            if isCluster {
                try connection.script("BEGIN")
                let distributed = try PostgreSQLCluster.distribute(connection, in: address.schema)
                try connection.script("COMMIT")
                try PostgreSQLCluster.removeLocalRows(of: distributed, connection)
                findings.append(
                    Finding(
                        "The tables \(distributed.isEmpty ? "are" : "are now") distributed by person over the nodes of the cluster."
                    ))
            } else {
                findings.append(Finding("The database doesn't have the extension Citus; all rows are on this server."))
            }
            return findings
        }
    }

    /// Creates the servers' role on this node, or lets it log in where the database has become a cluster.
    private func createRole(
        _ role: String, isCluster: Bool, _ connection: PostgreSQLConnection
    ) throws -> Finding {
        let rows = try connection.rows("SELECT rolcanlogin FROM pg_roles WHERE rolname = $1", [role])
        let done: String
        if rows.count == 0 {
            done = "Created the role \(role)"
            // Neither a superuser nor exempt from row-level security, which only a superuser may say.
            try connection.script(
                isCluster ? PostgreSQLCluster.roleCreation(role) : "CREATE ROLE \(role) NOLOGIN")
        } else if isCluster, !rows[0].isTrue(0) {
            try connection.script(PostgreSQLCluster.roleCreation(role))
            return Finding("The role \(role) can log in from now on: the coordinator connects to the workers as it.")
        } else {
            done = "There is the role \(role)"
        }
        return Finding(
            "\(done), which sees one person's rows at a time. GRANT it to the servers' users, and add role=\(role) to their address."
        )
    }

    /// Creates the servers' role on the workers, which may have been added after it, and makes their settings.
    private func prepareWorkers(_ role: String, _ connection: PostgreSQLConnection) throws -> Finding {
        let commands = [PostgreSQLCluster.roleCreation(role), PostgreSQLCluster.workerPreparation]
        var workers: [PostgreSQLCluster.WorkerAnswer] = []
        for command in commands {
            workers = try PostgreSQLCluster.runOnWorkers(command, connection)
            if let failed = workers.first(where: { !$0.isSuccess }) {
                throw StorageError(
                    .unreachable,
                    "The worker \(failed.worker) can't be prepared, so nothing is distributed: \(failed.text)")
            }
        }
        return Finding(
            workers.isEmpty
                ? "The cluster has no workers. Use “hk database init” again when it has."
                : "\(workers.count) \(workers.count == 1 ? "worker has" : "workers have") the role and the settings \(PostgreSQLCluster.settingNames)."
        )
    }

    /// Checks what would lose data or would not scale: the settings of the server, row-level security, the keys, and
    /// the distribution over a cluster.
    ///
    /// - Throws: `StorageError` if the server can't be reached or there are no tables.
    package func check() throws -> [Finding] {
        try withConnection { connection in
            try PostgreSQLSchema.prepare(connection, address, isCreating: false)
            return try checkVersion(connection) + checkPooling(connection) + checkServer(connection)
                + checkSecurity(connection) + checkKeys(connection)
                + checkCluster(connection) + checkWriting(connection) + checkPeople(connection)
        }
    }

    private func withConnection<Value>(_ body: (PostgreSQLConnection) throws -> Value) throws -> Value {
        try StorageError.translatingPostgreSQL {
            try body(try PostgreSQLConnection(address, options: PostgreSQLOptions(), epoch: 0))
        }
    }

    private func checkVersion(_ connection: PostgreSQLConnection) throws -> [Finding] {
        guard case .reading(let reason) = try PostgreSQLSchema.compatibility(connection, address.schema) else {
            return []
        }
        return [Finding(reason, isProblem: true)]
    }

    private func checkPooling(_ connection: PostgreSQLConnection) throws -> [Finding] {
        guard connection.isPooled else { return [] }
        let direct = try PostgreSQLConnection(address, server: .direct, options: PostgreSQLOptions(), epoch: 0)
        return [
            Finding(
                direct.isPooled
                    ? "The address is that of a pooler. Servers ask for each other's changes; with direct=HOST:PORT, PostgreSQL's own, they are notified."
                    : "The address is that of a pooler, and notifications come directly from PostgreSQL.")
        ]
    }

    private func checkServer(_ connection: PostgreSQLConnection) throws -> [Finding] {
        let wanted: [(name: String, value: String, reason: String)] = [
            ("server_encoding", "UTF8", "names in other scripts cannot be stored"),
            ("fsync", "on", "a crash of the machine can destroy the database"),
            ("full_page_writes", "on", "a crash of the machine can destroy the database"),
            ("synchronous_commit", "on", "a crash can lose what was acknowledged"),
            ("autovacuum", "on", "tables grow with every change"),
        ]
        let rows = try connection.execute(
            wanted.map { setting in
                PostgreSQLCall("SELECT setting FROM pg_settings WHERE name = $1", [setting.name])
            })
        return zip(wanted, rows).map { setting, rows in
            let found = rows.count > 0 ? rows[0].text(0) : ""
            // A standby that must confirm is more than is asked for.
            let isRight = found == setting.value || setting.name == "synchronous_commit" && found.hasPrefix("remote")
            return isRight
                ? Finding("\(setting.name) is \(found).")
                : Finding(
                    "\(setting.name) is \(found) instead of \(setting.value): \(setting.reason).", isProblem: true)
        }
    }

    private func checkSecurity(_ connection: PostgreSQLConnection) throws -> [Finding] {
        let rows = try connection.execute([
            PostgreSQLCall(
                """
                SELECT relname::text FROM pg_class WHERE relnamespace = to_regnamespace($1) AND relkind IN ('r', 'p')
                    AND NOT relrowsecurity ORDER BY 1
                """,
                [address.schema]),
            PostgreSQLCall(
                """
                SELECT rolsuper OR rolbypassrls OR EXISTS (SELECT 1 FROM pg_class
                    WHERE relnamespace = to_regnamespace($1) AND relname = 'store' AND relowner = pg_roles.oid)
                FROM pg_roles WHERE rolname = current_user
                """,
                [address.schema]),
        ])
        let open = rows[0].map { $0.text(0) }.filter { PostgreSQLSchema.personTables.contains($0) }
        return [
            open.isEmpty
                ? Finding("Every table with people's data has row-level security.")
                : Finding("Tables without row-level security: \(open.joined(separator: ", ")).", isProblem: true),
            rows[1][0].isTrue(0)
                ? Finding(
                    "This user is not restricted by row-level security. Servers should add role=\(Self.serverRole) to their address.",
                    isProblem: true) : Finding("This user sees one person's rows at a time."),
        ]
    }

    private func checkKeys(_ connection: PostgreSQLConnection) throws -> [Finding] {
        let rows = try connection.rows(
            "SELECT tablename::text, indexname::text, indexdef FROM pg_indexes WHERE schemaname = $1 ORDER BY 1, 2",
            [address.schema])
        // The last key of the exception is the person's.
        let others = rows.filter { row in
            PostgreSQLSchema.personTables.contains(row.text(0)) && !row.text(2).contains("(person")
                && row.text(1) != "identity_keys"
        }
        let problems =
            others.map { "The index \($0.text(1)) does not start with the person." }
            + (try Self.tablesWithoutKey(connection, address.schema)).map {
                "The table \($0) has no primary key, so it can't be moved while it is written. Use “hk database init”."
            }
        guard !problems.isEmpty else {
            return [Finding("Every table has a primary key, which starts with the person.")]
        }
        return problems.map { Finding($0, isProblem: true) }
    }

    private static func tablesWithoutKey(_ connection: PostgreSQLConnection, _ schema: String) throws -> [String] {
        let rows = try connection.rows(
            """
            SELECT relname::text FROM pg_class WHERE relnamespace = to_regnamespace($1) AND relkind IN ('r', 'p')
                AND NOT EXISTS (SELECT 1 FROM pg_index WHERE indrelid = pg_class.oid AND indisprimary)
                AND relreplident <> 'f' ORDER BY 1
            """,
            [schema])
        let own = Set(PostgreSQLSchema.personTables + PostgreSQLSchema.referenceTables)
        return rows.map { $0.text(0) }.filter { own.contains($0) }
    }

    /// Writes a store with the statements of an import, and undoes it.
    private func checkWriting(_ connection: PostgreSQLConnection) throws -> [Finding] {
        // No person has a negative number.
        let person = -Int64.random(in: 1 ... .max)
        var rows = PostgreSQLTransaction.PendingRows()
        rows.identities[UUID()] = StoredIdentity(type: .firstUnknown, sequence: 1)
        rows.add(1, [.text("count")], to: .unit)
        let identity = StoreIdentity(uuid: UUID(), seed: 1)
        let calls =
            [
                PostgreSQLCall("BEGIN"), PostgreSQLStoreRow.setPerson(person),
                PostgreSQLStoreRow.insert(person, identity),
            ]
            + rows.calls(person, in: address.schema)
        defer { try? connection.script("ROLLBACK") }
        do {
            _ = try connection.execute(calls)
            return [Finding("This user can write stores.")]
        } catch let failure as PostgreSQLFailure where !failure.isConnectionLost {
            return [Finding("This user can't write stores. \(StorageError(failure))", isProblem: true)]
        }
    }

    private func checkCluster(_ connection: PostgreSQLConnection) throws -> [Finding] {
        guard try PostgreSQLCluster.hasCitus(connection) else {
            return [Finding("The database doesn't have the extension Citus; all rows are on this server.")]
        }
        let distributed = try PostgreSQLCluster.distributedTables(connection, in: address.schema)
        let missing = (PostgreSQLSchema.personTables + PostgreSQLSchema.referenceTables).filter {
            !distributed.contains($0)
        }
        let problems = try PostgreSQLCluster.problems(connection, address)
        return [
            missing.isEmpty
                ? Finding("The tables are distributed by person over the nodes of the cluster.")
                : Finding(
                    "Tables that are not distributed: \(missing.joined(separator: ", ")). Use “hk database init”.",
                    isProblem: true)
        ] + problems.map { Finding($0, isProblem: true) }
    }

    private func checkPeople(_ connection: PostgreSQLConnection) throws -> [Finding] {
        let rows = try connection.execute([
            PostgreSQLCall("SELECT count(*) FROM person"),
            PostgreSQLCall("SELECT pg_total_relation_size(to_regclass($1))", ["\(address.schema).page"]),
        ])
        let people = try rows[0][0].integer(0)
        let bytes = try rows[1][0].integer(0)
        return [Finding("\(people) \(people == 1 ? "person" : "people"); the pages take \(bytes / 1_048_576) MB.")]
    }
}
