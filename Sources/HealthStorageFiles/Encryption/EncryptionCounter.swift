import GRDBSQLite

/// How many pages were encrypted with a store's key. They are counted because nonces are random: among too many, two
/// could be equal.
///
/// Only pages of the log are counted. The file's key encrypts each of them once more at most, when it is moved there, and
/// for snapshots as many as both.
package struct EncryptionCounter: Equatable, Sendable {
    package let count: UInt64

    /// The pages of the log that one key encrypts: with the others, fewer than the 2³² that NIST SP 800-38D allows.
    package static let limit: UInt64 = 1 << 30

    /// Whether a new key should be made soon.
    package var isNearLimit: Bool { count >= Self.limit / 2 }

    /// The extended code of an I/O error for a page that the key may not encrypt any more. SQLite has none for it.
    package static let exhausted = SQLITE_IOERR | (99 << 8)
}

/// Counts pages in the header of the store before they are encrypted.
///
/// A portion is counted at once, so that the header is seldom written; what a program leaves of it counts, too. Only the
/// connection that SQLite lets write the log changes the number.
struct NonceCounter {
    private static let portion: UInt64 = 64

    private let disk: StoreFile.Disk
    private var left: UInt64 = 0

    init(of store: StoreFile) {
        disk = store.disk
    }

    /// Counts one page. Returns a code of SQLite.
    mutating func count() -> Int32 {
        if left == 0 {
            let offset = EncryptionHeader.countOffset
            var number: UInt64 = 0
            let read = withUnsafeMutableBytes(of: &number) {
                disk.methods.pointee.xRead!(disk.file, $0.baseAddress, Int32($0.count), offset)
            }
            guard read == SQLITE_OK else { return read }
            number = UInt64(littleEndian: number)
            guard number < EncryptionCounter.limit else { return EncryptionCounter.exhausted }
            let written = withUnsafeBytes(of: (number + Self.portion).littleEndian) {
                disk.methods.pointee.xWrite!(disk.file, $0.baseAddress, Int32($0.count), offset)
            }
            guard written == SQLITE_OK else { return written }
            left = Self.portion
        }
        left -= 1
        return SQLITE_OK
    }
}
