import Foundation
import HealthModel
import HealthStorage
import PostgreSQLTestSupport
import Testing

@testable import HealthStoragePostgreSQL

/// A streaming replica answers readers, as long as it has all that was saved.
@Suite struct PostgreSQLReplicaTests {
    private let primary: PostgreSQLServer
    private let replica: PostgreSQLServer
    private let people: TestPeople

    init() throws {
        primary = try PostgreSQLServer()
        replica = try PostgreSQLServer(replicaOf: primary)
        people = try TestPeople(url: primary.url("schema=replicated&replica=127.0.0.1:\(replica.port)"))
    }

    private func reads(_ kind: PostgreSQLActivity.ReplicaRead) -> Int {
        people.database.pool.activity.figures.replicaReads[kind] ?? 0
    }

    /// Reads until the replica has answered.
    private func waitForReplica(_ storage: PostgreSQLStorage) throws {
        let before = reads(.current)
        while reads(.current) == before { _ = try storage.read { try $0.lastSequence() } }
    }

    @Test func readersSeeSavesWithAnyReplicaLag() throws {
        let storage = try people.makeStorage()
        try storage.write { try $0.putPage(Rows.page(1)) }
        try waitForReplica(storage)
        #expect(try Rows.pages(in: storage) == [1])
        let count = people.database.replica?.activity.figures.kinds[.select]?.statements ?? 0
        #expect(count > 0)

        try replica.psql("SELECT pg_wal_replay_pause()")
        try storage.write { transaction in
            try transaction.putPage(Rows.page(2))
            _ = try transaction.intern(unit: "kg")
        }
        let behind = reads(.behind)
        #expect(try Rows.pages(in: storage) == [1, 2])
        #expect(reads(.behind) == behind + 1)
        // What another server of the same database has saved, too.
        let other = try TestPeople(schema: "replicated", server: primary)
        try other.database.storage(ofPerson: storage.personName).write { try $0.putPage(Rows.page(3)) }
        #expect(try Rows.pages(in: storage) == [1, 2, 3])
        // Someone whom the replica lacks.
        let added = try people.makeStorage()
        #expect(try Rows.pages(in: added) == [])

        try replica.psql("SELECT pg_wal_replay_resume()")
        try waitForReplica(storage)
        #expect(try storage.read { try $0.dictionaries().units } == ["kg"])
    }

    @Test func theLossOfTheReplicaIsNotNoticed() throws {
        let storage = try people.makeStorage()
        try storage.write { try $0.putPage(Rows.page(1)) }
        try waitForReplica(storage)
        let current = reads(.current)
        try storage.read { snapshot in
            #expect(try snapshot.page(of: Rows.paged, forStart: 100)?.key.firstSequence == 1)
            try replica.kill()
            // From the primary, which has the same state of the store.
            #expect(try snapshot.pageBody(Rows.page(1).key) == Rows.page(1).body)
        }
        #expect(reads(.current) == current + 1)
        #expect(try Rows.pages(in: storage) == [1])
        #expect(reads(.unreachable) > 0)
        try storage.write { try $0.putPage(Rows.page(2)) }
        #expect(try Rows.pages(in: storage) == [1, 2])
    }

    @Test func anotherHistoryIsntPartOfAState() throws {
        let storage = try people.makeStorage()
        func row() throws -> PostgreSQLStoreRow {
            let lease = try people.database.pool.lease()
            defer { PostgreSQLSnapshot.rollBack(lease) }
            return try PostgreSQLSnapshot.begin(lease, PostgreSQLStoreRow.beginReading(storage.person)).row
        }
        let empty = try row()
        try storage.write { try $0.putPage(Rows.page(1)) }
        let first = try row()
        #expect(first.includes(empty) && first.includes(first) && !empty.includes(first))
        var other = empty
        other.commits += 1
        other.recordMark(17)
        #expect(!other.includes(first) && !first.includes(other))
        other.commits += PostgreSQLStoreRow.markCount
        #expect(!other.includes(empty))
    }
}
