import Foundation
import HealthEngine
import HealthModel
import HealthStorage
import HealthTesting
import PostgreSQLTestSupport
import Synchronization
import Testing

@testable import HealthStoragePostgreSQL

@Suite("People who are read together")
struct PostgreSQLCohortTests {
    private static let week = 604_800.0
    private static let names = (0..<40).map { "p\($0)" }
    private static let instants = (0...10).map { Double($0) * week }

    private static func caller(_ name: String) -> Caller {
        Caller(
            revision: SourceRevisionRecord(
                source: SourceRecord(bundleIdentifier: "test.\(name)", name: name),
                productType: name == "watch" ? "Watch6,1" : "iPhone15,2"), permission: .owner)
    }

    private static func steps() throws -> TypeCode {
        try #require(TypeCatalog.description(for: "HKQuantityTypeIdentifierStepCount")).code
    }

    /// Ten weeks of small pages: of a watch, and of every other person a phone at the same times as well, so that some
    /// are added up and others aren't.
    private static func fill(_ database: PostgreSQLDatabase) throws {
        let type = try steps()
        for (person, name) in names.enumerated() {
            let engine = try HealthEngine(
                storage: database.storage(ofPerson: name), configuration: EngineConfiguration(pageCapacity: 4))
            for source in person.isMultiple(of: 2) ? ["watch"] : ["watch", "phone"] {
                let samples = (0..<70).map { day -> SaveItem in
                    let start = Double(day) * 86_400 + (source == "phone" ? 1_800 : 0)
                    return .sample(
                        SampleRecord(
                            type: type, start: start, end: start + 3_600, value: Double(100 + person), unit: "count"))
                }
                try engine.save(samples, as: caller(source))
            }
        }
    }

    private static func sums(_ storage: any HealthStorage, _ instants: [Double] = instants) throws -> [Double?] {
        let filter = SampleFilter.and([.start(.lessThan, instants.last ?? 0), .end(.greaterThanOrEqual, instants[0])])
        let request = StatisticsRequest(
            type: try steps(), filter: filter, options: .cumulativeSum, buckets: .instants(instants))
        return try HealthEngine(storage: storage).statistics(request, as: .reader).map(\.values.sum)
    }

    private static func read(
        _ database: PostgreSQLDatabase, _ people: [String] = names, _ instants: [Double] = instants,
        _ body: (String, any HealthStorage) throws -> Void
    ) throws {
        let type = try steps()
        try database.read(
            people, type, between: instants, namespaces: HealthEngine.namespaces(ofStatistics: type), body)
    }

    @Test("Forty people take fourteen statements, with the figures of each alone, of those whom the role may see")
    func statements() throws {
        let url = try PostgreSQLServer.shared().url("schema=cohorts")
        _ = try PostgreSQLAdministration(PostgreSQLAddress(url)).initialize(role: "cohorts_server")
        let sent = Mutex<[String]>([])
        var options = PostgreSQLOptions()
        options.onStatement = { statement in sent.withLock { $0.append(statement) } }
        let database = try PostgreSQLDatabase(PostgreSQLAddress(url + "&role=cohorts_server"), options: options)
        defer { database.close() }
        try Self.fill(database)
        var expected: [String: [Double?]] = [:]
        for name in Self.names { expected[name] = try Self.sums(database.storage(ofPerson: name)) }
        // The watch takes precedence for the half hour in which both count.
        #expect(expected["p0"] == [Double?](repeating: 700, count: 10))
        #expect(expected["p1"] == [Double?](repeating: 7 * 101 * 1.5, count: 10))

        sent.withLock { $0 = [] }
        var found: [String: [Double?]] = [:]
        try Self.read(database, Self.names + ["nobody"]) { found[$0] = try Self.sums($1) }
        #expect(found == expected)
        let together = sent.withLock { $0 }
        #expect(together.count <= 14, "\(together)")
        #expect(together.allSatisfy(PostgreSQLStatements.namesPerson))

        // A month isn't added up.
        sent.withLock { $0 = [] }
        let month = Array(Self.instants.prefix(4))
        found = [:]
        try Self.read(database, Self.names, month) { found[$0] = try Self.sums($1, month) }
        #expect(found == expected.mapValues { Array($0.prefix(3)) })
        #expect(sent.withLock { $0.count } <= 13)
    }

    @Test("Rows that weren't read ahead are read in the same transaction, and nothing is written")
    func others() throws {
        let people = try TestPeople(schema: "cohorts_others")
        try Self.fill(people.database)
        try Self.read(people.database) { name, storage in
            let types = try storage.read { try $0.typesInUse() }
            #expect(try types == [Self.steps()])
            #expect(throws: StorageError.self) { try storage.write { _ = try $0.allocateSequences(1) } }
            guard name == "p0" else { return }
            // Another one's later change isn't seen.
            try people.database.storage(ofPerson: "p1").write { try $0.putPage(Rows.page(1)) }
        }
        #expect(try people.database.storage(ofPerson: "p1").read { try $0.typesInUse() }.count == 2)
    }

    @Test("Without its connection, the rest of a batch fails instead of seeing nothing")
    func losses() throws {
        let server = try PostgreSQLServer()
        let people = try TestPeople(schema: "cohorts_lost", server: server)
        try Self.fill(people.database)
        var kinds: [StorageError.Kind] = []
        try Self.read(people.database, Array(Self.names.prefix(3))) { _, storage in
            if kinds.isEmpty {
                try server.psql(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'openhealthkit'")
            }
            do {
                _ = try storage.read { try $0.typesInUse() }
            } catch let error as StorageError {
                kinds.append(error.kind)
            }
        }
        #expect(kinds == [.unreachable, .unreachable, .unreachable])
    }

    @Test("Everybody is in one batch, and who doesn't exist in none")
    func batches() throws {
        let people = try TestPeople(schema: "cohorts_batches")
        for name in Self.names { _ = try people.database.storage(ofPerson: name) }
        let batches = try people.database.batches(of: Self.names + ["nobody"])
        #expect(batches.joined().sorted() == Self.names.sorted())
        #expect(batches.map(\.count) == [8, 8, 8, 8, 8])
    }
}
