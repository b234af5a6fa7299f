import Foundation
import HealthEngine
import HealthModel
import HealthStorage
import PostgreSQLTestSupport
import Synchronization
import Testing

@testable import HealthStoragePostgreSQL

/// Several connections and storage objects, as several processes and machines have them.
@Suite struct PostgreSQLSharingTests {
    @Test func commitsOfOthersAreObserved() throws {
        let people = try [TestPeople(), TestPeople()]
        let mine = try people[0].makeStorage()
        let theirs = try people[1].database.storage(ofPerson: mine.personName)
        let stranger = try people[1].makeStorage()
        let calls = Progress()
        let subscription = mine.observeForeignCommits { calls.add() }
        try mine.write { try $0.putPage(Rows.page(1)) }
        try stranger.write { try $0.putPage(Rows.page(1)) }
        try theirs.write { try $0.putPage(Rows.page(2)) }
        #expect(calls.wait(for: 1))
        try theirs.write { try $0.setValue([1], namespace: "a", key: "b") }
        #expect(calls.wait(for: 2))
        // Another object of this process is another writer, too.
        try people[0].database.storage(ofPerson: mine.personName).write { try $0.putPage(Rows.page(3)) }
        #expect(calls.wait(for: 3))
        #expect(calls.count == 3)
        subscription.cancel()
        #expect(try Rows.pages(in: mine) == [1, 2, 3])
    }

    /// A server with the store open asks which types have changed in one round trip, whatever the number of types.
    @Test func aCommitOfAnotherServerCostsFewStatements() throws {
        let statements = Mutex(0)
        var options = PostgreSQLOptions()
        options.onStatement = { statement in
            if !statement.hasPrefix("LISTEN"), !statement.contains("pg_advisory_lock") {
                statements.withLock { $0 += 1 }
            }
        }
        let (mine, theirs) = (try TestPeople(options: options), try TestPeople())
        let storage = try mine.makeStorage()
        let writer = try HealthEngine(storage: theirs.database.storage(ofPerson: storage.personName))
        let reader = try HealthEngine(storage: storage)
        let types = [
            "StepCount", "FlightsClimbed", "PushCount", "SwimmingStrokeCount", "NumberOfTimesFallen", "InhalerUsage",
        ]
        let codes = try types.map { try #require(TypeCatalog.description(for: "HKQuantityTypeIdentifier\($0)")).code }
        let revision = SourceRevisionRecord(source: SourceRecord(bundleIdentifier: "com.example", name: "A"))
        let caller = Caller(revision: revision, permission: .owner)
        func save(_ code: TypeCode, _ start: Double) throws {
            let sample = SampleRecord(uuid: UUID(), type: code, start: start, end: start, value: 1, unit: "count")
            try writer.save([.sample(sample)], as: caller)
        }
        for code in codes { try save(code, 0) }
        let changed = Mutex<[Set<TypeCode>]>([])
        let heard = Progress()
        let subscription = reader.observeCommits { commit in
            changed.withLock { $0.append(commit.types) }
            heard.add()
        }
        for number in 1...10 {
            try save(codes[number % codes.count], Double(number))
            if number == 1 { statements.withLock { $0 = 0 } }
            #expect(heard.wait(for: number))
        }
        // Begin, person, row, two tables, tombstones and the end, for each.
        #expect(statements.withLock { $0 } <= 10 * 8)
        #expect(changed.withLock { $0 } == (1...10).map { [codes[$0 % codes.count]] })
        subscription.cancel()
    }

    /// While the connection is lost, no notification arrives, so the observer is called when it is back.
    @Test func observersAreCalledAfterALostConnection() throws {
        let server = try PostgreSQLServer()
        let people = try TestPeople(server: server)
        let storage = try people.makeStorage()
        let calls = Progress()
        let subscription = storage.observeForeignCommits { calls.add() }
        try server.kill()
        try server.start()
        #expect(calls.wait(for: 1))
        let before = calls.count
        let other = try TestPeople(server: server)
        try other.database.storage(ofPerson: storage.personName).write { try $0.putPage(Rows.page(1)) }
        #expect(calls.wait(for: before + 1))
        subscription.cancel()
    }

    /// Notifications contain the person's number and the random mark of the commit, nothing else.
    @Test func notificationsContainNoData() throws {
        let people = try TestPeople(schema: "heard")
        let storage = try people.makeStorage()
        let listening = try PostgreSQLConnection(people.database.address, options: PostgreSQLOptions(), epoch: 0)
        let channel = PostgreSQLListener.channel("heard", storage.person)
        _ = try listening.execute([PostgreSQLCall("LISTEN \"\(channel)\"", isPrepared: false)])
        // Commits are announced while an observer holds the lock of listeners.
        let subscription = storage.observeForeignCommits {}
        try storage.write { transaction in
            _ = try transaction.allocateSequences(3)
            try transaction.putPage(Rows.page(1))
        }
        var heard: [(channel: String, payload: String)] = []
        while heard.isEmpty {
            _ = try listening.execute([PostgreSQLCall("SELECT 1::int8")])
            heard = try listening.takeNotifications()
        }
        #expect(heard.count == 1)
        let payload = heard[0].payload.split(separator: " ")
        #expect(payload.count == 2 && payload[0] == "\(storage.person)" && UInt64(payload[1]) != nil)
        #expect(heard.map(\.channel) == [channel])
        withExtendedLifetime(subscription) {}
    }

    @Test func anotherProcessIsWaitedForOrReported() throws {
        var options = PostgreSQLOptions()
        options.busyTimeout = 0.05
        let people = try [TestPeople(options: options), TestPeople(options: options)]
        let mine = try people[0].makeStorage()
        let theirs = try people[1].database.storage(ofPerson: mine.personName)
        try mine.write { transaction in
            try transaction.putPage(Rows.page(1))
            let error = #expect(throws: StorageError.self) { try theirs.write { try $0.putPage(Rows.page(2)) } }
            #expect(error?.kind == .busy)
        }
        try theirs.write { try $0.putPage(Rows.page(2)) }
        #expect(try Rows.pages(in: mine) == [1, 2])
    }

    /// Cached states, dictionaries and settings are not used after another writer has committed.
    @Test func nothingStaleIsUsed() throws {
        let people = try [TestPeople(), TestPeople()]
        let mine = try people[0].makeStorage()
        let theirs = try people[1].database.storage(ofPerson: mine.personName)
        let first = try mine.write { transaction in
            #expect(try transaction.intern(unit: "kg") == 1)
            try transaction.setValue([1], namespace: "a", key: "b")
            #expect(try transaction.value(namespace: "a", key: "c") == nil)
            return transaction.baseState
        }
        try theirs.write { transaction in
            #expect(try transaction.intern(unit: "m") == 2)
            try transaction.setValue([2], namespace: "a", key: "b")
            try transaction.setValue([3], namespace: "a", key: "c")
        }
        try mine.write { transaction in
            #expect(transaction.baseState != first?.afterCommit)
            let units = [try transaction.intern(unit: "m"), try transaction.intern(unit: "s")]
            #expect(units == [2, 3])
            let values = [
                try transaction.value(namespace: "a", key: "b"), try transaction.value(namespace: "a", key: "c"),
            ]
            #expect(values == [[2], [3]])
        }
        #expect(try theirs.read { try $0.dictionaries().units } == ["kg", "m", "s"])
    }

    @Test func thePoolIsLimited() throws {
        var options = PostgreSQLOptions()
        options.maximumConnections = 1
        options.poolTimeout = 0.05
        let people = try TestPeople(options: options)
        let storage = try people.makeStorage()
        try storage.read { _ in
            let error = #expect(throws: StorageError.self) { try storage.write { try $0.allocateSequences(1) } }
            #expect(error?.kind == .busy)
        }
        #expect(try storage.write { try $0.allocateSequences(1) } == 1)
    }
}
