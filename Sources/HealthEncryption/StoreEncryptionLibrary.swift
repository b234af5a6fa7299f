import Crypto
import CryptoExtras
import Foundation
import HealthStorageSQLite

/// Encrypts stores with AES-256-GCM, HKDF, HMAC and scrypt of swift-crypto.
///
/// A program calls ``register()`` before it opens an encrypted store:
///
/// ```swift
/// import HealthEncryption
///
/// StoreEncryptionLibrary.register()
/// let store = HKHealthStore()      // with HEALTHKIT_KEY_FILE=/path/of/key
/// ```
public enum StoreEncryptionLibrary {
    /// Lets this program open encrypted stores. Calling it again has no effect.
    public static func register() {
        RegisteredCryptography.register(SwiftCryptography())
    }
}

/// The functions of swift-crypto that encrypted stores use.
struct SwiftCryptography: StoreCryptography {
    func randomBytes(_ count: Int) -> [UInt8] {
        // The system's generator.
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    func wrappingKey(ofFile secret: SecretBytes, salt: [UInt8]) -> SecretBytes {
        let key = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(secret), salt: salt, info: Data("OpenHealthKit key file".utf8),
            outputByteCount: 32)
        return key.secret
    }

    func wrappingKey(ofPassphrase secret: SecretBytes, salt: [UInt8], cost: ScryptCost) throws -> SecretBytes {
        try secret.withUnsafeBytes { passphrase in
            try KDF.Scrypt.deriveKey(
                from: passphrase, salt: salt, outputByteCount: 32, rounds: 1 << Int(cost.logarithm),
                blockSize: Int(cost.blockSize),
                parallelism: Int(cost.parallelism)
            ).secret
        }
    }

    func seal(_ bytes: SecretBytes, with key: SecretBytes, authenticating header: [UInt8]) throws -> [UInt8] {
        let box = try bytes.withUnsafeBytes { try AES.GCM.seal($0, using: SymmetricKey(key), authenticating: header) }
        return Array(box.nonce) + box.ciphertext + box.tag
    }

    func open(_ sealed: [UInt8], with key: SecretBytes, authenticating header: [UInt8]) -> SecretBytes? {
        guard let box = try? AES.GCM.SealedBox(combined: sealed),
            let bytes = try? AES.GCM.open(box, using: SymmetricKey(key), authenticating: header)
        else { return nil }
        return SecretBytes(bytes)
    }

    func derivedKey(for purpose: String, from key: SecretBytes) -> SecretBytes {
        HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(key), info: Data("OpenHealthKit \(purpose)".utf8), outputByteCount: 32
        ).secret
    }

    func hash(_ bytes: [UInt8]) -> [UInt8] {
        Array(SHA256.hash(data: bytes))
    }

    func pageCipher(_ key: SecretBytes, isRepeatable: Bool) -> any PageCipher {
        AESPageCipher(SymmetricKey(key), isRepeatable: isRepeatable)
    }
}

/// Encrypts pages with AES-256-GCM. A sealed page is nonce, ciphertext and tag.
final class AESPageCipher: PageCipher {
    private let fileKey: SymmetricKey
    private let logKey: SymmetricKey
    private let frameKey: SymmetricKey
    private let snapshotKey: SymmetricKey
    private let isRepeatable: Bool

    /// Derives a key for each purpose from the store's key.
    init(_ key: SymmetricKey, isRepeatable: Bool) {
        func derived(_ purpose: String) -> SymmetricKey {
            HKDF<SHA256>.deriveKey(
                inputKeyMaterial: key, info: Data("OpenHealthKit \(purpose)".utf8), outputByteCount: 32)
        }
        (fileKey, logKey, frameKey, snapshotKey) = (
            derived("file"), derived("log"), derived("frame"), derived("snapshot")
        )
        self.isRepeatable = isRepeatable
    }

    func seal(_ page: UnsafeRawBufferPointer, _ place: EncryptedPage.Place, number: Int64) throws -> Data {
        let used = UnsafeRawBufferPointer(rebasing: page[..<(EncryptedPage.size - EncryptedPage.reserved)])
        let nonce = isRepeatable && place == .file ? try repeatableNonce(used, number) : AES.GCM.Nonce()
        return try withUnsafeBytes(of: number.littleEndian) { number in
            let box = try AES.GCM.seal(
                used, using: place == .file ? fileKey : logKey, nonce: nonce, authenticating: number)
            guard let sealed = box.combined, sealed.count == EncryptedPage.size else {
                throw CryptoKitError.incorrectParameterSize
            }
            return sealed
        }
    }

    func open(
        _ sealed: UnsafeMutableRawPointer, into page: UnsafeMutableRawPointer, _ place: EncryptedPage.Place,
        number: Int64
    ) -> Bool {
        let bytes = Data(bytesNoCopy: sealed, count: EncryptedPage.size, deallocator: .none)
        let opened = withUnsafeBytes(of: number.littleEndian) { number -> Data? in
            guard let box = try? AES.GCM.SealedBox(combined: bytes) else { return nil }
            return try? AES.GCM.open(box, using: place == .file ? fileKey : logKey, authenticating: number)
        }
        guard let opened, opened.count == EncryptedPage.size - EncryptedPage.reserved else { return false }
        opened.copyBytes(to: UnsafeMutableRawBufferPointer(start: page, count: opened.count))
        memset(page + opened.count, 0, EncryptedPage.reserved)
        return true
    }

    /// A nonce that depends on the page and its number in a way that only the key's owner can compute.
    private func repeatableNonce(_ page: UnsafeRawBufferPointer, _ number: Int64) throws -> AES.GCM.Nonce {
        var code = HMAC<SHA256>(key: snapshotKey)
        withUnsafeBytes(of: number.littleEndian) { code.update(data: $0) }
        code.update(data: page)
        return try AES.GCM.Nonce(data: Array(code.finalize()).prefix(12))
    }

    func permute(_ block: inout [UInt8], encrypting: Bool) throws {
        if encrypting {
            try AES.permute(&block, key: frameKey)
        } else {
            try AES.inversePermute(&block, key: frameKey)
        }
    }
}

extension SymmetricKey {
    init(_ secret: SecretBytes) {
        self = secret.withUnsafeBytes { SymmetricKey(data: $0) }
    }

    var secret: SecretBytes {
        withUnsafeBytes { SecretBytes($0) }
    }
}
