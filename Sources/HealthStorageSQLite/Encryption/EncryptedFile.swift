import Foundation
import GRDBSQLite
import Synchronization

/// A file of an encrypted store as SQLite uses it: pages are encrypted when they are written, and decrypted when they are read.
///
/// In the store's file, everything is 4,096 bytes further back than SQLite knows, behind the header. In the log, the place is the same,
/// and its own header and the first 8 bytes of each frame stay as they are. What isn't a whole page is never written.
///
/// SQLite uses a file on one thread at a time.
final class EncryptedFile {
    /// The file on the disk.
    private let file: UnsafeMutablePointer<sqlite3_file>
    private let methods: sqlite3_io_methods
    private let cipher: any PageCipher
    private let place: EncryptedPage.Place
    private let path: String
    /// A page as it is on the disk, and decrypted.
    private let sealed = UnsafeMutableRawPointer.allocate(byteCount: EncryptedPage.size, alignment: 16)
    private let page = UnsafeMutableRawPointer.allocate(byteCount: EncryptedPage.size, alignment: 16)

    init(_ file: UnsafeMutablePointer<sqlite3_file>, _ methods: sqlite3_io_methods, _ cipher: any PageCipher, _ place: EncryptedPage.Place, path: String) {
        (self.file, self.methods, self.cipher, self.place, self.path) = (file, methods, cipher, place, path)
    }

    deinit {
        sealed.deallocate()
        memset(page, 0, EncryptedPage.size)
        page.deallocate()
    }

    // MARK: Parts

    private static let pageSize = Int64(EncryptedPage.size)
    /// The page size, the bytes of a log's header, and those of a frame's.
    private static let (logHeader, frameHeader): (Int64, Int64) = (32, 24)
    private static let shortRead = SQLITE_IOERR | (2 << 8)
    private static let writeFailed = SQLITE_IOERR | (3 << 8)
    /// The extended code of an I/O error for a page with a wrong checksum: `SQLITE_IOERR_DATA`.
    static let damaged = SQLITE_IOERR | (32 << 8)

    /// A part of the file that is encrypted as a whole, or not at all.
    private struct Part {
        enum Contents {
            case page, logHeader, frameHeader
        }

        var contents: Contents
        /// Where it begins, as SQLite knows it.
        var start: Int64
        var count: Int64
        /// The number of the page or the frame, from 1.
        var number: Int64
    }

    /// The part that contains a byte.
    private func part(at offset: Int64) -> Part {
        guard place == .log else {
            let index = offset / Self.pageSize
            return Part(contents: .page, start: index * Self.pageSize, count: Self.pageSize, number: index + 1)
        }
        guard offset >= Self.logHeader else { return Part(contents: .logHeader, start: 0, count: Self.logHeader, number: 0) }
        let (index, inside) = (offset - Self.logHeader).quotientAndRemainder(dividingBy: Self.frameHeader + Self.pageSize)
        let start = Self.logHeader + index * (Self.frameHeader + Self.pageSize)
        return inside < Self.frameHeader
            ? Part(contents: .frameHeader, start: start, count: Self.frameHeader, number: index + 1)
            : Part(contents: .page, start: start + Self.frameHeader, count: Self.pageSize, number: index + 1)
    }

    /// Where a byte is on the disk.
    private func position(_ offset: Int64) -> Int64 {
        place == .file ? offset + Int64(EncryptionHeader.size) : offset
    }

    // MARK: Reading

    func read(_ target: UnsafeMutableRawPointer, _ count: Int64, at offset: Int64) -> Int32 {
        var done: Int64 = 0
        while done < count {
            let part = part(at: offset + done)
            let first = offset + done - part.start
            let length = min(part.count - first, count - done)
            let isWhole = length == part.count
            let code = load(part, into: isWhole ? target + Int(done) : page, isWhole: isWhole, isFrame: done > 0)
            if code == Self.shortRead { memset(target + Int(done), 0, Int(count - done)) }
            guard code == SQLITE_OK else { return code }
            if !isWhole { (target + Int(done)).copyMemory(from: page + Int(first), byteCount: Int(length)) }
            done += length
        }
        return SQLITE_OK
    }

    /// Reads and decrypts a part.
    ///
    /// - Parameters:
    ///   - isWhole: Whether SQLite reads the whole part.
    ///   - isFrame: Whether SQLite reads it along with what is before it.
    private func load(_ part: Part, into target: UnsafeMutableRawPointer, isWhole: Bool, isFrame: Bool) -> Int32 {
        let source = part.contents == .page ? sealed : target
        let code = methods.xRead!(file, source, Int32(part.count), position(part.start))
        if code == Self.shortRead, part.contents == .page, place == .file {
            var size: Int64 = 0
            // A file that ends within a page was cut.
            guard methods.xFileSize!(file, &size) == SQLITE_OK, size <= position(part.start) else { return fail(part, target, isWhole) }
        }
        guard code == SQLITE_OK else { return code }
        switch part.contents {
        case .logHeader: break
        case .frameHeader: permute(target, encrypting: false)
        case .page:
            if cipher.open(sealed, into: target, place, number: part.number) { break }
            // SQLite reads whole frames to find the end of a log that a killed program has left, where a frame can be torn. Its
            // checksums don't fit these bytes.
            guard place == .log, isFrame else { return fail(part, target, isWhole) }
            memset(target, 0, Int(part.count))
        }
        return SQLITE_OK
    }

    /// Notes the damage of a page.
    private func fail(_ part: Part, _ target: UnsafeMutableRawPointer, _ isWhole: Bool) -> Int32 {
        if place == .file, part.number == 1, !isWhole {
            // A loss of power can tear the page while the log has the whole one. Before SQLite opens the log, it reads the size of pages
            // here, which is always the same.
            memset(target, 0, Int(part.count))
            target.copyMemory(from: Self.firstBytes, byteCount: Self.firstBytes.count)
            return SQLITE_OK
        }
        PageDamage.note(PageDamage(path: path, page: part.number, isInLog: place == .log))
        return Self.damaged
    }

    /// The beginning of every database with this page size and these reserved bytes, in write-ahead mode.
    private static let firstBytes =
        Array("SQLite format 3\0".utf8) + [UInt8(EncryptedPage.size >> 8), 0, 2, 2, UInt8(EncryptedPage.reserved), 64, 32, 32]

    private func permute(_ header: UnsafeMutableRawPointer, encrypting: Bool) {
        let part = UnsafeMutableRawBufferPointer(start: header + 8, count: 16)
        var block = Array(part)
        // It fails for other lengths only.
        try? cipher.permute(&block, encrypting: encrypting)
        part.copyBytes(from: block)
    }

    // MARK: Writing

    func write(_ source: UnsafeRawPointer, _ count: Int64, at offset: Int64) -> Int32 {
        var done: Int64 = 0
        while done < count {
            let part = part(at: offset + done)
            guard part.start == offset + done, part.count <= count - done else { return Self.writeFailed }
            let bytes = UnsafeRawBufferPointer(start: source + Int(done), count: Int(part.count))
            let code: Int32
            switch part.contents {
            case .logHeader: code = put(bytes, part)
            case .frameHeader:
                page.copyMemory(from: bytes.baseAddress!, byteCount: bytes.count)
                permute(page, encrypting: true)
                code = put(UnsafeRawBufferPointer(start: page, count: bytes.count), part)
            case .page:
                if place == .file, part.number == 1, !Self.isFirstPage(bytes) { return Self.writeFailed }
                guard let sealed = try? cipher.seal(bytes, place, number: part.number) else { return Self.writeFailed }
                code = sealed.withUnsafeBytes { put($0, part) }
            }
            guard code == SQLITE_OK else { return code }
            done += part.count
        }
        return SQLITE_OK
    }

    private func put(_ bytes: UnsafeRawBufferPointer, _ part: Part) -> Int32 {
        methods.xWrite!(file, bytes.baseAddress, Int32(bytes.count), position(part.start))
    }

    /// Whether the pages of the database have this size and leave the reserved bytes free.
    private static func isFirstPage(_ bytes: UnsafeRawBufferPointer) -> Bool {
        bytes[16] == UInt8(EncryptedPage.size >> 8) && bytes[17] == 0 && bytes[20] == UInt8(EncryptedPage.reserved)
    }

    // MARK: The rest

    func truncate(_ size: Int64) -> Int32 {
        methods.xTruncate!(file, position(size))
    }

    func size(_ result: UnsafeMutablePointer<Int64>?) -> Int32 {
        let code = methods.xFileSize!(file, result)
        if place == .file, let result { result.pointee = max(0, result.pointee - Int64(EncryptionHeader.size)) }
        return code
    }

    func control(_ operation: Int32, _ argument: UnsafeMutableRawPointer?) -> Int32 {
        switch operation {
        // Sizes would have to be changed; they are for memory-mapped files, which these can't be.
        case SQLITE_FCNTL_SIZE_HINT, SQLITE_FCNTL_CHUNK_SIZE, SQLITE_FCNTL_MMAP_SIZE: SQLITE_NOTFOUND
        default: methods.xFileControl!(file, operation, argument)
        }
    }

    func close() -> Int32 { methods.xClose!(file) }
    func sync(_ flags: Int32) -> Int32 { methods.xSync!(file, flags) }
    func lock(_ level: Int32) -> Int32 { methods.xLock!(file, level) }
    func unlock(_ level: Int32) -> Int32 { methods.xUnlock!(file, level) }
    func checkLock(_ result: UnsafeMutablePointer<Int32>?) -> Int32 { methods.xCheckReservedLock!(file, result) }
    func sectorSize() -> Int32 { methods.xSectorSize!(file) }
    func characteristics() -> Int32 { methods.xDeviceCharacteristics!(file) }
    func mapIndex(_ page: Int32, _ size: Int32, _ extend: Int32, _ result: UnsafeMutablePointer<UnsafeMutableRawPointer?>?) -> Int32 {
        // The imported type says that the memory is volatile.
        methods.xShmMap!(file, page, size, extend, result)
    }
    func lockIndex(_ offset: Int32, _ count: Int32, _ flags: Int32) -> Int32 { methods.xShmLock!(file, offset, count, flags) }
    func indexBarrier() { methods.xShmBarrier!(file) }
    func unmapIndex(_ delete: Int32) -> Int32 { methods.xShmUnmap!(file, delete) }

    // MARK: Checking

    /// Returns whether the file has no page with this number, or one that is what was written. A page that was never written is.
    func isSound(page number: Int64) -> Bool {
        let position = position((number - 1) * Self.pageSize)
        // A page may be written at the same time.
        for _ in 0..<3 {
            let code = methods.xRead!(file, sealed, Int32(Self.pageSize), position)
            if code == SQLITE_OK, cipher.open(sealed, into: page, place, number: number) { return true }
            if UnsafeRawBufferPointer(start: sealed, count: EncryptedPage.size).allSatisfy({ $0 == 0 }) { return true }
        }
        return false
    }
}

/// A page of an encrypted store that isn't what was written.
struct PageDamage: Sendable {
    var path: String
    var page: Int64
    var isInLog: Bool

    private static let last = Mutex<PageDamage?>(nil)

    /// Keeps the damage for the error that follows from it, which SQLite can't tell more about than its code.
    static func note(_ damage: PageDamage) {
        last.withLock { $0 = damage }
    }

    /// What is wrong with the page that was read last.
    static var lastDescription: String {
        last.withLock { $0?.description } ?? "A page of the encrypted store isn’t what was written."
    }

    var description: String {
        "\(isInLog ? "Frame \(page) of the log" : "Page \(page)") of \(path) isn’t what was written."
    }
}
