import Foundation
import GRDBSQLite

/// The file of an encrypted store: pages are encrypted when they are written, and decrypted when they are read.
///
/// Everything is 4,096 bytes further back than SQLite knows, behind the header. What isn't a whole page is never
/// written.
final class EncryptedFile: StoreFile {
    private let cipher: DatabasePageCipher
    /// A page as it is on the disk, and decrypted.
    private let sealed = UnsafeMutableRawPointer.allocate(byteCount: EncryptedDatabasePage.size, alignment: 16)
    private let page = UnsafeMutableRawPointer.allocate(byteCount: EncryptedDatabasePage.size, alignment: 16)

    init(_ disk: Disk, _ cipher: DatabasePageCipher) {
        self.cipher = cipher
        super.init(disk)
    }

    deinit {
        sealed.deallocate()
        memset(page, 0, EncryptedDatabasePage.size)
        page.deallocate()
    }

    override class var recordOffset: Int64? { EncryptionHeader.recordOffset }

    /// Reads a page as it is on the disk.
    private func readSealed(_ number: Int64) -> Int32 {
        super.read(sealed, Self.pageSize, at: number * Self.pageSize)
    }

    // MARK: Reading

    override func read(_ target: UnsafeMutableRawPointer, _ count: Int64, at offset: Int64) -> Int32 {
        let (index, inside) = offset.quotientAndRemainder(dividingBy: Self.pageSize)
        guard inside + count <= Self.pageSize else { return Self.shortRead }
        let isWhole = count == Self.pageSize
        let code = load(index + 1, into: isWhole ? target : page, isWhole: isWhole)
        if code != SQLITE_OK {
            memset(target, 0, Int(count))
        } else if !isWhole {
            target.copyMemory(from: page + Int(inside), byteCount: Int(count))
        }
        return code
    }

    private func load(_ number: Int64, into target: UnsafeMutableRawPointer, isWhole: Bool) -> Int32 {
        let code = readSealed(number)
        if code == Self.shortRead {
            var size: Int64 = 0
            // A file that ends within a page was truncated.
            guard self.size(&size) == SQLITE_OK, size <= (number - 1) * Self.pageSize else {
                return fail(number, target, isWhole)
            }
        }
        guard code == SQLITE_OK else { return code }
        if cipher.open(sealed, into: target, .page(number)) { return SQLITE_OK }
        guard readsUnwrittenPages, Self.isUnwritten(sealed) else { return fail(number, target, isWhole) }
        unwrittenPages.insert(number)
        memset(target, 0, EncryptedDatabasePage.size)
        return SQLITE_OK
    }

    private func fail(_ number: Int64, _ target: UnsafeMutableRawPointer, _ isWhole: Bool) -> Int32 {
        guard number == 1, !isWhole else { return ReadFailure.record(ReadFailure.damage(of: number, in: path)) }
        // A power failure can tear the page while the log has all of it. Before SQLite opens the log, it reads the
        // size of pages here, which is always the same.
        memset(target, 0, EncryptedDatabasePage.size)
        target.copyMemory(from: Self.firstBytes, byteCount: Self.firstBytes.count)
        return SQLITE_OK
    }

    /// The beginning of every database with this page size and these reserved bytes, in write-ahead mode.
    private static let firstBytes =
        Array("SQLite format 3\0".utf8) + [
            UInt8(EncryptedDatabasePage.size >> 8), 0, 2, 2, UInt8(EncryptedDatabasePage.reserved), 64, 32, 32,
        ]

    // MARK: Writing

    override func write(_ source: UnsafeRawPointer, _ count: Int64, at offset: Int64) -> Int32 {
        let (index, inside) = offset.quotientAndRemainder(dividingBy: Self.pageSize)
        let bytes = UnsafeRawBufferPointer(start: source, count: Int(count))
        guard inside == 0, count == Self.pageSize, index > 0 || Self.isFirstPage(bytes),
            let sealed = try? cipher.seal(bytes, .page(index + 1))
        else { return Self.writeFailed }
        return sealed.withUnsafeBytes { super.write($0.baseAddress!, count, at: (index + 1) * Self.pageSize) }
    }

    /// Whether the pages of the database have this size and leave the reserved bytes free.
    private static func isFirstPage(_ bytes: UnsafeRawBufferPointer) -> Bool {
        bytes[16] == UInt8(EncryptedDatabasePage.size >> 8) && bytes[17] == 0
            && bytes[20] == UInt8(EncryptedDatabasePage.reserved)
    }

    // MARK: The rest

    override func truncate(_ size: Int64) -> Int32 {
        super.truncate(size + Self.pageSize)
    }

    override func size(_ result: UnsafeMutablePointer<Int64>?) -> Int32 {
        let code = super.size(result)
        guard code == SQLITE_OK, let result else { return code }
        result.pointee = max(0, result.pointee - Self.pageSize)
        if result.pointee >= Self.pageSize, readSealed(1) == SQLITE_OK, cipher.open(sealed, into: page, .page(1)) {
            result.pointee = max(result.pointee, Self.namedSize(page))
        }
        return code
    }

    override func control(_ operation: Int32, _ argument: UnsafeMutableRawPointer?) -> Int32 {
        switch operation {
        // Sizes would have to be changed.
        case SQLITE_FCNTL_SIZE_HINT, SQLITE_FCNTL_CHUNK_SIZE: SQLITE_NOTFOUND
        default: super.control(operation, argument)
        }
    }

    override func isSound(page number: Int64) -> Bool {
        // A page may be written at the same time.
        for _ in 0..<3 where readSealed(number) == SQLITE_OK && cipher.open(sealed, into: page, .page(number)) {
            return true
        }
        return false
    }

    override func isUnwritten(page number: Int64) -> Bool {
        readSealed(number) == SQLITE_OK && Self.isUnwritten(sealed)
    }

    override func storedPages() -> Int64 {
        max(0, super.storedPages() - 1)
    }
}

/// The log of an encrypted store: its header and the first 8 bytes of each frame stay as they are, the rest of a frame's
/// header and its page are encrypted.
final class EncryptedLog: LogFile {
    private let cipher: DatabasePageCipher
    private let frame = UnsafeMutableRawPointer.allocate(byteCount: Int(frameSize), alignment: 16)
    private let page = UnsafeMutableRawPointer.allocate(byteCount: EncryptedDatabasePage.size, alignment: 16)
    /// The header that was written last.
    private var written: (number: Int64, header: [UInt8]) = (0, [])
    /// The salts in the log's header when it was read last.
    private var salts: UInt64?
    private var counter: NonceCounter

    init(_ disk: Disk, of store: StoreFile, _ cipher: DatabasePageCipher) {
        self.cipher = cipher
        counter = NonceCounter(of: store)
        super.init(disk, of: store)
    }

    deinit {
        frame.deallocate()
        memset(page, 0, EncryptedDatabasePage.size)
        page.deallocate()
    }

    /// The frame that a byte is in, from 1, and the byte's place in it.
    private func frame(at offset: Int64) -> (number: Int64, inside: Int64) {
        let (index, inside) = (offset - Self.headerSize).quotientAndRemainder(dividingBy: Self.frameSize)
        return (index + 1, inside)
    }

    private func permute(_ header: inout [UInt8], encrypting: Bool) {
        var block = Array(header[8...])
        // It fails for other lengths only.
        try? cipher.permute(&block, encrypting: encrypting)
        header.replaceSubrange(8..., with: block)
    }

    override func frameHeader(_ number: Int64) -> [UInt8]? {
        guard var header = super.frameHeader(number) else { return nil }
        permute(&header, encrypting: false)
        return header
    }

    /// The data that is authenticated with the page of a frame.
    private func place(of number: Int64, _ header: [UInt8], salts: UInt64? = nil) -> DatabasePageCipher.Place {
        header.withUnsafeBytes { header in
            .frame(
                number, page: header.loadUnaligned(as: UInt32.self),
                salts: salts ?? header.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        }
    }

    // MARK: Reading

    override func load(_ target: UnsafeMutableRawPointer, _ count: Int64, at offset: Int64) -> Int32 {
        guard offset >= Self.headerSize else { return super.load(target, count, at: offset) }
        let (number, inside) = frame(at: offset)
        guard inside + count <= Self.frameSize else { return Self.shortRead }
        if inside + count <= Self.frameHeaderSize {
            guard let header = frameHeader(number) else {
                memset(target, 0, Int(count))
                return Self.shortRead
            }
            target.copyMemory(from: Array(header[Int(inside)..<Int(inside + count)]), byteCount: Int(count))
            return SQLITE_OK
        }
        let code = super.load(frame, Self.frameSize, at: Self.offset(ofFrame: number))
        guard code == SQLITE_OK else {
            memset(target, 0, Int(count))
            return code
        }
        var header = Array(UnsafeRawBufferPointer(start: frame, count: Int(Self.frameHeaderSize)))
        permute(&header, encrypting: false)
        if !open(number, header) {
            // SQLite reads whole frames to find the end of a log that a killed program has left, where a frame can be
            // torn. Its checksums don't fit these bytes.
            guard inside == 0 else {
                return ReadFailure.record("Frame \(number) of the log \(path) isn’t what was written.")
            }
            memset(page, 0, EncryptedDatabasePage.size)
        }
        frame.copyMemory(from: header, byteCount: header.count)
        (frame + header.count).copyMemory(from: page, byteCount: EncryptedDatabasePage.size)
        target.copyMemory(from: frame + Int(inside), byteCount: Int(count))
        return SQLITE_OK
    }

    /// Decrypts the page of the frame that was read. The salts are those in the header of the log, which another program
    /// may have restarted since it was read.
    private func open(_ number: Int64, _ header: [UInt8]) -> Bool {
        let sealed = frame + Int(Self.frameHeaderSize)
        if let salts, cipher.open(sealed, into: page, place(of: number, header, salts: salts)) { return true }
        let known = salts
        salts = bytes(Self.headerSize, at: 0).map { LogHeader($0).salts }
        guard let salts, salts != known else { return false }
        return cipher.open(sealed, into: page, place(of: number, header, salts: salts))
    }

    // MARK: Writing

    override func put(_ source: UnsafeRawPointer, _ count: Int64, at offset: Int64) -> Int32 {
        guard offset >= Self.headerSize else {
            guard offset == 0, count == Self.headerSize else { return Self.writeFailed }
            return super.put(source, count, at: offset)
        }
        let (number, inside) = frame(at: offset)
        switch (inside, count) {
        case (0, Self.frameHeaderSize):
            var header = Array(UnsafeRawBufferPointer(start: source, count: Int(count)))
            written = (number, header)
            permute(&header, encrypting: true)
            return super.put(header, count, at: offset)
        case (Self.frameHeaderSize, Self.pageSize):
            let counted = counter.count()
            guard counted == SQLITE_OK else { return counted }
            // A page that a transaction writes once more gets no new header.
            guard let header = written.number == number ? written.header : frameHeader(number),
                let sealed = try? cipher.seal(
                    UnsafeRawBufferPointer(start: source, count: Int(count)), place(of: number, header))
            else { return Self.writeFailed }
            return sealed.withUnsafeBytes { super.put($0.baseAddress!, count, at: offset) }
        default: return Self.writeFailed
        }
    }
}
