import Foundation
import HealthStorage

/// The folder in a person's work folder in which one export is written. It is locked as long as it is used: what a
/// killed server left of an export is everything, in the clear, and is removed whatever its age.
struct ExportFolder {
    /// The path of the folder.
    let path: String
    private let lock: FileLock

    private static let prefix = "export-"

    /// Creates and locks a folder.
    ///
    /// - Throws: `StorageError`.
    init(in workFolder: String) throws {
        (path, lock) = try Self.make(in: workFolder)
    }

    private static func make(in workFolder: String) throws -> (String, FileLock) {
        // Another server can find a new folder before it is locked, and remove it.
        for _ in 0..<10 {
            let path = "\(workFolder)/\(prefix)\(UUID().uuidString.lowercased())"
            guard mkdir(path, 0o700) == 0 else { break }
            if let lock = FileLock(path) { return (path, lock) }
        }
        throw StorageError(.unreachable, "A folder for the export can’t be created in \(workFolder).")
    }

    /// Removes the folder with everything in it.
    func remove() {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Removes what interrupted exports have left in a work folder.
    static func removeInterrupted(in workFolder: String) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: workFolder)) ?? [] {
            guard name.hasPrefix(prefix) else { continue }
            let path = "\(workFolder)/\(name)"
            guard let lock = FileLock(path) else { continue }
            try? FileManager.default.removeItem(atPath: path)
            withExtendedLifetime(lock) {}
        }
    }
}
