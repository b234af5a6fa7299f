import Foundation
import HealthStorage

/// The key of an encrypted store, and how SQLite opens its files.
package final class EncryptedAccess: Sendable {
    /// The key that was given.
    package let key: StoreKey
    /// How SQLite opens the files, as long as this object exists.
    package let access: StoreAccess
    private let dataKey: SecretBytes
    private let path: String
    private let cipher: DatabasePageCipher

    private init(_ path: String, _ key: StoreKey, _ dataKey: SecretBytes, isRepeatable: Bool = false) throws {
        let cipher = DatabasePageCipher(dataKey, isRepeatable: isRepeatable)
        (self.path, self.key, self.dataKey, self.cipher) = (path, key, dataKey, cipher)
        access = try StoreAccess { disk, kind in
            switch kind {
            case .file: EncryptedFile(disk, cipher)
            case .log: disk.store.map { EncryptedLog(disk, of: $0, cipher) }
            // A journal would contain pages as they were before encryption. Encrypted stores are always in write-ahead
            // mode.
            case .journal: nil
            }
        }
    }

    /// Gets the key of the store at `path`. Returns `nil` if it is not encrypted.
    ///
    /// Throws `StorageError`: `.encrypted` if the key isn't given or is another one, or a key is given and the store is
    /// not encrypted; `.damaged` and `.notAStore` as ``EncryptionHeader/read(_:)``.
    package static func open(_ path: String, _ encryption: StoreEncryption) throws -> EncryptedAccess? {
        guard let header = try EncryptionHeader.read(path) else {
            guard try encryption.key() == nil else {
                throw StorageError(
                    .encrypted, "\(path) is not encrypted, and a key was given. “hk key add” encrypts it.")
            }
            return nil
        }
        let key: StoreKey
        switch encryption {
        case .automatic: key = try StoreKeyring.shared.key(for: path)
        case .key(let given): key = given
        case .none: throw StorageError(.encrypted, "\(path) is encrypted.")
        }
        let access = try EncryptedAccess(path, key, header.dataKey(with: key, of: path))
        guard try VFSFile(path).size >= EncryptionHeader.size + EncryptedDatabasePage.size else {
            throw StorageError(.damaged, "\(path) is encrypted, and ends before its first page.")
        }
        return access
    }

    /// Throws `StorageError` `.damaged` if the log is missing that an encrypted store expects. No other program can have
    /// moved it to the file.
    package static func requireLog(of path: String) throws {
        // Another program may close the store meanwhile.
        for _ in 0..<2 {
            let record = try VFSFile(path).read(count: LogRecord.size, at: Int(EncryptionHeader.recordOffset))
            guard LogFile.isLost(of: path, record: record) else { return }
        }
        throw LogFile.loss(of: path)
    }

    /// Writes a header to an empty file, with a new key for the store, which is encrypted with the person's.
    package static func create(_ path: String, _ key: StoreKey) throws -> EncryptedAccess {
        try Cryptography.require(for: path)
        let dataKey = SecretBytes(randomCount: 32)
        let header = EncryptionHeader(try EncryptionHeader.Slot(dataKey, with: key))
        try VFSFile(path, isWritten: true).write(header.bytes, at: 0)
        return try EncryptedAccess(path, key, dataKey)
    }

    /// Writes the store's header to an empty file, which becomes a copy with the same keys.
    package func copy(from path: String, to other: String) throws -> EncryptedAccess {
        guard let header = try EncryptionHeader.read(path) else {
            throw StorageError(.damaged, "The header of \(path), which contains its key, is missing.")
        }
        try VFSFile(other, isWritten: true).write(header.bytes, at: 0)
        return try EncryptedAccess(other, key, dataKey, isRepeatable: true)
    }

    /// A key for files that belong to the store.
    package func derivedKey(for purpose: String) -> SecretBytes {
        Cryptography.derivedKey(for: purpose, from: dataKey)
    }

    /// The key for a copy of the store, whose header may contain another key of the person's by now.
    package func access(toCopy path: String) throws -> EncryptedAccess { try EncryptedAccess(path, key, dataKey) }

    /// The first page of the database as it is in the file; `nil` if it can't be decrypted there. The log may have a
    /// newer one.
    package func firstPage() throws -> [UInt8]? {
        var sealed = try VFSFile(path).read(count: EncryptedDatabasePage.size, at: EncryptionHeader.size)
        guard sealed.count == EncryptedDatabasePage.size else { return nil }
        var page = sealed
        return cipher.open(&sealed, into: &page, .page(1)) ? page : nil
    }
}
