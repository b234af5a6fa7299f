import Foundation
import HealthStorage
import Synchronization

/// What opens an encrypted store: the contents of a key file, or a passphrase.
///
/// Neither is stored or logged, and no description contains them.
public struct StoreKey: Sendable, CustomStringConvertible {
    /// Where a key comes from.
    package enum Kind: UInt8, Sendable {
        /// A file with 32 random bytes.
        case keyFile = 1
        /// A passphrase, from which scrypt derives the key.
        case passphrase = 2
    }

    /// Where the key comes from.
    package let kind: Kind
    /// The bytes of the key file, or the passphrase in UTF-8. The memory is cleared when it is released.
    private let secret: SecretBytes
    /// What was derived from a passphrase, which takes long on purpose.
    private let derived = DerivedKeys()

    public var description: String { "a store’s key" }

    /// Takes the passphrase of an environment variable; `nil` if it isn't set, or empty.
    ///
    /// - Throws: `StorageError` `.unreachable` if it isn't valid UTF-8: different passphrases would become the same.
    package init?(passphraseIn variable: String) throws {
        guard let text = getenv(variable), text[0] != 0 else { return nil }
        guard let passphrase = String(validatingCString: text) else {
            throw StorageError(.unreachable, "The passphrase in \(variable) isn’t valid UTF-8.")
        }
        try self.init(passphrase: passphrase)
    }

    /// Reads a key file, which ``makeFile(at:)`` has made.
    ///
    /// - Throws: `StorageError` `.unreachable` if there is no such file or it isn't a key file, or if others than its
    ///   owner have access to it. Files that systemd passes as credentials are protected by systemd.
    public init(file path: String) throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw StorageError(
                .unreachable, "The key file \(path) cannot be read: \(String(cString: strerror(errno))).")
        }
        defer { close(descriptor) }
        var status = stat()
        fstat(descriptor, &status)
        let credentials = ProcessInfo.processInfo.environment["CREDENTIALS_DIRECTORY"]
        guard status.st_mode & 0o077 == 0 || credentials.map({ path.hasPrefix($0 + "/") }) == true else {
            throw StorageError(
                .unreachable, "The key file \(path) can be read by others. Make it yours alone: chmod 600 \(path)")
        }
        var text = [UInt8](repeating: 0, count: 256)
        defer { explicit_bzero(&text, text.count) }
        let count = max(0, read(descriptor, &text, text.count))
        guard let bytes = Self.bytes(String(decoding: text[..<count], as: UTF8.self)) else {
            throw StorageError(
                .unreachable,
                "\(path) is not a key file. A key file has one line with 32 bytes in base64, as “hk key make” writes it."
            )
        }
        self.init(.keyFile, bytes)
    }

    /// A passphrase. It is normalized first, so that it doesn't matter how a keyboard composes accents.
    ///
    /// - Throws: `StorageError` `.unreachable` if it is empty.
    public init(passphrase: String) throws {
        guard !passphrase.isEmpty else { throw StorageError(.unreachable, "The passphrase is empty.") }
        self.init(.passphrase, Array(passphrase.precomposedStringWithCanonicalMapping.utf8))
    }

    private init(_ kind: Kind, _ bytes: [UInt8]) {
        self.kind = kind
        secret = SecretBytes(bytes)
    }

    /// Makes a key file with 32 random bytes, which only its owner can read.
    ///
    /// - Throws: `StorageError` `.unreachable` if there is a file at `path` or it can't be created.
    public static func makeFile(at path: String) throws {
        let line = Data(Cryptography.randomBytes(32)).base64EncodedString() + "\n"
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw StorageError(
                .unreachable, "The key file \(path) cannot be created: \(String(cString: strerror(errno))).")
        }
        defer { close(descriptor) }
        guard write(descriptor, line, line.utf8.count) == line.utf8.count, fsync(descriptor) == 0 else {
            unlink(path)
            throw StorageError(.unreachable, "The key file \(path) cannot be written.")
        }
    }

    /// The 32 bytes of a key file's line, in base64 or hexadecimal digits.
    private static func bytes(_ text: String) -> [UInt8]? {
        let line = text.trimmingCharacters(in: .whitespacesAndNewlines)
        if line.utf8.count == 64,
            line.utf8.allSatisfy({
                UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || UInt8(ascii: "a")...UInt8(ascii: "f") ~= $0 | 32
            })
        {
            let digits = Array(line.utf8)
            return stride(from: 0, to: 64, by: 2).map {
                UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16) ?? 0
            }
        }
        guard let data = Data(base64Encoded: line), data.count == 32 else { return nil }
        return Array(data)
    }

    /// The key that encrypts a store's own key.
    func wrappingKey(salt: [UInt8], cost: ScryptCost) throws -> SecretBytes {
        switch kind {
        case .keyFile:
            return Cryptography.derivedKey(for: "key file", from: secret, salt: salt)
        case .passphrase:
            if let known = derived.keys.withLock({ $0[salt] }) { return known }
            let key = try Cryptography.key(ofPassphrase: secret, salt: salt, cost: cost)
            derived.keys.withLock { $0[salt] = key }
            return key
        }
    }

    private final class DerivedKeys: Sendable {
        let keys = Mutex<[[UInt8]: SecretBytes]>([:])
    }
}
