import Foundation
import HealthEngine
import HealthModel
import HealthStorage
import HealthTesting
import PostgreSQLTestSupport
import Synchronization
import Testing

@testable import HealthStoragePostgreSQL

/// The statements that a program sends for what it does most often. Over a cluster, each is planned by the coordinator and
/// sent to a worker.
@Suite("Statements of a save, a week and a cohort")
struct PostgreSQLRoundTripTests {
    /// People over one database, and what is sent to it.
    private final class Recording: Sendable {
        let people: TestPeople
        private let sent: Sent

        private final class Sent: Sendable {
            let statements = Mutex<[String]>([])
        }

        init(_ schema: String) throws {
            let sent = Sent()
            var options = PostgreSQLOptions()
            options.onStatement = { statement in sent.statements.withLock { $0.append(statement) } }
            self.sent = sent
            people = try TestPeople(schema: schema, options: options)
        }

        /// The statements that `body` sends.
        func statements(_ body: () throws -> Void) rethrows -> [String] {
            sent.statements.withLock { $0 = [] }
            try body()
            return sent.statements.withLock { $0 }
        }
    }

    private static let phone = Caller(
        revision: SourceRevisionRecord(source: SourceRecord(bundleIdentifier: "test", name: "test")),
        permission: .owner)

    private static func steps() throws -> TypeDescription {
        try #require(TypeCatalog.description(for: "HKQuantityTypeIdentifierStepCount"))
    }

    private static func save(_ hours: Range<Int>, in engine: HealthEngine) throws {
        let type = try steps().code
        let samples = hours.map { hour in
            let start = Double(hour) * 3_600
            return SampleRecord(uuid: UUID(), type: type, start: start, end: start + 60, value: 10, unit: "count")
        }
        try engine.save(samples.map { .sample($0) }, as: phone)
    }

    @Test("A save of one sample is one statement, after the one that asks for listeners")
    func save() throws {
        let recording = try Recording("round_trips")
        // When a change was made is recorded from time to time.
        let engine = try HealthEngine(
            storage: recording.people.makeStorage(), configuration: EngineConfiguration(now: { 700_000_000 }))
        for hour in 0..<20 { try Self.save(hour..<hour + 1, in: engine) }
        let sent = try recording.statements { try Self.save(20..<21, in: engine) }
        #expect(sent.count == 2 && sent.last?.contains("save_pages(") == true, "\(sent)")
    }

    @Test("A single new row is inserted with VALUES, many with one statement")
    func rows() throws {
        var rows = PostgreSQLTransaction.PendingRows()
        rows.identities[UUID()] = StoredIdentity(type: Rows.paged, sequence: 1)
        rows.add(1, [.text("kg")], to: .unit)
        let single = rows.calls(7, in: "test").map(\.sql)
        #expect(
            single == [
                "SELECT test.enter_identities($1, $2, $3, $4, $5, $6)",
                "INSERT INTO unit (person, id, text) VALUES ($1, $2, $3)",
            ])
        rows.identities[UUID()] = StoredIdentity(type: Rows.paged, sequence: 2)
        rows.add(2, [.text("m")], to: .unit)
        let many = rows.calls(7, in: "test").map(\.sql)
        #expect(many.count == 2 && many[0] == single[0] && many[1].contains("FROM store, unnest("))
        #expect((single + many).allSatisfy(PostgreSQLStatements.namesPerson))
    }

    /// Executed by the person's worker in a cluster; here by the server itself.
    @Test("The function of a save writes the row, pages, identities and settings, or fails if the row has changed")
    func function() throws {
        let people = try TestPeople(schema: "save_function")
        let storage = try people.makeStorage()
        try storage.write { _ = try $0.allocateSequences(1) }
        let before = try storage.read { snapshot in try #require(snapshot as? PostgreSQLSnapshot).row }
        var after = before
        (after.commits, after.lastSequence) = (before.commits + 1, 2)
        after.recordMark(7)
        let commit = PostgreSQLCommit(person: storage.person, schema: "save_function", after: after)
        let identity = StoredIdentity(type: Rows.paged, sequence: 2)
        var (pages, rows) = (PostgreSQLTransaction.PendingPages(), PostgreSQLTransaction.PendingRows())
        for number in 1...3 { pages.put(Rows.page(number)) }
        pages.remove(Rows.page(3).key)
        for number in 1...2 { rows.identities[Rows.uuid(number)] = identity }
        rows.spans[Rows.paged] = 128
        rows.set([7], for: PostgreSQLMemory.SettingKey(namespace: "test", key: "a"))
        try people.database.pool.lease().run { connection in
            let answers = try connection.execute(commit.calls(from: before, pages: pages, rows: rows))
            #expect(answers.count == 2)
            #expect(try !PostgreSQLCommit.isListenedTo(answers))
            let failure = #expect(throws: PostgreSQLFailure.self) {
                try connection.execute(commit.calls(from: before, pages: pages, rows: rows))
            }
            #expect(failure?.isWrongAssumption == true)
        }
        #expect(try Rows.pages(in: storage) == [1, 2])
        for number in 1...2 { #expect(try storage.read { try $0.locate(Rows.uuid(number)) } == identity) }
        #expect(try storage.read { try $0.value(namespace: "test", key: "a") } == [7])
        #expect(try storage.read { snapshot in (snapshot as? PostgreSQLSnapshot)?.row } == after)
        // Nor does it see another person's row.
        let other = try people.makeStorage()
        #expect(try Rows.pages(in: other) == [])
    }

    @Test("A week of steps is one statement within its transaction")
    func week() throws {
        let recording = try Recording("round_trips")
        // When a change was made is recorded from time to time.
        let engine = try HealthEngine(
            storage: recording.people.makeStorage(), configuration: EngineConfiguration(now: { 700_000_000 }))
        try Self.save(0..<200, in: engine)
        let type = try Self.steps().code
        let days = (0...7).map { Double($0) * 86_400 }
        let request = StatisticsRequest(
            type: type, filter: .and([.start(.lessThan, days[7]), .end(.greaterThanOrEqual, 0)]),
            options: .cumulativeSum, buckets: .instants(days))
        _ = try engine.statistics(request, as: Self.phone)
        var sums: [Double?] = []
        let sent = try recording.statements {
            sums = try engine.statistics(request, as: Self.phone).map(\.values.sum)
        }
        #expect(sums == [Double?](repeating: 240, count: 7))
        let places = ["BEGIN", "SET LOCAL", "SELECT uuid", "SELECT first_start", "ROLLBACK"]
        #expect(sent.count == places.count && zip(sent, places).allSatisfy { $0.hasPrefix($1) }, "\(sent)")
    }

    @Test("A name that is known is looked up without asking, and another one in what the store has now")
    func names() throws {
        let recording = try Recording("round_trips")
        let storage = try recording.people.makeStorage()
        let engine = try HealthEngine(storage: storage)
        struct Unknown: Error {}
        func look(_ name: String) throws -> [String] {
            try recording.statements {
                _ = try engine.lookingUp { dictionaries in
                    guard let type = dictionaries.type(identifier: name) else { throw Unknown() }
                    return type
                }
            }
        }
        _ = try engine.dictionaries()
        #expect(try look("HKQuantityTypeIdentifierStepCount").isEmpty)
        #expect(throws: Unknown.self) { _ = try look("com.example.type") }
        // Another process adds it.
        try recording.people.database.storage(ofPerson: storage.personName).write { transaction in
            _ = try transaction.intern(typeIdentifier: "com.example.type", kind: .quantity)
            _ = try transaction.allocateSequences(1)
        }
        #expect(try !look("com.example.type").isEmpty)
        #expect(try look("com.example.type").isEmpty)
    }
}
