import Foundation
import HealthStorage

/// The first 4,096 bytes of an encrypted store, before its pages: the store's own key, encrypted with the person's, the
/// record of the log, and the number of pages that the key has encrypted.
///
/// There is room for two encrypted copies of the key. Changing the person's key writes the copy that is free and then
/// erases the other one, so that one of them is intact at any moment. Docs/Format/Encryption.md has the bytes.
package struct EncryptionHeader: Sendable {
    /// The bytes of the header, and of each page behind it.
    static let size = EncryptedDatabasePage.size
    package static let magic = Array("OpenHealthKitEnc".utf8)
    private static let version: UInt8 = 1
    /// Each copy has a separate sector, which a disk writes as a whole.
    private static let sector = 512
    static let recordOffset = Int64(3 * sector)
    static let countOffset = Int64(4 * sector)

    /// The store's key, encrypted.
    struct Slot: Sendable {
        var kind: StoreKey.Kind
        var cost: ScryptCost
        var salt: [UInt8]
        /// Nonce, key and tag of AES-GCM.
        var sealed: [UInt8]

        static let sealedRange = 40..<100
        static let checksumRange = 100..<116

        /// The bytes that are authenticated with the key.
        private var authenticated: [UInt8] {
            magic + [version, kind.rawValue, cost.logarithm, cost.blockSize, cost.parallelism] + salt
        }

        /// Encrypts a store's key.
        init(_ dataKey: SecretBytes, with key: StoreKey, cost: ScryptCost = .standard) throws {
            (kind, self.cost, salt, sealed) = (key.kind, cost, Cryptography.randomBytes(32), [])
            let wrappingKey = CipherKey(try key.wrappingKey(salt: salt, cost: cost))
            sealed = try dataKey.withUnsafeBytes {
                Array(try Cryptography.seal($0, with: wrappingKey, authenticating: authenticated))
            }
        }

        /// Reads the bytes of a sector. Returns `nil` if there is no copy or it is damaged.
        init?(sector: ArraySlice<UInt8>) {
            let bytes = Array(sector)
            guard let kind = StoreKey.Kind(rawValue: bytes[0]), Self.checksum(bytes) == Array(bytes[Self.checksumRange])
            else { return nil }
            self.kind = kind
            cost = ScryptCost(logarithm: bytes[1], blockSize: bytes[2], parallelism: bytes[3])
            salt = Array(bytes[8..<40])
            sealed = Array(bytes[Self.sealedRange])
            guard kind == .keyFile || cost.isBounded else { return nil }
        }

        /// The bytes of the sector.
        var bytes: [UInt8] {
            var bytes = [kind.rawValue, cost.logarithm, cost.blockSize, cost.parallelism, 0, 0, 0, 0] + salt + sealed
            bytes += Self.checksum(bytes)
            return bytes + [UInt8](repeating: 0, count: EncryptionHeader.sector - bytes.count)
        }

        /// Distinguishes damage from a wrong key.
        private static func checksum(_ bytes: [UInt8]) -> [UInt8] {
            Array(Cryptography.hash(bytes[..<sealedRange.upperBound]).prefix(checksumRange.count))
        }

        /// Decrypts the store's key. Returns `nil` if the key is a wrong one.
        func open(with key: StoreKey) throws -> SecretBytes? {
            guard key.kind == kind else { return nil }
            let wrappingKey = CipherKey(try key.wrappingKey(salt: salt, cost: cost))
            guard var opened = Cryptography.open(Data(sealed), with: wrappingKey, authenticating: authenticated) else {
                return nil
            }
            defer { opened.withUnsafeMutableBytes { explicit_bzero($0.baseAddress!, $0.count) } }
            return SecretBytes(opened)
        }
    }

    /// The copies of the key; at least one.
    private(set) var slots: [Slot?]
    /// How many pages the store's key has encrypted.
    package let encryptionCounter: EncryptionCounter

    /// Creates a header with one copy.
    init(_ slot: Slot) {
        (slots, encryptionCounter) = ([slot, nil], EncryptionCounter(count: 0))
    }

    /// Reads the header of the file at `path`. Returns `nil` if the file isn't encrypted.
    ///
    /// Throws `StorageError`: `.damaged` if the header isn't whole, `.notAStore` if a newer program wrote it,
    /// `.unreachable`.
    package static func read(_ path: String) throws -> EncryptionHeader? {
        let bytes = try VFSFile.head(of: path, count: size)
        return bytes.starts(with: magic) ? try EncryptionHeader(bytes, path) : nil
    }

    private init(_ bytes: [UInt8], _ path: String) throws {
        try Cryptography.require(for: path)
        guard bytes.count == Self.size else {
            throw StorageError(.damaged, "\(path) is encrypted, and ends within its header.")
        }
        guard bytes[Self.magic.count] <= Self.version else {
            throw StorageError(.notAStore, "\(path) was encrypted by a newer version.")
        }
        encryptionCounter = EncryptionCounter(
            count: bytes[Int(Self.countOffset)...].prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) })
        slots = [1, 2].map { Slot(sector: bytes[$0 * Self.sector..<($0 + 1) * Self.sector]) }
        guard bytes[Self.magic.count] == Self.version, slots.contains(where: { $0 != nil }) else {
            throw StorageError(.damaged, "\(path) is encrypted, and the header with its key is damaged.")
        }
    }

    /// The 4,096 bytes of the header, of a store without a log.
    var bytes: [UInt8] {
        var bytes = Self.magic + [Self.version]
        bytes += [UInt8](repeating: 0, count: Self.sector - bytes.count)
        for slot in slots { bytes += slot?.bytes ?? [UInt8](repeating: 0, count: Self.sector) }
        bytes += LogRecord.none.bytes
        bytes += [UInt8](repeating: 0, count: Int(Self.countOffset) - bytes.count)
        withUnsafeBytes(of: encryptionCounter.count.littleEndian) { bytes += $0 }
        return bytes + [UInt8](repeating: 0, count: Self.size - bytes.count)
    }

    /// Where the keys come from: two kinds while a key is being changed.
    package var kinds: [StoreKey.Kind] { slots.compactMap { $0?.kind } }

    /// Decrypts the store's key. Throws `StorageError` `.encrypted` if the key isn't the store's.
    func dataKey(with key: StoreKey, of path: String) throws -> SecretBytes {
        for slot in slots { if let found = try slot?.open(with: key) { return found } }
        guard kinds.contains(key.kind) else {
            throw StorageError(
                .encrypted,
                key.kind == .keyFile
                    ? "\(path) is encrypted with a passphrase, and a key file was given."
                    : "\(path) is encrypted with a key file, and a passphrase was given.")
        }
        throw StorageError(
            .encrypted,
            key.kind == .keyFile ? "The key file is not that of \(path)." : "The passphrase is not that of \(path).")
    }

    /// Replaces the key with which the store's own key is encrypted. Both work until the method returns, also after an
    /// interruption.
    package static func changeKey(of path: String, from old: StoreKey, to new: StoreKey) throws {
        let file = try VFSFile(path, isWritten: true)
        try file.lockForKeys()
        guard let header = try read(path) else { throw StorageError(.encrypted, "\(path) is not encrypted.") }
        let dataKey = try header.dataKey(with: old, of: path)
        // The copy that the old key opens stays until the new one is on the disk. Only an interrupted change leaves two.
        let known = try header.slots.firstIndex { try $0?.open(with: old) != nil } ?? 0
        try file.write(Slot(dataKey, with: new).bytes, at: sector * (known == 0 ? 2 : 1))
        try file.write([UInt8](repeating: 0, count: sector), at: sector * (known + 1))
    }
}
