import Foundation
import HealthEngine
import HealthImport
import HealthModel
import HealthStorageSQLite

/// Stores of steps that a server serves.
enum ServedStores {
    /// Writes samples into a new store.
    static func write(_ history: StepHistory, into store: URL) throws {
        let engine = try HealthEngine(storage: SQLiteStorage(path: store.path))
        _ = try BulkImport(engine: engine).commit(
            BulkBatch(columns: [history.columns], dictionaries: history.dictionaries))
        try engine.close()
    }

    /// Creates the folder of a server with people `p1`, `p2` …, each with separate samples.
    static func people(_ count: Int, samples: Int, in setting: Setting) throws -> URL {
        let folder = setting.data.appendingPathComponent("people")
        try? FileManager.default.removeItem(at: folder)
        for person in 1...count {
            let own = folder.appendingPathComponent("p\(person)")
            try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
            try write(
                StepHistory(count: samples, seed: UInt64(person)), into: own.appendingPathComponent("health.sqlite"))
        }
        return folder
    }

}
