import Foundation
import HealthStorage
import Synchronization

/// The key of an encrypted store: the contents of a key file, or a passphrase.
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
    /// Whether it is a passphrase with fewer than 12 characters, which can be guessed.
    ///
    /// It opens a store that has it. ``init(passphrase:)`` takes it, because who calls it decides; a new store isn't
    /// encrypted with one from the environment.
    package let isWeak: Bool
    /// The bytes of the key file, or the passphrase in UTF-8. The memory is cleared when it is released.
    private let secret: SecretBytes
    /// The keys derived from a passphrase, which takes long on purpose.
    private let derived = DerivedKeys()

    public var description: String { "a store’s key" }

    /// Takes the passphrase of an environment variable, which is overwritten, also in `/proc`: no program that this one
    /// starts inherits it. `nil` if it isn't set, or empty.
    ///
    /// - Throws: `StorageError` `.unreachable` if it isn't valid UTF-8: different passphrases would become the same.
    package init?(passphraseIn variable: String) throws {
        guard let text = getenv(variable), text[0] != 0 else { return nil }
        defer { explicit_bzero(text, strlen(text)) }
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
        guard let bytes = Self.bytes(text[..<count]) else {
            throw StorageError(
                .unreachable,
                "\(path) is not a key file. A key file has one line with 32 bytes in base64, as “hk key make” writes it."
            )
        }
        self.init(.keyFile, bytes)
    }

    /// A passphrase. It is normalized first, so that it doesn't matter how a keyboard composes accents.
    ///
    /// A passphrase of any length is taken. Ask for 12 characters or more, as `hk` does: an attacker with the file can
    /// try any number of them.
    ///
    /// - Throws: `StorageError` `.unreachable` if it is empty.
    public init(passphrase: String) throws {
        guard !passphrase.isEmpty else { throw StorageError(.unreachable, "The passphrase is empty.") }
        let normalized = passphrase.precomposedStringWithCanonicalMapping
        self.init(.passphrase, Array(normalized.utf8), isWeak: normalized.count < Self.minimumLength)
    }

    private init(_ kind: Kind, _ bytes: consuming [UInt8], isWeak: Bool = false) {
        self.kind = kind
        self.isWeak = isWeak
        secret = bytes.withUnsafeBytes { SecretBytes($0) }
        explicit_bzero(&bytes, bytes.count)
    }

    /// The characters of a passphrase that isn't weak.
    private static let minimumLength = 12

    /// Throws `StorageError` `.encrypted` if the key is weak.
    package func requireStrength() throws {
        guard !isWeak else {
            throw StorageError(
                .encrypted,
                "The passphrase has fewer than \(Self.minimumLength) characters and can be guessed. Use a longer one, or accept it with “hk key add --weak”."
            )
        }
    }

    /// Makes a key file with 32 random bytes, which only its owner can read, and its folder if there is none.
    ///
    /// - Throws: `StorageError` `.unreachable` if there is a file at `path` or it can't be created.
    public static func makeFile(at path: String) throws {
        // A new system has no ~/.config/openhealthkit. If the folder can't be created, neither can the file.
        try? FileManager.default.createDirectory(
            at: URL(fileURLWithPath: path).deletingLastPathComponent(), withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
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

    /// The 32 bytes of a key file's line, in base64 or hexadecimal digits. No string is made, which couldn't be cleared.
    private static func bytes(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        let isSpace = { (byte: UInt8) in byte == 0x20 || (0x09...0x0D).contains(byte) }
        guard let end = text.lastIndex(where: { !isSpace($0) }) else { return nil }
        let line = text[...end].drop(while: isSpace)
        let digits = line.compactMap { Character(UnicodeScalar($0)).hexDigitValue.map { UInt8($0) } }
        if line.count == 64, digits.count == 64 {
            return stride(from: 0, to: 64, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
        }
        var encoded = Data(line)
        var data = Data(base64Encoded: encoded) ?? Data()
        defer {
            encoded.resetBytes(in: 0..<encoded.count)
            data.resetBytes(in: 0..<data.count)
        }
        return data.count == 32 ? Array(data) : nil
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
