import Foundation
import HealthStorage
import PostgreSQLTestSupport
import StorageContract
import Testing

@testable import HealthStoragePostgreSQL

/// A cluster of a coordinator and two workers, where PostgreSQL has the extension Citus. ``UpperLayerTests`` runs the suites
/// of the upper layers over the same cluster.
@Suite struct PostgreSQLClusterTests {
    private static let isAsked = ConditionTrait.enabled(
        if: PostgreSQLServer.hasCluster, "Set OPENHEALTHKIT_CITUS where PostgreSQL has the extension Citus.")

    @Test(isAsked) func theContractOverACoordinatorAndTwoWorkers() throws {
        let server = try PostgreSQLServer.cluster()
        let administration = try PostgreSQLAdministration(PostgreSQLAddress(server.url("schema=cluster")))
        _ = try administration.initialize(role: "cluster_server")
        let people = try TestPeople(schema: "cluster", server: server)
        let contract = StorageContract(
            makeStorage: { try people.makeStorage() },
            reopen: { storage in
                try storage.close()
                return try people.database.storage(ofPerson: (storage as? PostgreSQLStorage)?.personName ?? "")
            })
        try contract.run()
        // The servers' role, whose connections to the workers are restricted, too.
        let database = try PostgreSQLDatabase(PostgreSQLAddress(server.url("schema=cluster&role=cluster_server")))
        defer { database.close() }
        let anna = try database.storage(ofPerson: "anna")
        try anna.write { transaction in
            for number in 1...40 { try transaction.putPage(Rows.page(number)) }
        }
        #expect(try Rows.pages(in: anna) == Array(1...40))
        // Small saves, which the worker executes as a function.
        for number in 41...44 {
            try anna.write(prefetching: { [Rows.uuid(number)] }) { transaction in
                let sequence = try transaction.allocateSequences(1)
                try transaction.putIdentity(Rows.uuid(number), StoredIdentity(type: Rows.paged, sequence: sequence))
                try transaction.putPage(Rows.page(number))
            }
        }
        #expect(try Rows.pages(in: anna) == Array(1...44))
        #expect(try anna.read { try $0.locate(Rows.uuid(44)) }?.sequence == 4)
        // The move of a shard waits for a writer, also for one that has written nothing yet.
        try anna.write { transaction in
            #expect(try transaction.locate(Rows.uuid(45)) == nil)
            let locks = try server.psql(
                "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND mode = 'ShareLock'")
            #expect(locks == ["1"])
        }
        // Read together, each batch on one shard.
        _ = try database.storage(ofPerson: "berta")
        var together: [String: [Int64]] = [:]
        for batch in try database.batches(of: ["anna", "berta"]) {
            try database.read(batch, Rows.paged, between: [0, 5e6], namespaces: []) { name, storage in
                together[name] = try Rows.pages(in: storage)
            }
        }
        #expect(together == ["anna": Array(1...44), "berta": []])
        let check = try PostgreSQLAdministration(PostgreSQLAddress(server.url("schema=cluster&role=cluster_server")))
            .check()
        let problems = check.filter { $0.isProblem && !$0.text.hasPrefix("fsync") }
        #expect(problems.isEmpty, "\(problems)")
        let nodes = try server.psql(
            "SELECT DISTINCT nodeport FROM citus_shards WHERE table_name = 'cluster.page'::regclass")
        #expect(nodes.count == 2)
        #expect(try server.offenders() == [])
        print(
            "Citus \(try server.psql("SELECT extversion FROM pg_extension WHERE extname = 'citus'")[0]): the contract ran over a "
                + "coordinator and two workers.")
    }

    /// From one database to a cluster, and a worker more: nothing is lost, and everything works after each
    /// “hk database init”.
    @Test(isAsked) func aDatabaseWithPeopleBecomesACluster() throws {
        let servers = try PostgreSQLServer.clusterNodes(4)
        let server = servers[0]
        let administration = PostgreSQLAdministration(try PostgreSQLAddress(server.url("schema=grown")))
        let address = try PostgreSQLAddress(server.url("schema=grown&role=grown_server"))
        let role =
            "the role grown_server, which sees one person's rows at a time. GRANT it to the servers' users, and add role=grown_server to their address."
        let settings = "have the role and the settings enable_seqscan, jit, lock_timeout."
        let version = "The schema grown has version \(PostgreSQLSchema.version)."
        func texts() throws -> [String] {
            try administration.initialize(role: "grown_server").map(\.text)
        }
        // Everyone who was there still is, and another person is added.
        func expectEverything(_ people: [String]) throws {
            let database = try PostgreSQLDatabase(address)
            defer { database.close() }
            for name in people {
                let storage = try database.storage(ofPerson: name)
                let known = try Rows.pages(in: storage)
                #expect(known.isEmpty == (name == people.last), "\(name)")
                try storage.write { try $0.putPage(Rows.page(known.count + 1)) }
                #expect(try Rows.pages(in: storage).count == known.count + 1)
            }
            #expect(try database.people().map(\.name) == people.sorted())
        }
        let alone = "The database doesn't have the extension Citus; all rows are on this server."
        #expect(try texts() == [version, "Created " + role, alone])
        try expectEverything(["anna"])
        try expectEverything(["anna", "berta"])

        for server in servers { try server.psql("CREATE EXTENSION citus") }
        try server.beCoordinator(of: Array(servers[1...2]))
        let into = "distributed by person over the nodes of the cluster."
        #expect(
            try texts() == [
                version,
                "The role grown_server can log in from now on: the coordinator connects to the workers as it.",
                "2 workers " + settings, "The tables are now " + into,
            ])
        try expectEverything(["anna", "berta", "carla"])
        let left = try server.psql(
            """
            SELECT relname FROM pg_class WHERE relnamespace = 'grown'::regnamespace AND relkind = 'r'
                AND pg_relation_size(oid) > 0
            """)
        #expect(Set(left).isDisjoint(with: PostgreSQLSchema.personTables), "\(left)")

        // A worker that has lost the role.
        try servers[1].psql(
            "SET citus.enable_ddl_propagation = off", "ALTER ROLE grown_server NOLOGIN",
            "ALTER DATABASE postgres RESET ALL")
        try server.psql("SELECT citus_add_node('127.0.0.1', \(servers[3].port))")
        #expect(
            try texts() == [version, "There is " + role, "3 workers " + settings, "The tables are " + into])
        try server.psql("SELECT rebalance_table_shards(shard_transfer_mode := 'block_writes')")
        try expectEverything(["anna", "berta", "carla", "dora"])
        let nodes = try server.psql(
            "SELECT DISTINCT nodeport FROM citus_shards WHERE table_name = 'grown.page'::regclass")
        #expect(nodes.count == 3)
        let problems = try PostgreSQLAdministration(address).check().filter {
            $0.isProblem && !$0.text.hasPrefix("fsync")
        }
        #expect(problems.isEmpty, "\(problems)")
    }

    /// All tables, those with people's data by person and in one place.
    @Test func everyTableIsDistributed() {
        let statements = PostgreSQLCluster.statements(
            PostgreSQLSchema.referenceTables + PostgreSQLSchema.personTables)
        #expect(statements.first == "SET LOCAL citus.multi_shard_modify_mode = 'sequential'")
        for table in PostgreSQLSchema.referenceTables {
            #expect(statements.contains("SELECT create_reference_table('\(table)')"))
        }
        #expect(statements.contains("SELECT create_distributed_table('store', 'person')"))
        for table in PostgreSQLSchema.personTables.dropFirst() {
            #expect(
                statements.contains("SELECT create_distributed_table('\(table)', 'person', colocate_with => 'store')"))
        }
    }
}
