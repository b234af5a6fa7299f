import Foundation
import GRDBSQLite
import Synchronization

/// A file of a store as SQLite uses it: everything goes to the file on the disk. Subclasses change pages on the way.
///
/// SQLite uses a file on one thread at a time.
package class StoreFile {
    /// The kind of a file that SQLite opens.
    package enum Kind {
        case file, log, journal

        /// `nil` for temporary files.
        init?(flags: Int32) {
            if flags & SQLITE_OPEN_MAIN_DB != 0 {
                self = .file
            } else if flags & SQLITE_OPEN_WAL != 0 {
                self = .log
            } else if flags & SQLITE_OPEN_MAIN_JOURNAL != 0 {
                self = .journal
            } else {
                return nil
            }
        }
    }

    /// The file on the disk.
    package struct Disk {
        let file: UnsafeMutablePointer<sqlite3_file>
        /// The system's methods for the file, once it is open.
        var methods: UnsafePointer<sqlite3_io_methods> { file.pointee.pMethods }
        let path: String
        /// The store's file, to which a log or a journal belongs.
        let store: StoreFile?
    }

    let disk: Disk
    /// The greatest number of a frame that was moved to the file, while the log is.
    var movedFrames: Int64?

    init(_ disk: Disk) {
        self.disk = disk
    }

    /// The path of the file.
    package final var path: String { disk.path }
    /// The bytes of a page, of stores of every kind.
    package static let pageSize: Int64 = 4_096
    static let shortRead = SQLITE_IOERR | (2 << 8)
    static let writeFailed = SQLITE_IOERR | (3 << 8)

    // MARK: What SQLite calls

    package func read(_ target: UnsafeMutableRawPointer, _ count: Int64, at offset: Int64) -> Int32 {
        disk.methods.pointee.xRead!(disk.file, target, Int32(count), offset)
    }

    package func write(_ source: UnsafeRawPointer, _ count: Int64, at offset: Int64) -> Int32 {
        disk.methods.pointee.xWrite!(disk.file, source, Int32(count), offset)
    }

    func truncate(_ size: Int64) -> Int32 { disk.methods.pointee.xTruncate!(disk.file, size) }
    package func size(_ result: UnsafeMutablePointer<Int64>?) -> Int32 {
        disk.methods.pointee.xFileSize!(disk.file, result)
    }
    func sync(_ flags: Int32) -> Int32 { disk.methods.pointee.xSync!(disk.file, flags) }

    func control(_ operation: Int32, _ argument: UnsafeMutableRawPointer?) -> Int32 {
        switch operation {
        // A memory-mapped file would be read without the VFS.
        case SQLITE_FCNTL_MMAP_SIZE: return SQLITE_NOTFOUND
        case SQLITE_FCNTL_CKPT_START: movedFrames = 0
        case SQLITE_FCNTL_CKPT_DONE:
            // Before the pages are synced: the log has everything as long as they aren't.
            // Without the record, the frames are moved once more.
            if let movedFrames, movedFrames > 0 { _ = close(logOf: .frames(movedFrames)) }
            movedFrames = nil
        default: break
        }
        return disk.methods.pointee.xFileControl!(disk.file, operation, argument)
    }

    // MARK: The record of the log

    /// Where the file has the record of its log.
    class var recordOffset: Int64? { nil }

    /// The record of the log; `nil` if it isn't what was written.
    final var record: LogRecord? { readRecord().record }

    /// Reads the record, with SQLite's code.
    private func readRecord() -> (record: LogRecord?, code: Int32) {
        guard let offset = Self.recordOffset else { return (nil, SQLITE_OK) }
        var bytes = [UInt8](repeating: 0, count: LogRecord.size)
        let code = bytes.withUnsafeMutableBytes {
            disk.methods.pointee.xRead!(disk.file, $0.baseAddress, Int32($0.count), offset)
        }
        return (code == SQLITE_OK ? LogRecord(bytes) : nil, code)
    }

    final func write(_ record: LogRecord) -> Int32 {
        guard let offset = Self.recordOffset else { return SQLITE_OK }
        return record.bytes.withUnsafeBytes {
            disk.methods.pointee.xWrite!(disk.file, $0.baseAddress, Int32($0.count), offset)
        }
    }

    /// The extent of a move from the log to the file.
    enum Moved {
        case frames(Int64)
        case everything
    }

    /// Records what was moved from the log to the file. A record that is gone stays so until the file is sealed.
    ///
    /// - Returns: SQLite's code. A log that the record expects must stay.
    final func close(logOf moved: Moved) -> Int32 {
        let (found, code) = readRecord()
        guard var record = found else { return code == Self.shortRead ? SQLITE_OK : code }
        switch moved {
        case .frames(let count):
            record.movedFrames = max(record.movedFrames, UInt32(clamping: count))
            return write(record)
        case .everything:
            guard record.expectsLog else { return SQLITE_OK }
            record.expectsLog = false
            let code = write(record)
            // A power failure mustn't restore the record of a log that it doesn't restore.
            return code == SQLITE_OK ? sync(SQLITE_SYNC_NORMAL) : code
        }
    }

    // MARK: Pages

    /// Whether pages of zeros are read. SQLite never writes some of the free pages, and reads them only to copy the
    /// whole file.
    package final var readsUnwrittenPages = false
    /// The pages of zeros that were read.
    package final var unwrittenPages: Set<Int64> = []

    /// Whether a page is what was written.
    package func isSound(page number: Int64) -> Bool { true }

    /// Whether a page in the file has only zeros, as free pages do that have never been written.
    package func isUnwritten(page number: Int64) -> Bool { false }

    /// The number of whole pages that the file has, which can be less than what the first page names.
    package func storedPages() -> Int64 {
        var size: Int64 = 0
        return disk.methods.pointee.xFileSize!(disk.file, &size) == SQLITE_OK ? size / Self.pageSize : 0
    }

    static func isUnwritten(_ page: UnsafeRawPointer) -> Bool { isZero(page, Int(pageSize)) }

    static func isZero(_ bytes: UnsafeRawPointer, _ count: Int) -> Bool {
        UnsafeRawBufferPointer(start: bytes, count: count).allSatisfy { $0 == 0 }
    }

    /// SQLite's locks are in this page, which it neither reads nor writes.
    package static func isOfLocks(_ number: Int64) -> Bool { number == 0x4000_0000 / pageSize + 1 }

    /// The length of the database that a first page names; 0 if it names none. A file that is shorter was truncated:
    /// SQLite rejects it as a whole unless its missing pages are read, which is damage of these.
    static func namedSize(_ page: UnsafeRawPointer) -> Int64 {
        // The number of pages is valid if it was written with the last change.
        changes(of: page) == number(page, at: 92) ? Int64(number(page, at: 28)) * pageSize : 0
    }

    /// SQLite's file change counter in a first page.
    static func changes(of page: UnsafeRawPointer) -> UInt32 { number(page, at: 24) }

    private static func number(_ page: UnsafeRawPointer, at offset: Int) -> UInt32 {
        UInt32(bigEndian: page.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }
}

/// Why a file of a store isn't read: SQLite passes on only a code.
package enum ReadFailure {
    /// The extended code of an I/O error for bytes that aren't what was written: `SQLITE_IOERR_DATA`.
    package static let code = SQLITE_IOERR | (32 << 8)

    /// By thread, which SQLite reads on and returns the code to.
    private static let descriptions = Mutex<[UInt: String]>([:])

    private static var thread: UInt { UInt(bitPattern: pthread_self().hashValue) }

    /// Stores the description for the error that follows, and returns the code.
    static func record(_ description: String) -> Int32 {
        descriptions.withLock { $0[thread] = description }
        return code
    }

    /// Removes and returns the description of this thread's last failure.
    package static func take() -> String {
        descriptions.withLock { $0.removeValue(forKey: thread) } ?? "A page of the store isn’t what was written."
    }

    /// The description of a page that is damaged.
    package static func damage(of page: Int64, in path: String) -> String {
        "Page \(page) of \(path) isn’t what was written."
    }
}
