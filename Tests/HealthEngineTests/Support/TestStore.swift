import Foundation
import HealthEngine
import HealthModel
import HealthStorage
import HealthStoragePostgreSQL
import HealthStorageSQLite
import PostgreSQLTestSupport
import Testing

/// A store for one test, with an engine over it; a file goes away with it.
final class TestStore {
    /// Which backend.
    enum Backend: String, CaseIterable, Sendable {
        case memory, file, postgreSQL
    }

    let engine: HealthEngine
    private let backend: Backend
    private let directory: URL?

    init(_ backend: Backend = .memory, pageCapacity: Int = 1_000) throws {
        let storage: any HealthStorage
        self.backend = backend
        switch backend {
        case .memory:
            directory = nil
            storage = InMemoryStorage()
        case .file:
            let place = FileManager.default.temporaryDirectory
                .appendingPathComponent("HealthEngineTests-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            directory = place
            storage = try SQLiteStorage(path: place.appendingPathComponent("health.sqlite").path)
        case .postgreSQL:
            directory = nil
            storage = try EngineDatabase.shared.get().storage(ofPerson: UUID().uuidString)
        }
        engine = try HealthEngine(
            storage: storage, configuration: EngineConfiguration(pageCapacity: pageCapacity, now: { 0 }))
    }

    /// Another store of the same backend, which goes away with this one.
    func emptyStorage() throws -> any HealthStorage {
        switch backend {
        case .memory: InMemoryStorage()
        case .file: try SQLiteStorage(path: (directory ?? URL(fileURLWithPath: "/")).appendingPathComponent("\(UUID()).sqlite").path)
        case .postgreSQL: try EngineDatabase.shared.get().storage(ofPerson: UUID().uuidString)
        }
    }

    deinit {
        try? engine.close()
        if let directory { try? FileManager.default.removeItem(at: directory) }
        if engine.storage is PostgreSQLStorage {
            #expect(EngineDatabase.statements.offenders.isEmpty)
        }
    }
}

/// The database of all stores over PostgreSQL in these tests, each of a person of its own, with all statements sent to it.
enum EngineDatabase {
    static let statements = PostgreSQLStatements()

    static let shared = Result {
        var options = PostgreSQLOptions()
        options.maximumConnections = 40
        options.onStatement = { statements.add($0) }
        return try PostgreSQLDatabase(
            PostgreSQLAddress(PostgreSQLServer.shared().url("schema=engine")), options: options)
    }
}
