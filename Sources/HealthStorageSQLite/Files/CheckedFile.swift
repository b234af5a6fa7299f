import Foundation
import GRDBSQLite
import HealthModel

/// The file of a store that isn't encrypted: each page gets a checksum when it is written, and is checked when it is
/// read.
///
/// The checksum is in the last 8 bytes of a page, which SQLite leaves free. SQLite itself sees a mark there instead,
/// and so does the log. A page with the mark in the file was moved there from the log by a program without this access,
/// and is read as it is. A page that is new in a commit has zeros in the log instead. Such a commit also writes the
/// first page, because it takes a free page or makes the file longer: a foreign program that moves the whole log moves
/// the first page with them. As long as the first page in the file has its checksum, and that says that all pages have
/// one, a page with zeros is damaged, unless the log has the same page: a foreign program that moves a part of the log
/// may leave the first page there.
final class CheckedFile: StoreFile {
    /// What happens to a page that isn't what was written.
    enum Check {
        /// SQLite gets an error.
        case strict
        /// SQLite gets the page with the bit put right that was flipped, or an error if it was more than one.
        case correcting
        /// SQLite gets the page with the bit put right that was flipped, or as it is.
        case lenient
    }

    /// Whether the file at `path` is a store whose pages have checksums.
    static func isChecked(_ path: String) -> Bool {
        guard Foundation.access(path, R_OK) == 0, let head = try? SystemFile.head(of: path, count: 72) else {
            return false
        }
        return head.starts(with: "SQLite format 3\0".utf8)
            && head.suffix(4).elementsEqual(withUnsafeBytes(of: SQLiteFile.applicationID.bigEndian, Array.init))
    }

    /// How the files of such a store are opened: a log or a journal has no checksums of ours.
    static func access(_ kind: StoreFileSystem.Kind, _ check: Check) -> StoreFileSystem.Access {
        switch kind {
        case .file: .file { CheckedFile($0, $1, check, path: $2) }
        case .log: .file { CheckedLog($0, $1, path: $2) }
        case .journal: .system
        }
    }

    /// Opens the file at `path` with checksums, whatever is in it, until the result is released.
    static func register(_ path: String, _ check: Check = .strict) throws -> StoreFileSystem.Registration {
        try StoreFileSystem.Registration(path) { access($0, check) }
    }

    /// The bytes at the end of a page that SQLite leaves free.
    static let reserved = 8
    fileprivate static let used = Int(pageSize) - reserved
    /// What SQLite sees there in a page that has a checksum in the file, or had one.
    fileprivate static let mark: UInt64 = 0x6B72_616D_2D6B_686F

    private let check: Check
    /// The flipped bits of pages that were read, by page; `nil` for pages with more damage.
    private var corrections: [Int64: Int?] = [:]
    private let page = UnsafeMutableRawPointer.allocate(byteCount: Int(StoreFile.pageSize), alignment: 16)
    /// The first part of the log's index, while SQLite has it.
    private var index: UnsafeRawPointer?
    /// The frames of the log whose pages have got their checksums, and the log's salts then.
    private var sealed: (salts: UInt64, frames: Int) = (0, 0)

    init(_ file: UnsafeMutablePointer<sqlite3_file>, _ methods: sqlite3_io_methods, _ check: Check, path: String) {
        self.check = check
        super.init(file, methods, path: path)
    }

    deinit {
        page.deallocate()
    }

    // MARK: Checksums

    /// The bytes that are hashed together. A sum of hashes finds a flipped bit again by hashing its block only.
    private static let blockSize = 512

    /// The counters of the first page that any SQLite program changes in a copy that it makes: of changes, of the
    /// schema's changes, and the program's version. They aren't hashed, so that the copy is sound; none of them changes
    /// an answer.
    private static let counters: [(start: Int, count: Int)] = [(24, 4), (40, 4), (92, 8)]

    private static func hash(_ page: UnsafeRawPointer, block: Int, number: Int64) -> UInt64 {
        let start = block * blockSize
        let bytes = UnsafeRawBufferPointer(start: page + start, count: min(blockSize, used - start))
        // An odd factor for each place, so that blocks can't change places.
        let factor = UInt64(2 * block + 1)
        guard number == 1, block == 0 else { return Checksum.of(bytes) &* factor }
        return withUnsafeTemporaryAllocation(byteCount: blockSize, alignment: 8) { copy in
            copy.copyMemory(from: bytes)
            for counter in counters { memset(copy.baseAddress! + counter.start, 0, counter.count) }
            return Checksum.of(UnsafeRawBufferPointer(copy)) &* factor
        }
    }

    /// The checksum of a page at its place in the file. It is never 0 or the mark, which mean none.
    private static func checksum(_ page: UnsafeRawPointer, number: Int64) -> UInt64 {
        var sum = UInt64(bitPattern: number) &* 0x9E37_79B1_85EB_CA87
        for block in 0..<Int(pageSize) / blockSize { sum &+= hash(page, block: block, number: number) }
        return sum == 0 || sum == mark ? sum + 1 : sum
    }

    /// Whether a page has no checksum, because a foreign program has moved it to the file.
    private static func isMoved(_ stored: UInt64) -> Bool { stored == 0 || stored == mark }

    private static func stored(in page: UnsafeRawPointer) -> UInt64 {
        UInt64(littleEndian: page.loadUnaligned(fromByteOffset: used, as: UInt64.self))
    }

    /// What the checksum of the first page is combined with if all pages have one.
    private static let completeMark: UInt64 = 0x6F70_656E_2D68_6B21

    /// Whether the first page says that all pages have checksums.
    private static func isComplete(_ first: UnsafeRawPointer) -> Bool {
        let stored = stored(in: first)
        return !isMoved(stored) && stored == checksum(first, number: 1) ^ completeMark
    }

    /// Whether the first page says that pages can be without checksums: it has none itself, or one that doesn't tell.
    private static func isIncomplete(_ first: UnsafeRawPointer) -> Bool {
        let stored = stored(in: first)
        return isMovedFirst(first) || stored == checksum(first, number: 1)
    }

    /// Whether a foreign program has moved the first page to the file. It ends with rows of the schema: zeros before
    /// the checksum were a sector.
    private static func isMovedFirst(_ first: UnsafeRawPointer) -> Bool {
        let stored = stored(in: first)
        return stored == mark
            || stored == 0
                && UnsafeRawBufferPointer(start: first + used - blockSize + reserved, count: blockSize - reserved)
                    .contains { $0 != 0 }
    }

    private func isSound(_ page: UnsafeRawPointer, number: Int64) -> Bool {
        if number == 1 { return Self.isComplete(page) || Self.isIncomplete(page) }
        let stored = Self.stored(in: page)
        return stored == Self.checksum(page, number: number) || stored == Self.mark
            || stored == 0 && (Self.isOfLocks(number) || !isComplete || isInLog(page, number: number))
    }

    /// Whether all pages on the disk have checksums, by the first page there.
    private var isComplete: Bool {
        withUnsafeTemporaryAllocation(byteCount: Int(Self.pageSize), alignment: 16) { first in
            super.read(first.baseAddress!, Self.pageSize, at: 0) == SQLITE_OK && Self.isComplete(first.baseAddress!)
        }
    }

    /// Flips the one bit back that makes a page what was written. Returns `false` if there is none.
    private func correct(_ page: UnsafeMutableRawPointer, number: Int64) -> Bool {
        let stored = Self.stored(in: page)
        let sums = number == 1 ? [stored, stored ^ Self.completeMark] : [stored]
        let found =
            corrections[number] ?? sums.lazy.compactMap { Self.flippedBit(of: page, number: number, stored: $0) }.first
        corrections[number] = .some(found)
        guard let found else { return false }
        page.assumingMemoryBound(to: UInt8.self)[found / 8] ^= 1 << UInt8(found % 8)
        return true
    }

    /// The place of the only bit that can have been flipped.
    private static func flippedBit(of page: UnsafeMutableRawPointer, number: Int64, stored: UInt64) -> Int? {
        let sum = checksum(page, number: number)
        let difference = stored ^ sum
        // The bit is one of the checksum.
        if difference.nonzeroBitCount == 1 { return used * 8 + difference.trailingZeroBitCount }
        let bytes = page.assumingMemoryBound(to: UInt8.self)
        for block in 0..<Int(pageSize) / blockSize {
            let others = sum &- hash(page, block: block, number: number)
            for place in block * blockSize..<min(used, (block + 1) * blockSize) {
                for bit in 0..<8 {
                    bytes[place] ^= 1 << UInt8(bit)
                    let isFound = others &+ hash(page, block: block, number: number) == stored
                    bytes[place] ^= 1 << UInt8(bit)
                    if isFound { return place * 8 + bit }
                }
            }
        }
        return nil
    }

    // MARK: Reading

    override func read(_ target: UnsafeMutableRawPointer, _ count: Int64, at offset: Int64) -> Int32 {
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

    /// Reads and checks a page.
    private func load(_ index: Int64, into target: UnsafeMutableRawPointer) -> Int32 {
        let code = super.read(target, Self.pageSize, at: index * Self.pageSize)
        if code == Self.shortRead {
            var size: Int64 = 0
            // A file that ends within a page was cut.
            guard self.size(&size) == SQLITE_OK, size <= index * Self.pageSize else { return fail(index) }
        }
        guard code == SQLITE_OK else { return code }
        if !isSound(target, number: index + 1), !(readsUnwrittenPages && Self.isUnwritten(target)) {
            let isCorrected = check != .strict && correct(target, number: index + 1)
            guard isCorrected || check == .lenient else { return fail(index) }
        }
        // A page of zeros stays one.
        if readsUnwrittenPages, Self.isUnwritten(target) {
            unwrittenPages.insert(index + 1)
        } else {
            target.storeBytes(of: Self.mark.littleEndian, toByteOffset: Self.used, as: UInt64.self)
        }
        return SQLITE_OK
    }

    private func fail(_ index: Int64) -> Int32 {
        PageDamage.note(PageDamage(path: path, page: index + 1, isInLog: false))
        return Self.damaged
    }

    // MARK: Writing

    override func write(_ source: UnsafeRawPointer, _ count: Int64, at offset: Int64) -> Int32 {
        let (index, inside) = offset.quotientAndRemainder(dividingBy: Self.pageSize)
        guard inside == 0, count == Self.pageSize else { return Self.writeFailed }
        page.copyMemory(from: source, byteCount: Self.used)
        let sum = Self.checksum(page, number: index + 1)
        page.storeBytes(
            of: (index == 0 && becomesComplete ? sum ^ Self.completeMark : sum).littleEndian, toByteOffset: Self.used,
            as: UInt64.self)
        return super.write(page, count, at: offset)
    }

    /// Whether all pages have checksums when the first one is written: they had before, or the first one is new. One
    /// that is torn tells nothing else.
    private var becomesComplete: Bool {
        withUnsafeTemporaryAllocation(byteCount: Int(Self.pageSize), alignment: 16) { first in
            let code = super.read(first.baseAddress!, Self.pageSize, at: 0)
            return code == Self.shortRead
                || code == SQLITE_OK && (Self.isUnwritten(first.baseAddress!) || !Self.isIncomplete(first.baseAddress!))
        }
    }

    override func size(_ result: UnsafeMutablePointer<Int64>?) -> Int32 {
        let code = super.size(result)
        guard code == SQLITE_OK, let result, result.pointee >= Self.pageSize,
            super.read(page, Self.pageSize, at: 0) == SQLITE_OK, isSound(page, number: 1)
        else { return code }
        result.pointee = max(result.pointee, Self.namedSize(page))
        return code
    }

    override func control(_ operation: Int32, _ argument: UnsafeMutableRawPointer?) -> Int32 {
        if operation == SQLITE_FCNTL_CKPT_START { sealMovedPages() }
        // A memory-mapped file would be read without this access.
        return operation == SQLITE_FCNTL_MMAP_SIZE ? SQLITE_NOTFOUND : super.control(operation, argument)
    }

    override func isSound(page number: Int64) -> Bool {
        // A page may be written at the same time.
        for _ in 0..<3 {
            let code = super.read(page, Self.pageSize, at: (number - 1) * Self.pageSize)
            if code == SQLITE_OK, isSound(page, number: number) { return true }
        }
        return false
    }

    override func isUnwritten(page number: Int64) -> Bool {
        super.read(page, Self.pageSize, at: (number - 1) * Self.pageSize) == SQLITE_OK && Self.isUnwritten(page)
    }

    // MARK: The log

    override func mapIndex(
        _ part: Int32, _ size: Int32, _ extend: Int32, _ result: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
    ) -> Int32 {
        let code = super.mapIndex(part, size, extend, result)
        if part == 0, code == SQLITE_OK, let start = result?.pointee { index = UnsafeRawPointer(start) }
        return code
    }

    override func unmapIndex(_ delete: Int32) -> Int32 {
        index = nil
        return super.unmapIndex(delete)
    }

    /// Whether the log has this page with these bytes.
    private func isInLog(_ page: UnsafeRawPointer, number: Int64) -> Bool {
        var isFound = false
        CheckedLog.visitNewPages(of: path, frames: 0..<Int(UInt32.max)) { found, bytes in
            isFound = found == number && memcmp(bytes, page, Int(Self.pageSize)) == 0
            return !isFound
        }
        return isFound
    }

    /// Gives new pages checksums that a foreign program has moved to the file, before the rest of the log gets there:
    /// the first page may be in that, and SQLite moves no page twice.
    private func sealMovedPages() {
        // nBackfill of SQLite's WAL-index format: the frames that are in the file.
        guard let index, case let moved = Int(index.load(fromByteOffset: 96, as: UInt32.self)), moved > 0 else {
            return
        }
        // aSalt of the index's header.
        let salts = index.load(fromByteOffset: 32, as: UInt64.self)
        let first = salts == sealed.salts && sealed.frames <= moved ? sealed.frames : 0
        defer { sealed = (salts, moved) }
        CheckedLog.visitNewPages(of: path, frames: first..<moved) { number, bytes in
            let place = (number - 1) * Self.pageSize
            if number > 1, super.read(page, Self.pageSize, at: place) == SQLITE_OK,
                memcmp(bytes, page, Int(Self.pageSize)) == 0
            {
                page.storeBytes(
                    of: Self.checksum(page, number: number).littleEndian, toByteOffset: Self.used, as: UInt64.self)
                _ = super.write(page, Self.pageSize, at: place)
            }
            return true
        }
    }

    // MARK: Completing

    /// Gives the pages checksums that another program has moved from the log to the file, so that a page without one is
    /// damage again. Does nothing if a program has the store open, or there is a log.
    static func complete(_ path: String, hasLog: () -> Bool) throws {
        guard isChecked(path), !hasLog() else { return }
        let size = Int(pageSize)
        func isComplete(_ page: [UInt8]) -> Bool {
            page.count == size && page.withUnsafeBytes { Self.isComplete($0.baseAddress!) }
        }
        guard try !isComplete(SystemFile.head(of: path, count: size)),
            let file = try? SystemFile(path, isWritten: true),
            (try? file.lockExclusively()) != nil, !hasLog()
        else { return }
        // The first page comes last: it tells that all others have theirs.
        for number in (1...max(1, try file.size / size)).reversed() {
            var page = try file.read(count: size, at: (number - 1) * size)
            guard page.count == size else { return }
            let (stored, sum) = page.withUnsafeBytes {
                (Self.stored(in: $0.baseAddress!), checksum($0.baseAddress!, number: Int64(number)))
            }
            if number == 1 {
                // A damaged first page stays as it is.
                guard page.withUnsafeBytes({ isIncomplete($0.baseAddress!) }) else { return }
                try file.synchronize()
            } else if !isMoved(stored) || isOfLocks(Int64(number)) {
                continue
            }
            let written = number == 1 ? sum ^ completeMark : sum
            withUnsafeBytes(of: written.littleEndian) { page.replaceSubrange(used..., with: $0) }
            try file.write(page, at: (number - 1) * size, isSynchronized: number == 1)
        }
    }
}

/// The log of such a store. A page that is new in a commit is in it with zeros instead of the mark; whoever changes
/// that page next writes it with the mark.
final class CheckedLog: StoreFile {
    private static let (logHeader, frameHeader) = (LogInspection.headerSize, LogInspection.frameHeaderSize)

    /// Whether a part of the log ends with a page.
    private static func endsWithPage(_ count: Int64, at offset: Int64) -> Bool {
        let end = offset + count - logHeader
        return count >= CheckedFile.reserved && end > 0 && end % (frameHeader + pageSize) == 0
    }

    /// Calls `body` with the number and the bytes of each new page in some frames of the log, until it returns `false`.
    /// SQLite needn't have the log open, and has no locks on it that closing it would release.
    static func visitNewPages(of path: String, frames: Range<Int>, _ body: (Int64, UnsafeRawPointer) -> Bool) {
        guard let log = FileHandle(forReadingAtPath: path + "-wal") else { return }
        defer { try? log.close() }
        let frame = Int(frameHeader + pageSize)
        withUnsafeTemporaryAllocation(byteCount: frame, alignment: 8) { bytes in
            for number in frames {
                guard
                    pread(log.fileDescriptor, bytes.baseAddress, frame, off_t(Int(logHeader) + number * frame)) == frame
                else { return }
                let page = UnsafeRawPointer(bytes.baseAddress! + Int(frameHeader))
                guard page.loadUnaligned(fromByteOffset: Int(pageSize) - CheckedFile.reserved, as: UInt64.self) == 0
                else { continue }
                if !body(Int64(UInt32(bigEndian: bytes.load(as: UInt32.self))), page) { return }
            }
        }
    }

    private static func markNewPage(_ bytes: UnsafeMutableRawPointer, _ count: Int64) {
        let place = bytes + Int(count) - CheckedFile.reserved
        if place.loadUnaligned(as: UInt64.self) == 0 {
            place.storeBytes(of: CheckedFile.mark.littleEndian, as: UInt64.self)
        }
    }

    override func read(_ target: UnsafeMutableRawPointer, _ count: Int64, at offset: Int64) -> Int32 {
        let found = inspectLog(count, at: offset, cipher: nil)
        guard found == SQLITE_OK else { return found }
        let code = super.read(target, count, at: offset)
        // What begins with the header of a frame is read to check the log's own checksums.
        if code == SQLITE_OK, count == Self.pageSize, Self.endsWithPage(count, at: offset) {
            Self.markNewPage(target, count)
        }
        return code
    }

    override func write(_ source: UnsafeRawPointer, _ count: Int64, at offset: Int64) -> Int32 {
        let code = super.write(source, count, at: offset)
        // The bytes are those of SQLite's page in memory, which leaves these free. The log's own checksum was made
        // before.
        if code == SQLITE_OK, Self.endsWithPage(count, at: offset) {
            Self.markNewPage(UnsafeMutableRawPointer(mutating: source), count)
        }
        return code
    }
}
