import Foundation

/// A page of an encrypted store.
package enum EncryptedDatabasePage {
    /// The bytes of a page.
    package static let size = Int(StoreFile.pageSize)
    /// The bytes that encryption adds, which SQLite leaves free at the end of a page.
    package static let reserved = 28
}

/// Encrypts the pages of a store's file and of its log with AES-256-GCM, each by itself. A sealed page is nonce,
/// ciphertext and tag.
final class DatabasePageCipher: Sendable {
    /// Where a page is, which is authenticated: it isn't accepted in another place.
    enum Place {
        /// In the file, by its number from 1.
        case page(Int64)
        /// In the log: the number of the frame from 1, and its page and the salts of the log as SQLite stores them.
        case frame(Int64, page: UInt32, salts: UInt64)

        fileprivate var bytes: [UInt8] {
            var bytes = [UInt8]()
            switch self {
            case .page(let number): withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
            case .frame(let number, let page, let salts):
                withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
                withUnsafeBytes(of: page) { bytes += $0 }
                withUnsafeBytes(of: salts) { bytes += $0 }
            }
            return bytes
        }
    }

    private let fileKey, logKey, frameKey, snapshotKey: CipherKey
    private let isRepeatable: Bool

    /// Derives a key for each purpose from the store's key.
    ///
    /// - Parameter isRepeatable: Whether equal pages in the same place of the file are encrypted to equal bytes, as in
    ///   snapshots for backups, which share what is equal. Equality is all that it shows.
    init(_ key: SecretBytes, isRepeatable: Bool) {
        func derived(_ purpose: String) -> CipherKey {
            CipherKey(Cryptography.derivedKey(for: purpose, from: key))
        }
        (fileKey, logKey) = (derived("file"), derived("log"))
        (frameKey, snapshotKey) = (derived("frame"), derived("snapshot"))
        self.isRepeatable = isRepeatable
    }

    private func key(_ place: Place) -> CipherKey {
        if case .page = place { fileKey } else { logKey }
    }

    /// Encrypts a page, whose reserved bytes aren't encrypted. The result has as many bytes as the page.
    func seal(_ page: UnsafeRawBufferPointer, _ place: Place) throws -> Data {
        let used = UnsafeRawBufferPointer(
            rebasing: page[..<(EncryptedDatabasePage.size - EncryptedDatabasePage.reserved)])
        var nonce: [UInt8]?
        if isRepeatable, case .page = place {
            nonce = Array(Cryptography.code(of: place.bytes, used, with: snapshotKey).prefix(12))
        }
        return try Cryptography.seal(used, with: key(place), nonce: nonce, authenticating: place.bytes)
    }

    /// Decrypts a page, whose reserved bytes are then 0. Returns `false` if it isn't what was written in this place.
    func open(_ sealed: UnsafeMutableRawPointer, into page: UnsafeMutableRawPointer, _ place: Place) -> Bool {
        let bytes = Data(bytesNoCopy: sealed, count: EncryptedDatabasePage.size, deallocator: .none)
        guard let opened = Cryptography.open(bytes, with: key(place), authenticating: place.bytes),
            opened.count == EncryptedDatabasePage.size - EncryptedDatabasePage.reserved
        else { return false }
        opened.copyBytes(to: UnsafeMutableRawBufferPointer(start: page, count: opened.count))
        memset(page + opened.count, 0, EncryptedDatabasePage.reserved)
        return true
    }

    /// Encrypts or decrypts 16 bytes of a frame's header in the log.
    ///
    /// They contain checksums of the pages as they are before encryption, from which something about the pages could be
    /// guessed. There is no room for a tag, and none is needed: SQLite doesn't accept a frame whose checksums don't
    /// fit.
    func permute(_ block: inout [UInt8], encrypting: Bool) throws {
        try Cryptography.permute(&block, with: frameKey, encrypting: encrypting)
    }
}
