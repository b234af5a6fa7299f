import Foundation
import HealthStorage
import PostgreSQLTestSupport
import StorageContract
import Synchronization
import Testing

@testable import HealthStoragePostgreSQL

/// PgBouncer in transaction mode: each transaction may be executed over another connection to the server.
@Suite struct PostgreSQLPoolerTests {
    private static let pooler = Result { try PgBouncer(PostgreSQLServer.shared(), size: 60) }

    private func people(_ parameters: String, options: PostgreSQLOptions = PostgreSQLOptions()) throws -> TestPeople {
        try TestPeople(url: Self.pooler.get().url(parameters), options: options)
    }

    @Test(arguments: StorageContract.Check.allCases)
    func contract(_ check: StorageContract.Check) throws {
        let people = try people("schema=pooled")
        let contract = StorageContract(
            makeStorage: { try people.makeStorage() },
            reopen: { storage in
                guard let storage = storage as? PostgreSQLStorage else { preconditionFailure() }
                try storage.close()
                return try people.database.storage(ofPerson: storage.personName, creating: false)
            })
        try contract.run(check)
    }

    @Test func nothingOutlastsATransaction() throws {
        let server = try PostgreSQLServer()
        let pooler = try PgBouncer(server, size: 1)
        _ = try PostgreSQLAdministration(PostgreSQLAddress(pooler.url("schema=one"))).initialize(role: "one_role")
        _ = try PostgreSQLAdministration(PostgreSQLAddress(pooler.url("schema=two"))).initialize(role: "two_role")
        let one = try TestPeople(url: pooler.url("schema=one&role=one_role"))
        let two = try TestPeople(url: pooler.url("schema=two&role=two_role"))
        // They alternate on one connection, each in its schema and as its role.
        let storages = [try one.makeStorage(), try two.makeStorage()]
        for number in 1...3 {
            for storage in storages {
                try storage.write { transaction in
                    _ = try transaction.allocateSequences(1)
                    try transaction.putPage(Rows.page(number))
                }
                #expect(try Rows.pages(in: storage) == Array(1...Int64(number)))
            }
        }
        let held = try storages[0].beginImport(onWaiting: {})
        held.cancel()
        // Its connection to the server is closed.
        while try server.psql("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'") != ["0"] {}
        let left = try server.psql(
            """
            SELECT concat_ws(' ', current_user, current_setting('search_path'), current_setting('lock_timeout'),
                (SELECT count(*) FROM pg_prepared_statements))
            """, port: pooler.port)
        #expect(left == ["postgres \"$user\", public 0 0"])
        #expect(try server.offenders() == [])
    }

    /// PgBouncer gives the connection to the server to another client as soon as the first of them is answered.
    @Test(.timeLimit(.minutes(2))) func nothingIsSentBeforeATransactionHasEnded() throws {
        let people = try people("schema=pooled_order")
        let lease = try people.database.pool.lease()
        let slow = PostgreSQLCall("SELECT count(*) FROM generate_series(1, 1000000)")
        try lease.run { try $0.executeLater(slow) }
        for number in 1...3 {
            let rows = try lease.run { try $0.execute([PostgreSQLCall("SELECT \(number)::bigint")], followedBy: slow) }
            #expect(try rows.last?[0].integer(0) == Int64(number))
        }
    }

    @Test func otherServersCommitsAreNoticed() throws {
        let port = try PostgreSQLServer.shared().port
        // With the server's own address, by notification.
        for parameters in ["schema=pooled_heard", "schema=pooled_heard&direct=127.0.0.1:\(port)"] {
            let people = try [people(parameters), people(parameters)]
            let mine = try people[0].makeStorage()
            let theirs = try people[1].database.storage(ofPerson: mine.personName)
            let calls = Progress()
            let subscription = mine.observeForeignCommits { calls.add() }
            #expect(people[0].database.listener.isPolling == !parameters.contains("direct"))
            try mine.write { try $0.putPage(Rows.page(1)) }
            try theirs.write { try $0.putPage(Rows.page(2)) }
            #expect(calls.wait(for: 1))
            try theirs.write { try $0.putPage(Rows.page(3)) }
            #expect(calls.wait(for: 2))
            subscription.cancel()
            #expect(calls.count == 2)
            #expect(try Rows.pages(in: mine) == [1, 2, 3])
        }
    }

    @Test func importsWaitForEachOther() throws {
        let people = try [people("schema=pooled_imports"), people("schema=pooled_imports")]
        let mine = try people[0].makeStorage()
        let theirs = try people[1].database.storage(ofPerson: mine.personName)
        let first = try mine.beginImport(onWaiting: { Issue.record("There is no other import.") })
        let (waiting, begun) = (Progress(), Progress())
        Thread.detachNewThread {
            guard let second = try? theirs.beginImport(onWaiting: { waiting.add() }) else { return }
            begun.add()
            second.cancel()
        }
        #expect(waiting.wait(for: 1))
        #expect(begun.count == 0)
        first.cancel()
        #expect(begun.wait(for: 1))
    }

    /// Connections to the pooler survive a restart of the server, whose caches may be those of another one.
    @Test func aRestartBehindThePoolerBeginsAnEpoch() throws {
        let server = try PostgreSQLServer()
        let pooler = try PgBouncer(server, size: 4)
        let people = try TestPeople(url: pooler.url("schema=restarted"))
        let storage = try people.makeStorage()
        try storage.write { try $0.setValue([1], namespace: "a", key: "b") }
        let before = people.database.pool.epoch
        try server.stop()
        try server.start()
        #expect(try storage.read { try $0.value(namespace: "a", key: "b") } == [1])
        #expect(people.database.pool.epoch > before)
        try storage.write { try $0.setValue([2], namespace: "a", key: "b") }
        #expect(try storage.read { try $0.value(namespace: "a", key: "b") } == [2])
    }

    @Test func theCheckSaysThatThereIsAPooler() throws {
        let (server, pooler) = (try PostgreSQLServer.shared(), try Self.pooler.get())
        let administration = try PostgreSQLAdministration(PostgreSQLAddress(pooler.url("schema=pooled_check")))
        _ = try administration.initialize(role: "pooled_check_role")
        #expect(try administration.check().contains { $0.text.contains("direct=HOST:PORT") && !$0.isProblem })
        let direct = try PostgreSQLAddress(pooler.url("schema=pooled_check&direct=127.0.0.1:\(server.port)"))
        #expect(
            try PostgreSQLAdministration(direct).check().contains {
                $0.text.contains("notifications come directly from PostgreSQL")
            })
        let plain = try PostgreSQLAddress(server.url("schema=pooled_check"))
        #expect(try !PostgreSQLAdministration(plain).check().contains { $0.text.contains("pooler") })
    }
}
