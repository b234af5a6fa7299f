import Foundation
import HealthStorage
package import HealthStorageFiles

/// Encrypted stores.
extension SQLiteStorage {
    /// Whether the file and its log are encrypted.
    package var isEncrypted: Bool { access != nil }

    /// The key that the store was opened with, or that it is not encrypted: to open a copy of the store.
    package var encryption: StoreEncryption {
        access.map { .key($0.key) } ?? .none
    }

    /// Derives a key of 32 bytes from the store's own, to encrypt a file that belongs to the store. It stays the same
    /// when the person's key changes, and is another one once the encryption was removed and added again. Returns `nil`
    /// if the store is not encrypted.
    ///
    /// - Parameter purpose: What the key is for, such as `server journal`; each purpose has its own key. The names
    ///   `file`, `log`, `frame` and `snapshot` are those of the store itself (Docs/Format/Encryption.md).
    package func deriveKey(for purpose: String) -> SecretBytes? {
        precondition(!["file", "log", "frame", "snapshot"].contains(purpose), "the store’s own key isn’t given away")
        return access?.derivedKey(for: purpose)
    }

    /// Where the keys of the store at `path` come from: none if it is not encrypted, two if changing the key was
    /// interrupted.
    ///
    /// Throws `StorageError` `.unreachable` if there is no such file, `.damaged` if it is encrypted and its header
    /// isn't whole.
    package static func keyKinds(of path: String) throws -> [StoreKey.Kind] {
        try EncryptionHeader.read(path)?.kinds ?? []
    }

    /// How many pages the key of the store at `path` has encrypted; `nil` if it is not encrypted.
    ///
    /// Throws as ``keyKinds(of:)``.
    package static func encryptionCounter(of path: String) throws -> EncryptionCounter? {
        try EncryptionHeader.read(path)?.encryptionCounter
    }

    /// Checks the key of the store at `path`, if it is encrypted, without opening the store.
    ///
    /// Throws `StorageError` as ``init(path:options:)``, also for an empty file.
    package static func checkKey(of path: String, encryption: StoreEncryption = .automatic) throws {
        if try VFSFile.head(of: path, count: 1).isEmpty { throw SQLiteFile(path: path).absence }
        _ = try EncryptedAccess.open(path, encryption)
    }

    /// Changes the key of an encrypted store, which other programs may have open.
    ///
    /// Only the header changes: the pages are encrypted with a key of the store's own, which the header contains in
    /// encrypted form. If the change is interrupted, both keys open the store. Copies and backups that were made before
    /// keep the old key.
    ///
    /// Throws `StorageError`: `.encrypted` if the store is not encrypted or `old` isn't its key, `.busy` if another
    /// program is changing it, `.inputOutput` and `.unreachable` if it can't be written.
    package static func changeKey(of path: String, from old: StoreKey, to new: StoreKey) throws {
        try EncryptionHeader.changeKey(of: path, from: old, to: new)
    }

    /// Calls `body` with the store, for reading, while no other program has it open or can begin to read it.
    ///
    /// Throws `StorageError` `.busy` if another program has it open, and as ``init(path:options:)``; rethrows the
    /// errors of `body`.
    package static func readExclusively<Value>(
        _ path: String, encryption: StoreEncryption, _ body: (SQLiteStorage) throws -> Value
    ) throws -> Value {
        var options = SQLiteOptions()
        options.encryption = encryption
        options.creates = false
        // The log is moved to the file, so that the file is everything.
        try SQLiteStorage(path: path, options: options).close()
        let file = try VFSFile(path, isWritten: true)
        try file.lockExclusively()
        guard !SQLiteFile(path: path).hasLog else {
            throw StorageError(.busy, "Another program has just written to \(path).")
        }
        for suffix in ["-wal", "-shm"] { unlink(path + suffix) }
        options.isReadOnly = true
        var opening = SQLiteOpening(path: path, options: options)
        opening.isLocked = true
        let storage = try SQLiteStorage(opening)
        defer { try? storage.close() }
        return try withExtendedLifetime(file) { try body(storage) }
    }
}
