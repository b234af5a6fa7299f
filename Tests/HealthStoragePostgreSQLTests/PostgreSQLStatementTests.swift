import Foundation
import HealthModel
import HealthStorage
import PostgreSQLTestSupport
import StorageContract
import Synchronization
import Testing

@testable import HealthStoragePostgreSQL

@Suite struct PostgreSQLStatementTests {
    @Test func everyStatementOfTheContractNamesThePerson() throws {
        let statements = PostgreSQLStatements()
        var options = PostgreSQLOptions()
        options.onStatement = { statements.add($0) }
        let people = try TestPeople(schema: "statements", options: options)
        let contract = StorageContract(
            makeStorage: { try people.makeStorage() },
            reopen: { storage in
                try storage.close()
                return try people.database.storage(ofPerson: (storage as? PostgreSQLStorage)?.personName ?? "")
            })
        try contract.run()
        let storage = try people.makeStorage()
        try storage.write { transaction in
            // Enough for a copy.
            for number in 1...40 { try transaction.putPage(Rows.page(number)) }
        }
        try people.database.removePerson(storage.personName)
        #expect(statements.offenders.isEmpty)
        // What is looked for was there: all tables, all kinds of statements.
        let all = statements.all.joined(separator: "\n")
        for table in PostgreSQLSchema.personTables { #expect(all.contains(" \(table)"), "\(table)") }
        for word in ["COPY page", "DELETE FROM page", "RETURNING uuid", "UNION ALL", "WITH RECURSIVE"] {
            #expect(all.contains(word))
        }
        #expect(PostgreSQLStatements.personTables == PostgreSQLSchema.personTables)
        #expect(PostgreSQLStatements.referenceTables == PostgreSQLSchema.referenceTables)
    }

    /// An archive has thousands of versions of sources.
    @Test func newEntriesOfADictionaryAreOneStatement() throws {
        let sent = Mutex<[String]>([])
        var options = PostgreSQLOptions()
        options.onStatement = { statement in sent.withLock { $0.append(statement) } }
        let people = try TestPeople(schema: "dictionaries", options: options)
        let storage = try people.makeStorage()
        let source = SourceRecord(bundleIdentifier: "com.example\u{1B}", name: "Ex\0ample")
        let revisions = (0..<500).map { number in
            SourceRevisionRecord(source: source, version: number == 7 ? nil : "\(number)", productType: "Watch7,1")
        }
        try storage.write { transaction in
            for (number, revision) in revisions.enumerated() {
                #expect(try transaction.intern(revision) == UInt32(number + 1))
            }
            _ = try transaction.intern(typeIdentifier: "com.example.type", kind: .quantity)
            _ = try transaction.intern(unit: "kg")
            _ = try transaction.intern(DeviceRecord(name: "Watch", manufacturer: nil, model: "X"))
            // What was interned is read in the same transaction, and the rest is sent with the end.
            #expect(try transaction.dictionaries().revisions.count == 500)
            #expect(try transaction.intern(revisions[499]) == 500)
            _ = try transaction.intern(unit: "m")
        }
        let insertions = sent.withLock { $0.filter { $0.hasPrefix("INSERT INTO revision") } }
        #expect(insertions.count == 1)
        let stored = try people.database.storage(ofPerson: storage.personName).read { try $0.dictionaries() }
        #expect(stored.revisions == revisions && stored.sources == [source] && stored.units == ["kg", "m"])
        #expect(stored.devices.map(\.name) == ["Watch"] && stored.devices.map(\.manufacturer) == [nil])
    }

    /// The statements that every process has sent to the shared server are checked at the end of the tests; here it is
    /// tested that they are found.
    @Test func statementsOfAllProcessesAreKept() throws {
        let server = try PostgreSQLServer()
        let people = try TestPeople(schema: "kept", server: server)
        try people.makeStorage().write { try $0.putPage(Rows.page(1)) }
        #expect(try server.offenders() == [])
        try server.psql(
            "SELECT count(*) FROM kept.page", "SET search_path = kept; DELETE FROM page WHERE type = 7 OR type = 8")
        #expect(
            try server.offenders() == [
                "DELETE FROM page WHERE type = $1 OR type = $2", "SELECT count(*) FROM kept.page",
            ])
    }

    @Test(arguments: [
        "SELECT body FROM page WHERE type = $2",
        "SELECT body FROM page WHERE person = $2 AND type = $1",
        "SELECT body FROM page WHERE person = $1 OR type = $2",
        "SELECT body FROM page",
        "DELETE FROM setting WHERE key = $1",
        "UPDATE store SET commits = $1",
        "INSERT INTO unit (id, text) VALUES ($1, $2)",
        "INSERT INTO unit (person, id, text) VALUES (1, $1, $2)",
        "INSERT INTO unit (person, id) SELECT $1, * FROM unnest($2::int8[])",
        "INSERT INTO unit (person, id) SELECT store.person, rows.* FROM store, unnest($2::int8[]) AS rows",
        "COPY page (type) FROM STDIN (FORMAT binary)",
        "(SELECT type FROM page WHERE person = $1) UNION ALL (SELECT type FROM object)",
        "SELECT type FROM page JOIN object USING (type) WHERE person = $1",
        "SELECT (SELECT max(sequence) FROM object) FROM store WHERE person = $1",
    ])
    func aStatementWithoutThePersonIsFound(_ statement: String) {
        #expect(!PostgreSQLStatements.namesPerson(statement))
    }

    /// The tables of the schema are those that the rule is about, and each has the person in front of all its keys, except
    /// the index of arrays, whose last element is the person's.
    @Test func everyKeyStartsWithThePerson() throws {
        let people = try TestPeople(schema: "keys")
        try people.database.pool.lease().run { connection in
            let tables = try connection.execute([
                PostgreSQLCall("SELECT tablename::text FROM pg_tables WHERE schemaname = 'keys' ORDER BY 1")
            ])[0]
            let names = tables.indices.map { tables[$0].text(0) }
            let others = ["credential", "credential_person"]
            #expect(Set(names) == Set(PostgreSQLSchema.personTables + PostgreSQLSchema.referenceTables + others))
            let indexes = try connection.execute([
                PostgreSQLCall("SELECT tablename::text, indexdef FROM pg_indexes WHERE schemaname = 'keys'")
            ])[0]
            #expect(indexes.count >= 18)
            let exceptions = indexes.filter {
                PostgreSQLSchema.personTables.contains($0.text(0)) && !$0.text(1).contains("(person")
            }
            #expect(
                exceptions.map { $0.text(1) } == [
                    "CREATE INDEX identity_keys ON keys.identity USING gin (keys) WITH (fastupdate=off)"
                ])
        }
    }
}
