import Foundation
import GRDB
import GRDBSQLite
import HealthStorage

/// The key of an encrypted store that is open. SQLite opens the store's path with it as long as this object exists.
final class EncryptedAccess: Sendable {
    /// The key that was given.
    let key: StoreKey
    private let dataKey: SecretBytes
    private let path: String
    private let cipher: any PageCipher
    private let registration: StoreFileSystem.Registration

    private init(_ path: String, _ key: StoreKey, _ dataKey: SecretBytes, isRepeatable: Bool = false) throws {
        (self.path, self.key, self.dataKey) = (path, key, dataKey)
        cipher = try RegisteredCryptography.required(for: path).pageCipher(dataKey, isRepeatable: isRepeatable)
        registration = try StoreFileSystem.Registration(path) { [cipher] kind in
            // A journal would contain pages as they were before encryption. Encrypted stores are always in write-ahead
            // mode.
            guard kind != .journal else { return .refused }
            return .file { EncryptedFile($0, $1, cipher, kind == .log ? .log : .file, path: $2) }
        }
    }

    /// Gets the key of the store at `path`. Returns `nil` if it is not encrypted.
    ///
    /// Throws `StorageError`: `.encrypted` if the key isn't given or is another one, or a key is given and the store is
    /// not encrypted; `.damaged` and `.notAStore` as ``EncryptionHeader/read(_:)``.
    static func open(_ path: String, _ encryption: StoreEncryption) throws -> EncryptedAccess? {
        guard let header = try EncryptionHeader.read(path) else {
            guard try encryption.key() == nil else {
                throw StorageError(
                    .encrypted, "\(path) is not encrypted, and a key was given. “hk key add” encrypts it.")
            }
            try StoreFileSystem.forget(path)
            return nil
        }
        let key: StoreKey
        switch encryption {
        case .automatic: key = try StoreKeyring.shared.key(for: path)
        case .key(let given): key = given
        case .none: throw StorageError(.encrypted, "\(path) is encrypted.")
        }
        let access = try EncryptedAccess(path, key, header.dataKey(with: key, of: path))
        guard try SystemFile(path).size >= EncryptionHeader.size + EncryptedPage.size else {
            throw StorageError(.damaged, "\(path) is encrypted, and ends before its first page.")
        }
        return access
    }

    /// Creates a file that has only a header, with a new key for the store, which is encrypted with the person's.
    static func create(_ path: String, _ key: StoreKey) throws -> EncryptedAccess {
        let cryptography = try RegisteredCryptography.required(for: path)
        let dataKey = SecretBytes(cryptography.randomBytes(32))
        let header = EncryptionHeader(
            try EncryptionHeader.Slot(dataKey, with: key, cost: .standard, cryptography), cryptography)
        let descriptor = Foundation.open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw StorageError(.unreachable, "\(path) cannot be created.") }
        Foundation.close(descriptor)
        try SystemFile(path, isWritten: true).write(header.bytes, at: 0)
        return try EncryptedAccess(path, key, dataKey)
    }

    /// Writes the store's header to an empty file, which becomes a copy with the same keys.
    func copy(from path: String, to other: String) throws -> EncryptedAccess {
        guard let header = try EncryptionHeader.read(path) else {
            throw StorageError(.damaged, "The header of \(path), which contains its key, is missing.")
        }
        try SystemFile(other, isWritten: true).write(header.bytes, at: 0)
        return try EncryptedAccess(other, key, dataKey, isRepeatable: true)
    }

    /// A key for files that belong to the store.
    func derivedKey(for purpose: String) throws -> SecretBytes {
        try RegisteredCryptography.required(for: path).derivedKey(for: purpose, from: dataKey)
    }

    /// How the store's log is decrypted.
    var logCipher: LogCipher { LogCipher(cipher) }

    /// The key for a copy of the store, whose header may contain another key of the person's by now.
    func access(toCopy path: String) throws -> EncryptedAccess { try EncryptedAccess(path, key, dataKey) }

    /// The first page of the database as it is in the file; `nil` if it can't be decrypted there. The log may have a
    /// newer one.
    func firstPage() throws -> [UInt8]? {
        var sealed = try SystemFile(path).read(count: EncryptedPage.size, at: EncryptionHeader.size)
        guard sealed.count == EncryptedPage.size else { return nil }
        var page = sealed
        return cipher.open(&sealed, into: &page, .file, number: 1) ? page : nil
    }
}

extension Database {
    /// Sets the bytes at the end of each page that SQLite leaves free, before the first page of a database is written.
    func reserveBytes(_ count: Int) {
        var count = Int32(count)
        sqlite3_file_control(sqliteConnection, "main", SQLITE_FCNTL_RESERVE_BYTES, &count)
    }
}
