import Foundation
import GRDBSQLite
import Synchronization

/// A file of a store as SQLite uses it: everything goes to the file on the disk. Subclasses change pages on the way.
///
/// SQLite uses a file on one thread at a time.
class StoreFile {
    /// The file on the disk, and SQLite's methods for it.
    let file: UnsafeMutablePointer<sqlite3_file>
    let methods: sqlite3_io_methods
    let path: String

    init(_ file: UnsafeMutablePointer<sqlite3_file>, _ methods: sqlite3_io_methods, path: String) {
        (self.file, self.methods, self.path) = (file, methods, path)
    }

    /// The bytes of a page, of stores of every kind.
    static let pageSize: Int64 = 4_096
    static let shortRead = SQLITE_IOERR | (2 << 8)
    static let writeFailed = SQLITE_IOERR | (3 << 8)
    /// The extended code of an I/O error for a page that isn't what was written: `SQLITE_IOERR_DATA`.
    static let damaged = SQLITE_IOERR | (32 << 8)

    /// The length of the database that a first page names; 0 if it names none. A file that is shorter was cut: SQLite
    /// refuses it as a whole unless its missing pages are read, which is damage of these.
    static func namedSize(_ page: UnsafeRawPointer) -> Int64 {
        func number(at offset: Int) -> UInt32 {
            UInt32(bigEndian: page.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
        }
        // The number of pages is valid if it was written with the last change.
        return number(at: 24) == number(at: 92) ? Int64(number(at: 28)) * pageSize : 0
    }

    /// Whether pages of zeros are read. SQLite never writes some of the free pages, and reads them only to copy the
    /// whole file.
    var readsUnwrittenPages = false
    /// The pages of zeros that were read.
    var unwrittenPages: Set<Int64> = []

    /// SQLite's locks are in this page, which it neither reads nor writes.
    static func isOfLocks(_ number: Int64) -> Bool { number == 0x4000_0000 / pageSize + 1 }

    /// Whether a page is what was written.
    func isSound(page number: Int64) -> Bool { true }

    /// Whether a page in the file has only zeros, as free pages do that have never been written.
    func isUnwritten(page number: Int64) -> Bool { false }

    static func isUnwritten(_ page: UnsafeRawPointer) -> Bool {
        UnsafeRawBufferPointer(start: page, count: Int(pageSize)).allSatisfy { $0 == 0 }
    }

    /// The number of whole pages that the file has, which can be less than what the first page names.
    func storedPages() -> Int64 {
        var size: Int64 = 0
        return methods.xFileSize!(file, &size) == SQLITE_OK ? size / Self.pageSize : 0
    }

    func read(_ target: UnsafeMutableRawPointer, _ count: Int64, at offset: Int64) -> Int32 {
        methods.xRead!(file, target, Int32(count), offset)
    }

    func write(_ source: UnsafeRawPointer, _ count: Int64, at offset: Int64) -> Int32 {
        methods.xWrite!(file, source, Int32(count), offset)
    }

    /// Searches a log for damage when SQLite begins to read one that a killed program has left, which it does with the
    /// header, before it writes anything and while nobody else can.
    func inspectLog(_ count: Int64, at offset: Int64, cipher: @autoclosure () -> LogCipher?) -> Int32 {
        guard offset == 0, count == LogInspection.headerSize else { return SQLITE_OK }
        let inspection = LogInspection(
            read: { [methods, file] in methods.xRead!(file, $0, Int32($1), $2) == SQLITE_OK }, cipher: cipher())
        guard let damage = inspection.firstDamage() else {
            // What the killed program hadn't synced is, before another commit follows it.
            return methods.xSync!(file, SQLITE_SYNC_NORMAL)
        }
        PageDamage.note(PageDamage(path: path, page: damage.frame, isInLog: true))
        return Self.damaged
    }

    func truncate(_ size: Int64) -> Int32 { methods.xTruncate!(file, size) }
    func size(_ result: UnsafeMutablePointer<Int64>?) -> Int32 { methods.xFileSize!(file, result) }
    func control(_ operation: Int32, _ argument: UnsafeMutableRawPointer?) -> Int32 {
        methods.xFileControl!(file, operation, argument)
    }
    final func close() -> Int32 { methods.xClose!(file) }
    final func sync(_ flags: Int32) -> Int32 { methods.xSync!(file, flags) }
    final func lock(_ level: Int32) -> Int32 { methods.xLock!(file, level) }
    final func unlock(_ level: Int32) -> Int32 { methods.xUnlock!(file, level) }
    final func checkLock(_ result: UnsafeMutablePointer<Int32>?) -> Int32 { methods.xCheckReservedLock!(file, result) }
    final func sectorSize() -> Int32 { methods.xSectorSize!(file) }
    final func characteristics() -> Int32 { methods.xDeviceCharacteristics!(file) }
    func mapIndex(
        _ page: Int32, _ size: Int32, _ extend: Int32, _ result: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
    ) -> Int32 {
        // The imported type says that the memory is volatile.
        methods.xShmMap!(file, page, size, extend, result)
    }
    final func lockIndex(_ offset: Int32, _ count: Int32, _ flags: Int32) -> Int32 {
        methods.xShmLock!(file, offset, count, flags)
    }
    final func indexBarrier() { methods.xShmBarrier!(file) }
    func unmapIndex(_ delete: Int32) -> Int32 { methods.xShmUnmap!(file, delete) }
}

/// A page of a store that isn't what was written.
struct PageDamage: Sendable {
    var path: String
    var page: Int64
    var isInLog: Bool

    /// By thread, which SQLite reads the page on and returns its code to.
    private static let noted = Mutex<[UInt: PageDamage]>([:])

    private static var thread: UInt { UInt(bitPattern: pthread_self().hashValue) }

    /// Keeps the damage for the error that follows from it, which SQLite can't tell more about than its code.
    static func note(_ damage: PageDamage) {
        noted.withLock { $0[thread] = damage }
    }

    /// What is wrong with the page that this thread has read last.
    static var lastDescription: String {
        noted.withLock { $0.removeValue(forKey: thread)?.description } ?? "A page of the store isn’t what was written."
    }

    var description: String {
        let part = !isInLog ? "Page \(page) of" : page == 0 ? "The header of the log" : "Frame \(page) of the log"
        return "\(part) \(path) isn’t what was written."
    }
}
