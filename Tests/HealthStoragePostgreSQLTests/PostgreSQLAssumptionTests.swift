import Foundation
import HealthEngine
import HealthModel
import HealthStorage
import HealthTesting
import PostgreSQLTestSupport
import Testing

@testable import HealthStoragePostgreSQL

/// Transactions that assume that there was no other writer, and are run again if there was.
@Suite("Writing in one round trip")
struct PostgreSQLAssumptionTests {
    /// Saves a row with a UUID as the engine does.
    private static func save(
        _ number: Int, in storage: PostgreSQLStorage, calls: inout Int
    ) throws -> Int64 {
        let uuid = Rows.uuid(number)
        return try storage.write(prefetching: { [uuid] }) { transaction in
            calls += 1
            let sequence = try transaction.allocateSequences(1)
            try transaction.putIdentity(uuid, StoredIdentity(type: Rows.paged, sequence: sequence))
            return sequence
        }
    }

    @Test("The second write asks for nothing before it commits")
    func statements() throws {
        let statements = PostgreSQLStatements()
        var options = PostgreSQLOptions()
        options.onStatement = { statements.add($0) }
        let people = try TestPeople(schema: "assumptions", options: options)
        let storage = try people.makeStorage()
        var calls = 0
        #expect(try Self.save(1, in: storage, calls: &calls) == 1)
        let before = statements.all.count
        #expect(try Self.save(2, in: storage, calls: &calls) == 2)
        let sent = statements.all.dropFirst(before)
        #expect(
            !sent.contains { text in
                ["RETURNING uuid", "SELECT uuid", "SELECT type"].contains { text.contains($0) }
            })
        #expect(sent.contains { $0.contains("RETURNING person") })
        #expect(statements.offenders.isEmpty)
        #expect(calls == 2)
        #expect(try storage.read { try $0.locate(Rows.uuid(2)) } == StoredIdentity(type: Rows.paged, sequence: 2))
    }

    @Test("Two writers of one person in turn lose nothing, and no number comes twice")
    func otherWriters() throws {
        let people = try TestPeople(schema: "assumptions")
        let name = UUID().uuidString
        let writers = try (0..<2).map { _ in try people.database.storage(ofPerson: name) }
        var random = SplitMix64(seed: 41)
        var calls = 0
        for number in 1...200 {
            let writer = writers[random.oneIn(8) ? 1 : 0]
            #expect(try Self.save(number, in: writer, calls: &calls) == Int64(number))
        }
        #expect(calls > 200, "Some were run again.")
        for number in 1...200 {
            #expect(
                try writers[0].read { try $0.locate(Rows.uuid(number)) }
                    == StoredIdentity(type: Rows.paged, sequence: Int64(number)))
        }
        #expect(try writers[1].read { try $0.lastSequence() } == 200)
    }

    @Test("A UUID that is stored already is found, and the write leaves nothing")
    func duplicates() throws {
        let people = try TestPeople(schema: "assumptions")
        let storage = try people.makeStorage()
        var calls = 0
        for number in 1...2 { _ = try Self.save(number, in: storage, calls: &calls) }
        for repeated in [1, 2] {
            let error = #expect(throws: StorageError.self) { try Self.save(repeated, in: storage, calls: &calls) }
            #expect(error?.kind == .duplicate)
        }
        // A write that continues after it has found one.
        let found = try storage.write(prefetching: { [Rows.uuid(3), Rows.uuid(1)] }) { transaction in
            let sequence = try transaction.allocateSequences(1)
            try transaction.putIdentity(Rows.uuid(3), StoredIdentity(type: Rows.paged, sequence: sequence))
            return try transaction.locate(Rows.uuid(1))?.sequence
        }
        #expect(found == 1)
        #expect(try storage.read { try $0.lastSequence() } == 3)
    }

    @Test("A UUID that is entered before anything is read is found afterwards")
    func enteredUUIDs() throws {
        let people = try TestPeople(schema: "assumptions")
        let storage = try people.makeStorage()
        // The second transaction assumes the row that the first one wrote.
        for number in 1...2 {
            let identity = StoredIdentity(type: Rows.paged, sequence: Int64(number))
            try storage.write(prefetching: { [Rows.uuid(number)] }) { transaction in
                _ = try transaction.allocateSequences(1)
                try transaction.putIdentity(Rows.uuid(number), identity)
                #expect(try transaction.typesInUse() == [])
                #expect(try transaction.locate(Rows.uuid(number)) == identity)
                let error = #expect(throws: StorageError.self) {
                    try transaction.putIdentity(Rows.uuid(number), identity)
                }
                #expect(error?.kind == .duplicate)
            }
        }
    }

    @Test("A write reads the state that it changes, whichever process wrote before")
    func readsOfTheTrueState() throws {
        let people = try TestPeople(schema: "assumptions")
        let name = UUID().uuidString
        let (one, other) = (try people.database.storage(ofPerson: name), try people.database.storage(ofPerson: name))
        func add(_ storage: PostgreSQLStorage) throws {
            try storage.write(prefetching: { [] }) { transaction in
                let count = try transaction.value(namespace: "test", key: "count")?.first ?? 0
                try transaction.setValue([count + 1], namespace: "test", key: "count")
                _ = try transaction.allocateSequences(1)
            }
        }
        for _ in 0..<20 {
            try add(one)
            try add(one)
            try add(other)
        }
        #expect(try one.read { try $0.value(namespace: "test", key: "count") } == [60])
        #expect(try one.read { try $0.values(namespace: "test") } == ["count": [60]])
    }

    @Test("A write that waits too long for another process leaves its connection ready for the next one")
    func waitingTooLong() throws {
        var options = PostgreSQLOptions()
        options.busyTimeout = 0.05
        // Each has one connection, which must not be left within a transaction.
        options.maximumConnections = 1
        // Locks of others are waited for only so long.
        let people = try (0..<2).map { _ in try TestPeople(schema: "assumptions_busy", options: options) }
        let mine = try people[0].makeStorage()
        let theirs = try people[1].database.storage(ofPerson: mine.personName)
        var calls = 0
        for number in 1...2 { _ = try Self.save(number, in: mine, calls: &calls) }
        try theirs.write { transaction in
            _ = try transaction.allocateSequences(1)
            let error = #expect(throws: StorageError.self) { try Self.save(3, in: mine, calls: &calls) }
            #expect(error?.kind == .busy)
            #expect(try mine.read { try $0.lastSequence() } == 2)
        }
        #expect(calls == 3)
        #expect(try Self.save(3, in: mine, calls: &calls) == 4)
    }

    @Test("Many threads and two storages save through the engine")
    func engines() async throws {
        let people = try TestPeople(schema: "assumptions")
        let name = UUID().uuidString
        let engines = try (0..<2).map { _ in try HealthEngine(storage: people.database.storage(ofPerson: name)) }
        let caller = Caller(
            revision: SourceRevisionRecord(source: SourceRecord(bundleIdentifier: "test", name: "test")),
            permission: .owner)
        let type = try #require(TypeCatalog.description(for: "HKQuantityTypeIdentifierStepCount")).code
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<4 {
                group.addTask {
                    for index in 0..<25 {
                        let start = Double(writer * 100 + index) * 60
                        let sample = SampleRecord(
                            uuid: UUID(), type: type, start: start, end: start + 30, value: 1, unit: "count")
                        try engines[writer % 2].save([.sample(sample)], as: caller)
                    }
                }
            }
            try await group.waitForAll()
        }
        for engine in engines {
            let request = StatisticsRequest(type: type, options: .cumulativeSum, buckets: .single)
            #expect(try engine.statistics(request, as: caller).first?.values.sum == 100)
        }
        #expect(try engines[0].storage.findDamage().isEmpty)
    }

    @Test("Commits are announced only while there are listeners, and the first one after that is")
    func listeners() throws {
        let statements = PostgreSQLStatements()
        var options = PostgreSQLOptions()
        options.onStatement = { statements.add($0) }
        let people = try TestPeople(schema: "assumptions", options: options)
        let name = UUID().uuidString
        let (one, other) = (try people.database.storage(ofPerson: name), try people.database.storage(ofPerson: name))
        var calls = 0
        for number in 1...3 { _ = try Self.save(number, in: one, calls: &calls) }
        func notifications() -> Int { statements.all.count { $0.contains("pg_notify") } }
        #expect(notifications() == 0)
        let heard = Progress()
        let subscription = other.observeForeignCommits { heard.add() }
        for number in 4...6 {
            _ = try Self.save(number, in: one, calls: &calls)
            #expect(heard.wait(for: number - 3))
        }
        subscription.cancel()
    }
}
