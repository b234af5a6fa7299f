import Foundation
import HealthEngine
import HealthModel
import HealthStorageSQLite
import HealthTesting
import Testing

@testable import HealthServer

/// Samples in a test server's store, and requests about it.
struct APIFixture {
    let server: TestServer
    let client: TestClient
    let engine: HealthEngine
    static let root = "/v1/people/anna/"

    init(_ server: TestServer) throws {
        self.server = server
        client = server.client
        engine = try server.engine()
    }

    /// Runs a test against a server with one person.
    static func run<Value>(_ body: (APIFixture) async throws -> Value) async throws -> Value {
        // After every sample of these tests.
        let now = Date(timeIntervalSinceReferenceDate: try instant("2025-11-01T12:00:00Z"))
        return try await TestServer.with(people: ["anna"], now: now) { try await body(APIFixture($0)) }
    }

    /// An application that saved samples in the past.
    static func app(_ name: String) -> Caller {
        Caller(
            revision: SourceRevisionRecord(
                source: SourceRecord(bundleIdentifier: "com.example.\(name)", name: name), version: "1.0"),
            permission: .owner)
    }

    private static let types = Dictionary(uniqueKeysWithValues: TypeCatalog.all.map { ($0.shortName, $0.code) })

    static func type(_ name: String) throws -> TypeCode { try #require(types[name]) }

    /// Seconds since 2001 of an ISO 8601 text.
    static func instant(_ text: String) throws -> Double {
        try #require(LocalClock(timeZone: .gmt).instant(of: text))
    }

    /// A sample of sleep, of some hours.
    static func night(_ start: String, _ hours: Double, _ value: Double) throws -> SaveItem {
        let start = try instant(start)
        return .sample(
            SampleRecord(type: try type("sleepAnalysis"), start: start, end: start + hours * 3_600, value: value))
    }

    /// Saves quantity samples: the start, the seconds and the value of each.
    func save(
        _ name: String, _ unit: String, _ rows: [(String, Double, Double)], as app: String = "watch",
        metadata: Metadata = .empty
    ) throws {
        let items = try rows.map { start, seconds, value in
            let start = try Self.instant(start)
            return SaveItem.sample(
                SampleRecord(
                    type: try Self.type(name), start: start, end: start + seconds, value: value, unit: unit,
                    metadata: metadata))
        }
        try engine.save(items, as: Self.app(app))
    }

    /// Another connection to the same file, as another process has it.
    func otherEngine() throws -> HealthEngine {
        try HealthEngine(storage: SQLiteStorage(path: server.core.directory.store(of: "anna").path))
    }

    func get(_ path: String, token: String? = nil) async throws -> TestResponse {
        try await (token.map { client.with(token: $0) } ?? client).get(Self.root + path)
    }

    func post(_ path: String, _ json: String, token: String? = nil) async throws -> TestResponse {
        try await (token.map { client.with(token: $0) } ?? client).post(Self.root + path, json: json)
    }

    func send(_ method: String, _ path: String, _ json: String, token: String? = nil) async throws -> TestResponse {
        try await (token.map { client.with(token: $0) } ?? client).send(
            method, Self.root + path, headers: ["Content-Type": "application/json"], body: Data(json.utf8))
    }
}

extension TestResponse {
    /// A list of objects.
    func list(_ name: String) -> [[String: Any]] { json[name] as? [[String: Any]] ?? [] }
}
