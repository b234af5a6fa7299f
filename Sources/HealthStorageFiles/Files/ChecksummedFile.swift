import Foundation
import GRDBSQLite
import HealthStorage

/// The file of a store that isn't encrypted: each page gets a checksum when it is written, and is checked when it is
/// read.
///
/// A page without one is damaged, unless another program has moved the log to the file or changed it, which
/// ``access(to:isWritable:waiting:)`` detects.
package final class ChecksummedFile: StoreFile {
    /// The treatment of a page that isn't what was written.
    package enum Check: Sendable {
        /// SQLite gets an error.
        case strict
        /// SQLite gets an error, or a page that has no checksum.
        case unsealed
        /// SQLite gets any page: another program has changed some.
        case changed
        /// SQLite gets the page with a flipped bit corrected, or an error if more than one was flipped.
        case correcting
        /// SQLite gets the page with a flipped bit corrected, or as it is.
        case lenient
    }

    /// The bytes at the end of a page that SQLite leaves free.
    package static let reserved = DatabasePageChecksum.size

    override class var recordOffset: Int64? { 72 }

    private let check: Check
    /// The flipped bits of pages that were read, by page; `nil` for pages with more damage.
    private var corrections: [Int64: Int?] = [:]
    private let page = UnsafeMutableRawPointer.allocate(byteCount: Int(StoreFile.pageSize), alignment: 16)

    private init(_ disk: Disk, _ check: Check) {
        self.check = check
        super.init(disk)
    }

    deinit {
        page.deallocate()
    }

    /// How the files of such a store are opened, which may be empty yet.
    package static func access(_ check: Check = .strict) throws -> StoreAccess {
        try StoreAccess { disk, kind in
            switch kind {
            case .file: ChecksummedFile(disk, check)
            case .log: disk.store.map { LogFile(disk, of: $0) }
            case .journal: StoreFile(disk)
            }
        }
    }

    // MARK: Reading

    package override func read(_ target: UnsafeMutableRawPointer, _ count: Int64, at offset: Int64) -> Int32 {
        let (index, inside) = offset.quotientAndRemainder(dividingBy: Self.pageSize)
        if inside == 0, count == Self.pageSize { return load(index, into: target) }
        // Before SQLite opens the log, which may have a newer first page, it reads the size of pages there.
        guard index > 0, inside + count <= Self.pageSize else { return super.read(target, count, at: offset) }
        let code = load(index, into: page)
        guard code == SQLITE_OK else {
            memset(target, 0, Int(count))
            return code
        }
        target.copyMemory(from: page + Int(inside), byteCount: Int(count))
        return SQLITE_OK
    }

    /// Reads and checks a page. SQLite sees zeros in place of the checksum and the record of the log.
    private func load(_ index: Int64, into target: UnsafeMutableRawPointer) -> Int32 {
        let code = super.read(target, Self.pageSize, at: index * Self.pageSize)
        func fail() -> Int32 { ReadFailure.record(ReadFailure.damage(of: index + 1, in: path)) }
        if code == Self.shortRead {
            var size: Int64 = 0
            // A file that ends within a page was truncated.
            guard self.size(&size) == SQLITE_OK, size <= index * Self.pageSize else { return fail() }
        }
        guard code == SQLITE_OK else { return code }
        if readsUnwrittenPages, Self.isUnwritten(target) {
            unwrittenPages.insert(index + 1)
            return SQLITE_OK
        }
        if !isSound(target, number: index + 1) {
            let isCorrected = check == .correcting || check == .lenient ? correct(target, number: index + 1) : false
            guard isCorrected || check == .lenient else { return fail() }
        }
        DatabasePageChecksum.store(0, in: target)
        if index == 0 { memset(target + Int(Self.recordOffset!), 0, LogRecord.size) }
        return SQLITE_OK
    }

    private func isSound(_ page: UnsafeRawPointer, number: Int64) -> Bool {
        let stored = DatabasePageChecksum.stored(in: page)
        guard stored == 0 else { return check == .changed || stored == DatabasePageChecksum.of(page, number: number) }
        switch check {
        case .unsealed, .changed: return true
        case .strict: return Self.isOfLocks(number) || record == nil
        // Without its last sector, a page has no checksum either.
        case .correcting, .lenient: return !Self.isZero(page + DatabasePageChecksum.offset - 504, 504)
        }
    }

    /// Flips the one bit back that makes a page what was written. Returns `false` if there is none.
    private func correct(_ page: UnsafeMutableRawPointer, number: Int64) -> Bool {
        let found = corrections[number] ?? DatabasePageChecksum.flippedBit(of: page, number: number)
        corrections[number] = .some(found)
        guard let found else { return false }
        page.assumingMemoryBound(to: UInt8.self)[found / 8] ^= 1 << UInt8(found % 8)
        return true
    }

    // MARK: Writing

    package override func write(_ source: UnsafeRawPointer, _ count: Int64, at offset: Int64) -> Int32 {
        let (index, inside) = offset.quotientAndRemainder(dividingBy: Self.pageSize)
        guard inside == 0, count == Self.pageSize else { return Self.writeFailed }
        if index == 0 {
            // A new file has all of its pages from here; in any other, what the record says of the log stays as it is.
            let code = super.read(page, count, at: 0)
            guard code == SQLITE_OK || code == Self.shortRead else { return code }
            let isNew = code == Self.shortRead || Self.isUnwritten(page)
            let place = Int(Self.recordOffset!)
            let bytes = Array(UnsafeRawBufferPointer(start: page + place, count: LogRecord.size))
            var record = isNew ? LogRecord.none : LogRecord(bytes)
            record?.changes = Self.changes(of: source)
            page.copyMemory(from: source, byteCount: DatabasePageChecksum.offset)
            (page + place).copyMemory(from: record?.bytes ?? bytes, byteCount: bytes.count)
        } else {
            page.copyMemory(from: source, byteCount: DatabasePageChecksum.offset)
        }
        DatabasePageChecksum.store(DatabasePageChecksum.of(page, number: index + 1), in: page)
        return super.write(page, count, at: offset)
    }

    package override func size(_ result: UnsafeMutablePointer<Int64>?) -> Int32 {
        let code = super.size(result)
        guard code == SQLITE_OK, let result, result.pointee >= Self.pageSize,
            super.read(page, Self.pageSize, at: 0) == SQLITE_OK, isSound(page, number: 1)
        else { return code }
        result.pointee = max(result.pointee, Self.namedSize(page))
        return code
    }

    // MARK: Checking

    package override func isSound(page number: Int64) -> Bool {
        // A page may be written at the same time.
        for _ in 0..<3 {
            let code = super.read(page, Self.pageSize, at: (number - 1) * Self.pageSize)
            if code == SQLITE_OK, isSound(page, number: number) { return true }
        }
        return false
    }

    package override func isUnwritten(page number: Int64) -> Bool {
        super.read(page, Self.pageSize, at: (number - 1) * Self.pageSize) == SQLITE_OK && Self.isUnwritten(page)
    }
}
