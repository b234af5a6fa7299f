import Foundation
import HealthEngine
import HealthImport
import HealthStorage
package import HealthStorageFiles
import HealthStorageSQLite

/// Encrypts a store that is not encrypted, or decrypts it.
///
/// The store is copied to a new file beside it, which is checked and then takes its name: UUIDs, sequence numbers,
/// permissions and settings are the same, and anchors remain valid. Until then, the store is as it was; an interrupted
/// change is begun again, and what it left is removed by the next program that opens the store for writing. No program
/// may have the store open, and none can open it while it is copied. The disk needs room for two more copies of the
/// store.
package enum StoreEncryptionChange {
    /// Encrypts the store at `path`. The file that was not encrypted is deleted, which doesn't erase it: what it had
    /// may remain on the disk until it is overwritten, and in backups.
    ///
    /// - Parameter progress: Called with the number of samples copied so far.
    /// - Returns: The number of samples.
    /// - Throws: `StorageError`: `.encrypted` if the store is encrypted already, `.inputOutput` if the disk is full,
    ///   `.busy` if another program has it open, `.unreachable` if the file can't be replaced or has a second hard
    ///   link, `.damaged`; ``BackupError`` ``BackupError/Kind/damaged`` if the copy isn't sound.
    @discardableResult
    package static func encrypt(_ path: String, with key: StoreKey, progress: (Int) -> Void = { _ in }) throws -> Int {
        guard try SQLiteStorage.keyKinds(of: path).isEmpty else {
            throw StorageError(.encrypted, "\(path) is already encrypted. “hk key change” changes its key.")
        }
        return try copy(path, from: .none, to: .key(key), progress)
    }

    /// Decrypts the store at `path`. Backups that were made before remain encrypted.
    ///
    /// - Parameter progress: Called with the number of samples copied so far.
    /// - Returns: The number of samples.
    /// - Throws: as ``encrypt(_:with:progress:)``; `StorageError` `.encrypted` if the store is not encrypted or has
    ///   another key.
    @discardableResult
    package static func decrypt(_ path: String, with key: StoreKey, progress: (Int) -> Void = { _ in }) throws -> Int {
        guard try !SQLiteStorage.keyKinds(of: path).isEmpty else {
            throw StorageError(.encrypted, "\(path) is not encrypted.")
        }
        return try copy(path, from: .key(key), to: .none, progress)
    }

    private static func copy(
        _ path: String, from: StoreEncryption, to: StoreEncryption, _ progress: (Int) -> Void
    ) throws -> Int {
        let path = SQLiteStorage.pathOfFile(at: path)
        let names = try? FileManager.default.attributesOfItem(atPath: path)[.referenceCount] as? Int
        guard (names ?? 1) == 1 else {
            throw StorageError(
                .unreachable,
                "\(path) has another name, a hard link, under which the store would stay as it is. Remove the other name first."
            )
        }
        return try SQLiteStorage.readExclusively(path, encryption: from) { source in
            let staging = try StagingStore(for: path, .changingKey)
            var options = SQLiteOptions()
            options.encryption = to
            let copy = try SQLiteStorage(path: staging.path, options: options)
            let report = try StoreTransfer.copy(from: source, to: copy, progress: progress)
            let engine = try HealthEngine(storage: copy)
            let findings = try copy.findDamage() + engine.check()
            // The log must be in the file before that gets its name.
            try engine.close()
            guard findings.isEmpty else {
                throw BackupError(
                    .damaged, "“\(path)” is damaged: \(findings[0]) Repair it with “hk doctor --repair” first.")
            }
            try SQLiteStorage.moveStore(staging.path, to: path)
            return report.samples
        }
    }
}
