import Foundation
import GRDBSQLite

/// A file of an encrypted store: pages are encrypted when they are written, and decrypted when they are read.
///
/// In the store's file, everything is 4,096 bytes further back than SQLite knows, behind the header. In the log, the
/// place is the same, and its own header and the first 8 bytes of each frame stay as they are. What isn't a whole page
/// is never written.
final class EncryptedFile: StoreFile {
    private let cipher: any PageCipher
    private let place: EncryptedPage.Place
    /// A page as it is on the disk, and decrypted.
    private let sealed = UnsafeMutableRawPointer.allocate(byteCount: EncryptedPage.size, alignment: 16)
    private let page = UnsafeMutableRawPointer.allocate(byteCount: EncryptedPage.size, alignment: 16)

    init(
        _ file: UnsafeMutablePointer<sqlite3_file>, _ methods: sqlite3_io_methods, _ cipher: any PageCipher,
        _ place: EncryptedPage.Place, path: String
    ) {
        (self.cipher, self.place) = (cipher, place)
        super.init(file, methods, path: path)
    }

    deinit {
        sealed.deallocate()
        memset(page, 0, EncryptedPage.size)
        page.deallocate()
    }

    // MARK: Parts

    private static let (logHeader, frameHeader) = (LogInspection.headerSize, LogInspection.frameHeaderSize)

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
        guard offset >= Self.logHeader else {
            return Part(contents: .logHeader, start: 0, count: Self.logHeader, number: 0)
        }
        let (index, inside) = (offset - Self.logHeader).quotientAndRemainder(
            dividingBy: Self.frameHeader + Self.pageSize)
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

    override func read(_ target: UnsafeMutableRawPointer, _ count: Int64, at offset: Int64) -> Int32 {
        if place == .log, case let code = inspectLog(count, at: offset, cipher: LogCipher(cipher)), code != SQLITE_OK {
            return code
        }
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
            guard self.size(&size) == SQLITE_OK, size <= part.start else { return fail(part, target, isWhole) }
        }
        guard code == SQLITE_OK else { return code }
        switch part.contents {
        case .logHeader: break
        case .frameHeader: permute(target, encrypting: false)
        case .page:
            if cipher.open(sealed, into: target, place, number: part.number) { break }
            if readsUnwrittenPages, place == .file, Self.isUnwritten(sealed) {
                unwrittenPages.insert(part.number)
                memset(target, 0, Int(part.count))
                break
            }
            // SQLite reads whole frames to find the end of a log that a killed program has left, where a frame can be
            // torn. Its checksums don't fit these bytes.
            guard place == .log, isFrame else { return fail(part, target, isWhole) }
            memset(target, 0, Int(part.count))
        }
        return SQLITE_OK
    }

    /// Notes the damage of a page.
    private func fail(_ part: Part, _ target: UnsafeMutableRawPointer, _ isWhole: Bool) -> Int32 {
        if place == .file, part.number == 1, !isWhole {
            // A loss of power can tear the page while the log has the whole one. Before SQLite opens the log, it reads
            // the size of pages here, which is always the same.
            memset(target, 0, Int(part.count))
            target.copyMemory(from: Self.firstBytes, byteCount: Self.firstBytes.count)
            return SQLITE_OK
        }
        PageDamage.note(PageDamage(path: path, page: part.number, isInLog: place == .log))
        return Self.damaged
    }

    /// The beginning of every database with this page size and these reserved bytes, in write-ahead mode.
    private static let firstBytes =
        Array("SQLite format 3\0".utf8) + [
            UInt8(EncryptedPage.size >> 8), 0, 2, 2, UInt8(EncryptedPage.reserved), 64, 32, 32,
        ]

    private func permute(_ header: UnsafeMutableRawPointer, encrypting: Bool) {
        let part = UnsafeMutableRawBufferPointer(start: header + 8, count: 16)
        var block = Array(part)
        // It fails for other lengths only.
        try? cipher.permute(&block, encrypting: encrypting)
        part.copyBytes(from: block)
    }

    // MARK: Writing

    override func write(_ source: UnsafeRawPointer, _ count: Int64, at offset: Int64) -> Int32 {
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

    override func truncate(_ size: Int64) -> Int32 {
        methods.xTruncate!(file, position(size))
    }

    override func size(_ result: UnsafeMutablePointer<Int64>?) -> Int32 {
        let code = methods.xFileSize!(file, result)
        guard code == SQLITE_OK, place == .file, let result else { return code }
        result.pointee = max(0, result.pointee - Int64(EncryptionHeader.size))
        if result.pointee >= Self.pageSize,
            methods.xRead!(file, sealed, Int32(Self.pageSize), position(0)) == SQLITE_OK,
            cipher.open(sealed, into: page, place, number: 1)
        {
            result.pointee = max(result.pointee, Self.namedSize(page))
        }
        return code
    }

    override func control(_ operation: Int32, _ argument: UnsafeMutableRawPointer?) -> Int32 {
        switch operation {
        // Sizes would have to be changed; they are for memory-mapped files, which these can't be.
        case SQLITE_FCNTL_SIZE_HINT, SQLITE_FCNTL_CHUNK_SIZE, SQLITE_FCNTL_MMAP_SIZE: SQLITE_NOTFOUND
        default: methods.xFileControl!(file, operation, argument)
        }
    }

    // MARK: Checking

    override func isSound(page number: Int64) -> Bool {
        let position = position((number - 1) * Self.pageSize)
        // A page may be written at the same time.
        for _ in 0..<3 {
            let code = methods.xRead!(file, sealed, Int32(Self.pageSize), position)
            if code == SQLITE_OK, cipher.open(sealed, into: page, place, number: number) { return true }
        }
        return false
    }

    override func isUnwritten(page number: Int64) -> Bool {
        methods.xRead!(file, sealed, Int32(Self.pageSize), position((number - 1) * Self.pageSize)) == SQLITE_OK
            && Self.isUnwritten(sealed)
    }

    override func storedPages() -> Int64 {
        place == .file
            ? max(0, super.storedPages() - Int64(EncryptionHeader.size) / Self.pageSize) : super.storedPages()
    }
}

extension LogCipher {
    init(_ cipher: any PageCipher) {
        // Decrypting fails for other lengths only.
        self.init(
            decryptHeader: { try? cipher.permute(&$0, encrypting: false) },
            decryptPage: { cipher.open($0, into: $1, .log, number: $2) })
    }
}
