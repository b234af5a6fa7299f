import Foundation
import HealthStorage

#if Server
    import Crypto
    import CryptoExtras
#endif

/// The parameters of scrypt, which are stored with the store.
struct ScryptCost: Hashable, Sendable {
    /// The logarithm of N.
    var logarithm: UInt8 = 17
    /// r.
    var blockSize: UInt8 = 8
    /// p.
    var parallelism: UInt8 = 1

    /// 128 MiB and about a third of a second, once for each program and store.
    static let standard = ScryptCost()

    /// Whether the parameters stay within 256 MiB, so that a crafted file can't exhaust the memory.
    var isBounded: Bool {
        (10...20).contains(logarithm) && (1...32).contains(blockSize) && (1...16).contains(parallelism)
            && (128 << Int(logarithm)) * Int(blockSize) <= 256 << 20
    }
}

/// Bytes that are overwritten when they are released.
// Unchecked: the bytes never change between initialization and release.
package final class SecretBytes: @unchecked Sendable {
    private let bytes: UnsafeMutableRawBufferPointer

    /// Copies bytes.
    package init(_ source: some Collection<UInt8>) {
        bytes = .allocate(byteCount: source.count, alignment: 16)
        bytes.copyBytes(from: source)
    }

    /// Random bytes of the system's generator.
    init(randomCount count: Int) {
        bytes = .allocate(byteCount: count, alignment: 16)
        var generator = SystemRandomNumberGenerator()
        for index in bytes.indices { bytes[index] = .random(in: .min ... .max, using: &generator) }
    }

    deinit {
        if let start = bytes.baseAddress { explicit_bzero(start, bytes.count) }
        bytes.deallocate()
    }

    /// Calls `body` with the bytes.
    package func withUnsafeBytes<Value>(_ body: (UnsafeRawBufferPointer) throws -> Value) rethrows -> Value {
        try body(UnsafeRawBufferPointer(bytes))
    }
}

/// The functions of swift-crypto that encrypted stores use. Docs/Format/Encryption.md says what each one is for.
///
/// Without the package's trait `Server`, there is none, and no encrypted store can be opened.
enum Cryptography {
    /// Throws `StorageError` `.encrypted` if this program can't open encrypted stores.
    static func require(for path: String) throws {
        #if !Server
            throw StorageError(
                .encrypted,
                "\(path) needs encryption, which this program was built without: turn on the trait Server of the package."
            )
        #endif
    }

    static func randomBytes(_ count: Int) -> [UInt8] {
        // The system's generator.
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    #if Server
        /// Derives 32 bytes with HKDF and SHA-256. Different purposes have keys from which no other follows.
        static func derivedKey(for purpose: String, from key: SecretBytes, salt: [UInt8] = []) -> SecretBytes {
            HKDF<SHA256>.deriveKey(
                inputKeyMaterial: CipherKey(key), salt: salt, info: Data("OpenHealthKit \(purpose)".utf8),
                outputByteCount: 32
            ).secret
        }

        /// Derives 32 bytes from a passphrase with scrypt.
        static func key(ofPassphrase secret: SecretBytes, salt: [UInt8], cost: ScryptCost) throws -> SecretBytes {
            try secret.withUnsafeBytes { passphrase in
                try KDF.Scrypt.deriveKey(
                    from: passphrase, salt: salt, outputByteCount: 32, rounds: 1 << Int(cost.logarithm),
                    blockSize: Int(cost.blockSize), parallelism: Int(cost.parallelism)
                ).secret
            }
        }

        /// Encrypts and authenticates bytes with AES-256-GCM. Returns 28 bytes more: nonce, ciphertext and tag.
        static func seal(
            _ bytes: UnsafeRawBufferPointer, with key: CipherKey, nonce: [UInt8]? = nil, authenticating header: [UInt8]
        ) throws -> Data {
            let box = try AES.GCM.seal(
                bytes, using: key, nonce: nonce.map { try AES.GCM.Nonce(data: $0) }, authenticating: header)
            guard let sealed = box.combined, sealed.count == bytes.count + 28 else {
                throw CryptoKitError.incorrectParameterSize
            }
            return sealed
        }

        /// Decrypts what was sealed; `nil` if the key, the header or the bytes are others.
        static func open(_ sealed: Data, with key: CipherKey, authenticating header: [UInt8]) -> Data? {
            guard let box = try? AES.GCM.SealedBox(combined: sealed) else { return nil }
            return try? AES.GCM.open(box, using: key, authenticating: header)
        }

        /// HMAC with SHA-256.
        static func code(of bytes: [UInt8], _ page: UnsafeRawBufferPointer, with key: CipherKey) -> [UInt8] {
            var code = HMAC<SHA256>(key: key)
            code.update(data: bytes)
            code.update(data: page)
            return Array(code.finalize())
        }

        static func hash(_ bytes: some DataProtocol) -> [UInt8] { Array(SHA256.hash(data: bytes)) }

        /// Encrypts or decrypts a block of AES.
        static func permute(_ block: inout [UInt8], with key: CipherKey, encrypting: Bool) throws {
            if encrypting {
                try AES.permute(&block, key: key)
            } else {
                try AES.inversePermute(&block, key: key)
            }
        }
    #else
        private static var missing: Never { fatalError("Cryptography.require(for:) comes first.") }

        static func derivedKey(for _: String, from _: SecretBytes, salt _: [UInt8] = []) -> SecretBytes { missing }
        static func key(ofPassphrase _: SecretBytes, salt _: [UInt8], cost _: ScryptCost) throws -> SecretBytes {
            missing
        }
        static func seal(
            _: UnsafeRawBufferPointer, with _: CipherKey, nonce _: [UInt8]? = nil, authenticating _: [UInt8]
        ) throws -> Data { missing }
        static func open(_: Data, with _: CipherKey, authenticating _: [UInt8]) -> Data? { missing }
        static func code(of _: [UInt8], _: UnsafeRawBufferPointer, with _: CipherKey) -> [UInt8] { missing }
        static func hash(_: some DataProtocol) -> [UInt8] { missing }
        static func permute(_: inout [UInt8], with _: CipherKey, encrypting _: Bool) throws { missing }
    #endif
}

/// A key of AES and HMAC.
#if Server
    typealias CipherKey = SymmetricKey

    extension CipherKey {
        init(_ secret: SecretBytes) {
            self = secret.withUnsafeBytes { SymmetricKey(data: $0) }
        }

        fileprivate var secret: SecretBytes {
            withUnsafeBytes { SecretBytes($0) }
        }
    }
#else
    struct CipherKey: Sendable {
        init(_ secret: SecretBytes) {}
    }
#endif
