import Foundation
import HealthStorageFiles
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
        case memory, file, encryptedFile, postgreSQL
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
            storage = try StorageProviders.shared.openInMemory()
        case .file, .encryptedFile:
            let place = FileManager.default.temporaryDirectory
                .appendingPathComponent("HealthEngineTests-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            directory = place
            storage = try SQLiteStorage(
                path: place.appendingPathComponent("health.sqlite").path, options: Self.options(backend, in: place))
        case .postgreSQL:
            directory = nil
            storage = try EngineDatabase.shared.get().storage(ofPerson: UUID().uuidString)
        }
        engine = try HealthEngine(
            storage: storage, configuration: EngineConfiguration(pageCapacity: pageCapacity, now: { 0 }))
    }

    /// The key of an encrypted file is in its folder.
    private static func options(_ backend: Backend, in folder: URL) throws -> SQLiteOptions {
        var options = SQLiteOptions()
        guard backend == .encryptedFile else { return options }
        let key = folder.appendingPathComponent("key").path
        if !FileManager.default.fileExists(atPath: key) { try StoreKey.makeFile(at: key) }
        options.encryption = .key(try StoreKey(file: key))
        return options
    }

    /// The path of the store's file; `nil` for a store without one.
    var path: String? { (engine.storage as? SQLiteStorage)?.path }

    /// Another engine over the same file, as another process has; `nil` for a store without a file.
    func secondEngine() throws -> HealthEngine? {
        guard let path, let directory else { return nil }
        return try HealthEngine(storage: SQLiteStorage(path: path, options: Self.options(backend, in: directory)))
    }

    /// Another store of the same backend, which goes away with this one.
    func emptyStorage() throws -> any HealthStorage {
        switch backend {
        case .memory: try StorageProviders.shared.openInMemory()
        case .file, .encryptedFile:
            try SQLiteStorage(
                path: (directory ?? URL(fileURLWithPath: "/")).appendingPathComponent("\(UUID()).sqlite").path,
                options: Self.options(backend, in: directory ?? URL(fileURLWithPath: "/")))
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

/// The database of all stores over PostgreSQL in these tests, each of a separate person, with all statements sent to
/// it.
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
