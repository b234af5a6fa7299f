import Foundation
import HealthModel

/// A store file's record of its log, which one it is and how much of it is in the file, and of its first page.
///
/// The file of a store that isn't encrypted has it in bytes of SQLite's header that SQLite doesn't use, an encrypted
/// one in its own header. A disk writes the sector with it as a whole.
struct LogRecord: Equatable {
    static let size = 20

    /// The two salts of the log, as its header has them. Each log has others.
    var salts: UInt64
    /// The number of frames that have been moved to the file.
    var movedFrames: UInt32 = 0
    /// SQLite's file change counter in the first page that was written last, which any program increments when it
    /// writes that page; 0 in an encrypted store, which no other program can write.
    var changes: UInt32 = 0
    /// Whether the log is part of the store; otherwise, everything in it is in the file.
    var expectsLog: Bool

    /// The record of a file that has had no log.
    static let none = LogRecord(salts: 0, expectsLog: false)

    init(salts: UInt64, movedFrames: UInt32 = 0, changes: UInt32 = 0, expectsLog: Bool) {
        (self.salts, self.movedFrames, self.changes, self.expectsLog) = (salts, movedFrames, changes, expectsLog)
    }

    /// Reads 20 bytes; `nil` if they aren't what was written.
    init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == Self.size else { return nil }
        func number(_ range: Range<Int>) -> UInt64 {
            bytes.dropFirst(range.lowerBound).prefix(range.count).reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
        salts = number(0..<8)
        movedFrames = UInt32(number(8..<12)) & ~Self.flag
        expectsLog = UInt32(number(8..<12)) & Self.flag != 0
        changes = UInt32(number(12..<16))
        guard self.bytes.elementsEqual(bytes) else { return nil }
    }

    private static let flag: UInt32 = 1 << 31

    var bytes: [UInt8] {
        var bytes = [UInt8]()
        func append(_ number: some FixedWidthInteger) { withUnsafeBytes(of: number.littleEndian) { bytes += $0 } }
        append(salts)
        append(movedFrames | (expectsLog ? Self.flag : 0))
        append(changes)
        append(bytes.withUnsafeBytes { UInt32(truncatingIfNeeded: Checksum.of($0)) })
        return bytes
    }
}

/// The header of a log: https://www.sqlite.org/fileformat2.html#the_write_ahead_log
struct LogHeader {
    static let size = 32

    let salts: UInt64
    /// Whether the header is what was written.
    let isSound: Bool

    init(_ bytes: [UInt8]) {
        func word(_ place: Int, isBigEndian: Bool = true) -> UInt32 {
            let word = bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: place, as: UInt32.self) }
            return isBigEndian ? UInt32(bigEndian: word) : UInt32(littleEndian: word)
        }
        let isBigEndian = word(0) & 1 == 1
        var sums: (UInt32, UInt32) = (0, 0)
        for place in stride(from: 0, to: 24, by: 8) {
            sums.0 &+= word(place, isBigEndian: isBigEndian) &+ sums.1
            sums.1 &+= word(place + 4, isBigEndian: isBigEndian) &+ sums.0
        }
        salts = bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 16, as: UInt64.self) }
        isSound = word(0) & ~1 == 0x377F_0682 && (word(24), word(28)) == sums
    }
}
