import Foundation
import HealthStorage
import HealthStorageSQLite

/// A directory that goes away with this object, for store files.
final class TemporaryStore: Sendable {
    let directory: URL

    init() throws {
        directory = FileManager.default.temporaryDirectory
            .appendingPathComponent("HealthStorageTests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: directory)
    }

    /// The store's own path.
    var path: String { path("health.sqlite") }

    func path(_ name: String) -> String {
        directory.appendingPathComponent(name).path
    }

    func open(_ options: SQLiteOptions = SQLiteOptions()) throws -> SQLiteStorage {
        try SQLiteStorage(path: path, options: options)
    }

    /// The names of the files in the directory.
    func files() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
    }
}
