import Foundation
import HealthEngine
import HealthModel
import HealthStorage
import HealthStorageSQLite

/// A store for one test, with an engine over it; a file goes away with it.
final class TestStore {
    /// Which backend.
    enum Backend: String, CaseIterable, Sendable {
        case memory, file
    }

    let engine: HealthEngine
    private let directory: URL?

    init(_ backend: Backend = .memory, pageCapacity: Int = 1_000) throws {
        let storage: any HealthStorage
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
        }
        engine = try HealthEngine(
            storage: storage, configuration: EngineConfiguration(pageCapacity: pageCapacity, now: { 0 }))
    }

    deinit {
        try? engine.close()
        if let directory { try? FileManager.default.removeItem(at: directory) }
    }
}
