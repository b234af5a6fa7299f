import Foundation
import HealthEngine
import HealthStorageSQLite

/// A copy of the store for trying something out, removed with this object. Only its owner can read it.
final class StoreCopy {
    let engine: HealthEngine
    private let folder: URL

    /// Copies the store the options lead to; where there is none, the copy is empty.
    init(of options: StoreOptions) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("hk-copy-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        do {
            let copy = folder.appendingPathComponent("copy.sqlite").path
            if FileManager.default.fileExists(atPath: options.path) {
                let original = try SQLiteStorage(path: options.path)
                try original.copy(to: copy)
                try original.close()
            }
            engine = try HealthEngine(storage: SQLiteStorage(path: copy))
        } catch {
            try? FileManager.default.removeItem(at: folder)
            throw error
        }
    }

    deinit {
        try? engine.close()
        try? FileManager.default.removeItem(at: folder)
    }
}
