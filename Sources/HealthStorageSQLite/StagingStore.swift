import Foundation
import HealthStorage
import HealthStorageFiles

/// A store that is written before it takes the place of another one, and the files beside it. It is the caller's alone
/// as long as this object exists; what is there of it then is removed.
package final class StagingStore {
    /// The purpose for which the store is written.
    package enum Purpose: String, CaseIterable, Sendable {
        /// A backup is restored.
        case restoring
        /// A damaged store is repaired.
        case repairing
        /// A store is encrypted or decrypted.
        case changingKey = "changing-key"
    }

    /// The path of the store.
    package let path: String
    private let lock: LockFile

    /// Locks the path of a store that takes the place of the one at `path`, and removes what an interrupted program has
    /// left there, which may not be encrypted where the store is.
    ///
    /// Throws `StorageError`: `.busy` if another program does the same for `path`, `.unreachable` if the folder can't be
    /// written.
    package init(for path: String, _ purpose: Purpose) throws {
        self.path = Self.path(for: path, purpose)
        lock = try LockFile(self.path + "-lock") {
            throw StorageError(.busy, "Another program is replacing “\(path)”.")
        }
        removeFiles()
    }

    deinit {
        removeFiles()
    }

    /// Where a store is written that takes the place of the one at `path`.
    package static func path(for path: String, _ purpose: Purpose) -> String {
        "\(SQLiteStorage.pathOfFile(at: path)).\(purpose.rawValue)"
    }

    /// Removes what interrupted programs have left.
    static func removeInterrupted(for path: String) {
        for purpose in Purpose.allCases where access(Self.path(for: path, purpose), F_OK) == 0 {
            _ = try? StagingStore(for: path, purpose)
        }
    }

    /// Removes everything but the lock; the store itself, by which the rest is found again, at the end.
    private func removeFiles() {
        let place = URL(fileURLWithPath: path)
        let (folder, name) = (place.deletingLastPathComponent().path, place.lastPathComponent)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        for other in names where other != name + "-lock" && (other.hasPrefix(name + "-") || other.hasPrefix(name + "."))
        {
            unlink("\(folder)/\(other)")
        }
        unlink(path)
    }
}
