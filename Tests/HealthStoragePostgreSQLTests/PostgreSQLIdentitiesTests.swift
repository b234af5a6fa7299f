import Foundation
import HealthModel
import HealthStorage
import PostgreSQLTestSupport
import Testing

@testable import HealthStoragePostgreSQL

/// Given UUIDs, of which a row of the database has many.
@Suite("Rows of UUIDs")
struct PostgreSQLIdentitiesTests {
    private static func enter(_ sequences: some Sequence<Int>, in storage: PostgreSQLStorage) throws {
        try storage.write { transaction in
            for sequence in sequences {
                try transaction.putIdentity(
                    Rows.uuid(sequence), StoredIdentity(type: Rows.paged, sequence: Int64(sequence)))
            }
        }
    }

    private static func all(in storage: PostgreSQLStorage) throws -> [UUID: StoredIdentity] {
        var found: [UUID: StoredIdentity] = [:]
        try storage.read { snapshot in
            try snapshot.visitIdentities {
                #expect(found.updateValue($1, forKey: $0) == nil)
                return true
            }
        }
        return found
    }

    /// The first sequence numbers and the numbers of UUIDs of a person's rows.
    private static func rows(_ people: TestPeople, of storage: PostgreSQLStorage) throws -> [[Int64]] {
        let call = PostgreSQLCall(
            "SELECT sequence, cardinality(array_remove(rests, NULL))::int8 FROM identity WHERE person = $1 ORDER BY 1, 2",
            [storage.person])
        return try people.database.run([call]).map { [try $0.integer(0), try $0.integer(1)] }
    }

    @Test("A row has the UUIDs of sixty successive numbers, also of those of which some have none")
    func grouping() throws {
        let people = try TestPeople(schema: "identities")
        let storage = try people.makeStorage()
        let sequences = Array(1...114) + [200, 202, 230, 259, 260, 400]
        try Self.enter(sequences, in: storage)
        #expect(try Self.rows(people, of: storage) == [[1, 60], [61, 54], [200, 4], [260, 1], [400, 1]])
        let found = try Self.all(in: storage)
        #expect(found.count == sequences.count)
        for sequence in sequences {
            let identity = StoredIdentity(type: Rows.paged, sequence: Int64(sequence))
            #expect(found[Rows.uuid(sequence)] == identity)
            #expect(try storage.read { try $0.locate(Rows.uuid(sequence)) } == identity)
        }
        for sequence in [0, 201, 115] { #expect(try storage.read { try $0.locate(Rows.uuid(sequence)) } == nil) }
    }

    @Test("UUIDs are removed from their rows, and rows when nothing is left; each can be entered again")
    func removing() throws {
        let people = try TestPeople(schema: "identities")
        let storage = try people.makeStorage()
        try Self.enter(1...120, in: storage)
        try storage.write { transaction in
            for sequence in Array(1...60) + [70, 120, 500] { try transaction.removeIdentity(Rows.uuid(sequence)) }
            #expect(try transaction.locate(Rows.uuid(70)) == nil)
        }
        #expect(try Self.rows(people, of: storage) == [[61, 58]])
        let left = Set(61...119).subtracting([70])
        #expect(try Set(Self.all(in: storage).values.map { Int($0.sequence) }) == left)
        let moved = StoredIdentity(type: Rows.object, sequence: 300)
        try storage.write { transaction in
            // Of the same transaction as its removal, and of another one.
            try transaction.removeIdentity(Rows.uuid(80))
            try transaction.putIdentity(Rows.uuid(80), moved)
            try transaction.putIdentity(Rows.uuid(70), StoredIdentity(type: Rows.paged, sequence: 301))
            try transaction.putIdentity(Rows.uuid(1), StoredIdentity(type: Rows.paged, sequence: 302))
            try transaction.removeIdentity(Rows.uuid(1))
        }
        #expect(try storage.read { try $0.locate(Rows.uuid(80)) } == moved)
        #expect(try Self.all(in: storage).count == left.count + 1)
        #expect(try storage.read { try $0.locate(Rows.uuid(1)) } == nil)
    }

    @Test("A UUID is entered once, by whichever statements, and others with the same key aren't it")
    func duplicates() throws {
        let people = try TestPeople(schema: "identities")
        let (storage, other) = (try people.makeStorage(), try people.makeStorage())
        // The key is what the halves have not in common.
        let halves: [(UInt8, UInt8)] = [(1, 2), (2, 1), (3, 0), (7, 4)]
        let uuids = halves.map { UUID(uuid: ($0, 0, 0, 0, 0, 0, 0, 9, $1, 0, 0, 0, 0, 0, 0, 9)) }
        for (number, uuid) in uuids.enumerated() {
            // The second and later ones assume that they are new.
            try storage.write(prefetching: { [uuid] }) { transaction in
                let sequence = try transaction.allocateSequences(1)
                try transaction.putIdentity(uuid, StoredIdentity(type: Rows.paged, sequence: sequence))
                try transaction.putPage(Rows.page(number))
            }
        }
        for (number, uuid) in uuids.enumerated() {
            #expect(try storage.read { try $0.locate(uuid) }?.sequence == Int64(number + 1))
            for isPrefetched in [true, false] {
                let error = #expect(throws: StorageError.self) {
                    try storage.write(prefetching: { isPrefetched ? [uuid] : [] }) { transaction in
                        let sequence = try transaction.allocateSequences(1)
                        try transaction.putIdentity(uuid, StoredIdentity(type: Rows.paged, sequence: sequence))
                        try transaction.putPage(Rows.page(9))
                    }
                }
                #expect(error?.kind == .duplicate)
            }
        }
        // The database itself rejects what a transaction hasn't looked up.
        let entry = PostgreSQLIdentities.entry(
            [uuids[1]: StoredIdentity(type: Rows.paged, sequence: 9)], of: storage.person, in: "identities")
        let error = #expect(throws: StorageError.self) { try people.database.run([entry]) }
        #expect(error?.kind == .duplicate)
        #expect(try Self.all(in: storage).count == uuids.count)
        // Another person can have the same.
        #expect(try other.read { try $0.locate(uuids[0]) } == nil)
        try other.write { try $0.putIdentity(uuids[0], StoredIdentity(type: Rows.object, sequence: 1)) }
        try other.write { try $0.removeIdentity(uuids[0]) }
        #expect(try storage.read { try $0.locate(uuids[0]) }?.type == Rows.paged)
    }

    @Test("The servers' role finds them by the index, which row-level security would forbid")
    func role() throws {
        let server = try PostgreSQLServer.shared()
        let url = server.url("schema=identities_of_role")
        _ = try PostgreSQLAdministration(PostgreSQLAddress(url)).initialize(role: "identities_role")
        let database = try PostgreSQLDatabase(PostgreSQLAddress(url + "&role=identities_role"))
        defer { database.close() }
        let (anna, ben) = (try database.storage(ofPerson: "anna"), try database.storage(ofPerson: "ben"))
        for storage in [anna, ben] { try Self.enter(1...300, in: storage) }
        let scans =
            "SELECT idx_scan, seq_scan FROM pg_stat_xact_user_tables WHERE relid = 'identities_of_role.identity'::regclass"
        let schema = "identities_of_role"
        let answers = try database.pool.lease().run { connection in
            try connection.execute(
                // Reading all of ten rows costs less than the index. Counts include those of transactions before.
                [PostgreSQLCall("BEGIN"), PostgreSQLCall("SET LOCAL enable_seqscan = off"), PostgreSQLCall(scans)]
                    + PostgreSQLIdentities.lookup([Rows.uuid(8)], of: anna.person, in: schema) + [
                        PostgreSQLIdentities.removal([Rows.uuid(9)], of: anna.person, in: schema),
                        PostgreSQLIdentities.next(5, after: 0, of: anna.person, in: schema), PostgreSQLCall(scans),
                        PostgreSQLCall("ROLLBACK"),
                    ])
        }
        #expect(answers[3].count == 60 && answers[5].count == 299)
        let counts = try [answers[2], answers[6]].map { (index: try $0[0].integer(0), all: try $0[0].integer(1)) }
        #expect(counts[1].index - counts[0].index == 3 && counts[1].all == counts[0].all)
        #expect(try anna.read { try $0.locate(Rows.uuid(7)) }?.sequence == 7)
        try anna.write { try $0.removeIdentity(Rows.uuid(7)) }
        #expect(try Self.all(in: anna).count == 299 && Self.all(in: ben).count == 300)
        try database.removePerson("anna")
        #expect(try Self.all(in: ben).count == 300)
        #expect(
            try server.psql("SELECT count(DISTINCT person) FROM identities_of_role.identity /* deliberately */") == [
                "1"
            ])
    }
}
