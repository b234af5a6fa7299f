public import Foundation
import HealthStorage
import Synchronization

/// The cryptography of encrypted stores.
///
/// The module HealthEncryption has it, and a program that uses encrypted stores registers it. Without it, a program
/// that uses HealthKit builds without cryptography. Docs/Format/Encryption.md says what each method computes.
public protocol StoreCryptography: Sendable {
    /// Returns random bytes that nobody can guess.
    func randomBytes(_ count: Int) -> [UInt8]

    /// Derives 32 bytes from those of a key file.
    func wrappingKey(ofFile secret: SecretBytes, salt: [UInt8]) -> SecretBytes

    /// Derives 32 bytes from a passphrase with scrypt.
    func wrappingKey(ofPassphrase secret: SecretBytes, salt: [UInt8], cost: ScryptCost) throws -> SecretBytes

    /// Encrypts and authenticates a store's key. Returns 28 bytes more.
    func seal(_ bytes: SecretBytes, with key: SecretBytes, authenticating header: [UInt8]) throws -> [UInt8]

    /// Decrypts what ``seal(_:with:authenticating:)`` has encrypted. Returns `nil` if the key or the header is another
    /// one.
    func open(_ sealed: [UInt8], with key: SecretBytes, authenticating header: [UInt8]) -> SecretBytes?

    /// Derives 32 bytes for another purpose from a store's key. Different purposes have keys from which no other
    /// follows.
    func derivedKey(for purpose: String, from key: SecretBytes) -> SecretBytes

    /// Returns a hash of bytes, of at least 16 bytes.
    func hash(_ bytes: [UInt8]) -> [UInt8]

    /// Returns what encrypts the pages of a store.
    ///
    /// - Parameters:
    ///   - key: The store's key.
    ///   - isRepeatable: Whether equal pages in the same place of the file are encrypted to equal bytes, as in
    ///     snapshots for backups, which share what is equal. Equality is all that it shows.
    func pageCipher(_ key: SecretBytes, isRepeatable: Bool) -> any PageCipher
}

/// Encrypts and decrypts the pages of a store's file and of its log, each by itself. It may be used from any thread.
public protocol PageCipher: AnyObject, Sendable {
    /// Encrypts a page. The result has as many bytes as the page, because SQLite leaves the last
    /// ``EncryptedPage/reserved`` bytes of each page free; they aren't encrypted.
    ///
    /// - Parameter number: The number of the page in the file, or of the frame in the log, from 1. It is authenticated,
    ///   so that a page isn't accepted in another place.
    func seal(_ page: UnsafeRawBufferPointer, _ place: EncryptedPage.Place, number: Int64) throws -> Data

    /// Decrypts a page, whose last ``EncryptedPage/reserved`` bytes are then 0. Returns `false` if it isn't what was
    /// written in this place.
    func open(
        _ sealed: UnsafeMutableRawPointer, into page: UnsafeMutableRawPointer, _ place: EncryptedPage.Place,
        number: Int64
    ) -> Bool

    /// Encrypts or decrypts 16 bytes of a frame's header in the log.
    ///
    /// They contain checksums of the pages as they are before encryption, from which something about the pages could be
    /// guessed. There is no room for a tag, and none is needed: SQLite doesn't accept a frame whose checksums don't
    /// fit.
    func permute(_ block: inout [UInt8], encrypting: Bool) throws
}

/// A page of an encrypted store.
public enum EncryptedPage {
    /// The bytes of a page.
    public static let size = Int(StoreFile.pageSize)
    /// The bytes that encryption adds, which SQLite leaves free at the end of a page.
    public static let reserved = 28

    /// What a page belongs to.
    public enum Place: Sendable {
        /// The store's file.
        case file
        /// The log beside it.
        case log
    }
}

/// The parameters of scrypt, which are stored with the store.
public struct ScryptCost: Hashable, Sendable {
    /// The logarithm of N.
    public var logarithm: UInt8 = 16
    /// r.
    public var blockSize: UInt8 = 8
    /// p.
    public var parallelism: UInt8 = 1

    /// 64 MiB and about a sixth of a second, once for each program and store.
    static let standard = ScryptCost()

    /// Whether the parameters stay within 256 MiB, so that a crafted file can't exhaust the memory.
    var isBounded: Bool {
        (10...20).contains(logarithm) && (1...32).contains(blockSize) && (1...16).contains(parallelism)
            && (128 << Int(logarithm)) * Int(blockSize) <= 256 << 20
    }
}

/// Bytes that are overwritten when they are released.
// Unchecked: the bytes never change between initialization and release.
public final class SecretBytes: @unchecked Sendable {
    private let bytes: UnsafeMutableRawBufferPointer

    /// Copies bytes.
    public init(_ source: some Sequence<UInt8>) {
        let array = Array(source)
        bytes = .allocate(byteCount: array.count, alignment: 16)
        bytes.copyBytes(from: array)
    }

    deinit {
        if let start = bytes.baseAddress { explicit_bzero(start, bytes.count) }
        bytes.deallocate()
    }

    /// Calls `body` with the bytes.
    public func withUnsafeBytes<Value>(_ body: (UnsafeRawBufferPointer) throws -> Value) rethrows -> Value {
        try body(UnsafeRawBufferPointer(bytes))
    }
}

/// The cryptography that this program has registered.
public enum RegisteredCryptography {
    private static let current = Mutex<(any StoreCryptography)?>(nil)

    /// Registers the cryptography of encrypted stores, before the first one is opened.
    public static func register(_ cryptography: any StoreCryptography) {
        current.withLock { $0 = cryptography }
    }

    /// The cryptography for the file at `path`. Throws `StorageError` `.encrypted` if there is none.
    static func required(for path: String) throws -> any StoreCryptography {
        guard let cryptography = current.withLock({ $0 }) else {
            throw StorageError(
                .encrypted,
                "\(path) needs encryption, which this program doesn’t have: call StoreEncryptionLibrary.register() of HealthEncryption."
            )
        }
        return cryptography
    }
}
