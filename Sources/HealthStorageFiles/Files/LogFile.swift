import Foundation
import GRDBSQLite
import HealthStorage

/// The log of a store. The store's file records which log it has, so that an older one that was put back beside it isn't
/// taken for it.
package class LogFile: StoreFile {
    static let headerSize = Int64(LogHeader.size)
    static let frameHeaderSize: Int64 = 24
    static let frameSize = frameHeaderSize + pageSize

    private let store: StoreFile
    /// The salts of a log whose header was written and that isn't recorded yet.
    private var begun: UInt64?
    /// Whether the store's file expects the log that frames are written to.
    private var isExpected = false

    init(_ disk: Disk, of store: StoreFile) {
        self.store = store
        super.init(disk)
    }

    /// Where a frame begins.
    static func offset(ofFrame number: Int64) -> Int64 { headerSize + (number - 1) * frameSize }

    // MARK: What SQLite calls

    package override final func read(_ target: UnsafeMutableRawPointer, _ count: Int64, at offset: Int64) -> Int32 {
        if offset == 0, count == Self.headerSize {
            // SQLite begins to read a log that a killed program has left, while no other process can use the store.
            let code = check()
            guard code == SQLITE_OK else { return code }
        }
        if let moved = store.movedFrames, count == Self.pageSize {
            store.movedFrames = max(moved, (offset - Self.headerSize) / Self.frameSize + 1)
        }
        return load(target, count, at: offset)
    }

    package override final func write(_ source: UnsafeRawPointer, _ count: Int64, at offset: Int64) -> Int32 {
        if offset == 0 {
            begun = source.loadUnaligned(fromByteOffset: 16, as: UInt64.self)
        } else {
            let code = expect()
            guard code == SQLITE_OK else { return code }
        }
        return put(source, count, at: offset)
    }

    override final func sync(_ flags: Int32) -> Int32 {
        let code = super.sync(flags)
        return code == SQLITE_OK && begun != nil ? expect() : code
    }

    override final func truncate(_ size: Int64) -> Int32 {
        let code = size == 0 ? store.close(logOf: .everything) : SQLITE_OK
        guard code == SQLITE_OK else { return code }
        return super.truncate(size)
    }

    // MARK: What is on the disk

    func load(_ target: UnsafeMutableRawPointer, _ count: Int64, at offset: Int64) -> Int32 {
        super.read(target, count, at: offset)
    }

    func put(_ source: UnsafeRawPointer, _ count: Int64, at offset: Int64) -> Int32 {
        super.write(source, count, at: offset)
    }

    /// Bytes as they are on the disk; `nil` if the file is shorter.
    final func bytes(_ count: Int64, at offset: Int64) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: Int(count))
        let code = bytes.withUnsafeMutableBytes {
            disk.methods.pointee.xRead!(disk.file, $0.baseAddress, Int32(count), offset)
        }
        return code == SQLITE_OK ? bytes : nil
    }

    /// The header of a frame; `nil` if there is none.
    func frameHeader(_ number: Int64) -> [UInt8]? {
        bytes(Self.frameHeaderSize, at: Self.offset(ofFrame: number))
    }

    private func salts(ofFrame number: Int64) -> UInt64? {
        frameHeader(number)?.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self) }
    }

    // MARK: The record

    /// Records the log in the store's file before a frame is written to it: when the header of a new one is on the
    /// disk, and when everything in an older one was moved.
    private func expect() -> Int32 {
        guard begun != nil || !isExpected else { return SQLITE_OK }
        if let record = store.record {
            guard let salts = begun ?? bytes(Self.headerSize, at: 0).map({ LogHeader($0).salts }) else {
                return Self.writeFailed
            }
            var expected = LogRecord(salts: salts, changes: record.changes, expectsLog: true)
            if record.salts == salts { expected.movedFrames = record.movedFrames }
            if expected != record {
                var code = store.write(expected)
                if code == SQLITE_OK { code = store.sync(SQLITE_SYNC_NORMAL) }
                guard code == SQLITE_OK else { return code }
            }
        }
        (begun, isExpected) = (nil, true)
        return SQLITE_OK
    }

    /// Checks whether a log is the one that the store's file expects, or had last.
    private func check() -> Int32 {
        guard let record = store.record, let header = bytes(Self.headerSize, at: 0).map(LogHeader.init) else {
            return SQLITE_OK
        }
        let first = salts(ofFrame: 1)
        guard header.isSound else {
            // SQLite would take it for an empty log.
            return first == record.salts && record.expectsLog
                ? ReadFailure.record("The header of the log \(path) isn’t what was written.") : SQLITE_OK
        }
        let isRight =
            if header.salts == record.salts {
                record.movedFrames == 0 || salts(ofFrame: Int64(record.movedFrames)) == record.salts
            } else {
                // A log that has just begun has no frame, but may have those of the last one.
                first == nil || first == record.salts
            }
        guard isRight else {
            return ReadFailure.record(
                """
                \(path) isn’t the log that \(store.path) had last, but an older one or that of another store, as a \
                program leaves it that copies files. Nothing was changed. Put the right one in its place, or move it away.
                """)
        }
        // What the killed program hadn't synced is, before another commit follows it.
        return super.sync(SQLITE_SYNC_NORMAL)
    }

    /// Whether the log of a store is gone that its record expects. A program that closes the store writes the record before
    /// it removes the log, so the record must have been read after the log was found to be gone.
    static func isLost(of path: String, record bytes: [UInt8]) -> Bool {
        guard let record = LogRecord(bytes), record.expectsLog else { return false }
        return isGone(path + "-wal", expected: record)
    }

    /// The error of a store whose log is lost.
    static func loss(of path: String) -> StorageError {
        StorageError(
            .damaged,
            """
            \(path)-wal, the log of \(path), is missing, as after a program has copied or moved the file alone. It can have \
            changes that the file doesn’t have. Nothing was changed. Put it back, or restore a backup; “hk doctor --repair” \
            continues without these changes.
            """)
    }

    /// Whether the log at a path has no frame and isn't the one that the store expects.
    static func isGone(_ path: String, expected: LogRecord?) -> Bool {
        guard let file = FileHandle(forReadingAtPath: path) else { return true }
        // SQLite has no locks on a log that closing it would release.
        defer { try? file.close() }
        let bytes = [UInt8]((try? file.read(upToCount: Int(headerSize + frameHeaderSize))) ?? Data())
        guard bytes.count <= headerSize else { return false }
        return bytes.count < headerSize || LogHeader(bytes).salts != expected?.salts || expected?.movedFrames != 0
    }
}
