import Foundation
import HealthStorage
import PostgreSQLTestSupport
import StorageContract
import Testing

@testable import HealthStoragePostgreSQL

/// A cluster of a coordinator and two workers, where PostgreSQL has the extension Citus; the output says whether it
/// has. ``UpperLayerTests`` runs the suites of the upper layers over the same cluster.
@Suite struct PostgreSQLClusterTests {
    @Test func theContractOverACoordinatorAndTwoWorkers() throws {
        guard let server = try PostgreSQLServer.cluster() else {
            return print(
                "Citus is not installed: nothing ran over a cluster, and the distribution is checked by its text only.")
        }
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

    /// All tables, those with people's data by person and in one place.
    @Test func everyTableIsDistributed() {
        let statements = PostgreSQLCluster.statements
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
