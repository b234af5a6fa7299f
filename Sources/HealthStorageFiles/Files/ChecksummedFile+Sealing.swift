import Foundation
import GRDBSQLite
import HealthStorage

/// A file that a program without checksums has written, such as `sqlite3`: it has moved the log of a killed program to
/// the file, or changed a store that no program had open.
extension ChecksummedFile {
    /// How a store is opened that isn't encrypted. If another program has written the file, it is checked by SQLite, and
    /// all pages get checksums first.
    ///
    /// - Parameters:
    ///   - isWritable: Whether the file can be written. One that can't is checked, and its pages stay as they are.
    ///   - time: The seconds to wait for another program that has the store open.
    /// - Throws: `StorageError`: `.damaged` if SQLite finds the file damaged or its log is missing, `.busy`, `.inputOutput`.
    package static func access(to path: String, isWritable: Bool, waiting time: Double) throws -> StoreAccess {
        guard let check = try foreignCheck(path) else { return try access() }
        guard isWritable else {
            try requireMovedLog(VFSFile(path), path, check)
            try checkStructure(of: path, check)
            return try access(check)
        }
        let file = try VFSFile(path, isWritten: true)
        var waited = 0.0
        while true {
            do {
                try file.lockExclusively()
                break
            } catch let error as StorageError where error.kind == .busy && waited < time {
                waited += Double(sqlite3_sleep(5)) / 1_000
            }
            // The other program may use this package, and may have just begun a log.
            guard try foreignCheck(path) != nil else { return try access() }
        }
        if let check = try foreignCheck(path) {
            try requireMovedLog(file, path, check)
            try checkStructure(of: path, check)
            // A power failure mustn't restore the log that was moved.
            VFSFile.syncFolder(of: path)
            try seal(file, check)
        }
        return try access()
    }

    /// How pages are read that another program has written; `nil` if none has.
    ///
    /// Without a log, the counter in the first page shows that another program has changed the file: the record has the
    /// one that this package wrote. Pages without a checksum may be from the log if that is gone or empty although the
    /// file expects it, or if the record of it is gone with the first page.
    private static func foreignCheck(_ path: String) throws -> Check? {
        let bytes = try VFSFile.head(of: path, count: 100)
        let record = LogRecord(bytes.dropFirst(72).prefix(LogRecord.size))
        guard LogFile.isGone(path + "-wal", expected: record) else { return nil }
        if let record, bytes.withUnsafeBytes({ changes(of: $0.baseAddress!) }) != record.changes { return .changed }
        return record?.expectsLog != false ? .unsealed : nil
    }

    /// Throws `StorageError` `.damaged` if no program has moved the log that the file expects: all pages have checksums.
    private static func requireMovedLog(_ file: VFSFile, _ path: String, _ check: Check) throws {
        let size = Int(pageSize)
        guard check == .unsealed,
            LogFile.isLost(of: path, record: try file.read(count: LogRecord.size, at: Int(recordOffset!)))
        else { return }
        for number in 1...max(1, try file.size / size) {
            let isMoved = try file.read(count: size, at: (number - 1) * size).withUnsafeBytes {
                $0.count == size && DatabasePageChecksum.stored(in: $0.baseAddress!) == 0
                    && !isUnwritten($0.baseAddress!)
                    && !isOfLocks(Int64(number))
            }
            if isMoved { return }
        }
        throw LogFile.loss(of: path)
    }

    /// Throws `StorageError` `.damaged` if SQLite finds the file damaged.
    private static func checkStructure(of path: String, _ check: Check) throws {
        let access = try access(check)
        var (connection, statement): (OpaquePointer?, OpaquePointer?)
        defer {
            sqlite3_finalize(statement)
            sqlite3_close(connection)
        }
        // The file isn't written, and may be locked.
        let uri = access.uri(of: path, isImmutable: true)
        guard sqlite3_open_v2(uri, &connection, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, nil) == SQLITE_OK,
            sqlite3_prepare_v2(connection, "PRAGMA integrity_check(1)", -1, &statement, nil) == SQLITE_OK,
            sqlite3_step(statement) == SQLITE_ROW
        else {
            throw sqlite3_extended_errcode(connection) == ReadFailure.code
                ? StorageError(.damaged, ReadFailure.take())
                : StorageError(.damaged, "\(path) can’t be checked: \(String(cString: sqlite3_errmsg(connection))).")
        }
        let finding = String(cString: sqlite3_column_text(statement, 0))
        guard finding == "ok" else {
            throw StorageError(
                .damaged, "Another program, such as sqlite3, has written to \(path). SQLite reports: \(finding).")
        }
        withExtendedLifetime(access) {}
    }

    /// Gives all pages checksums. The first page comes last, with the record that says so.
    private static func seal(_ file: VFSFile, _ check: Check) throws {
        let size = Int(pageSize)
        var record = LogRecord.none
        for number in (1...max(1, try file.size / size)).reversed() {
            var page = try file.read(count: size, at: (number - 1) * size)
            guard page.count == size else { continue }
            let isSealed = try page.withUnsafeMutableBytes { bytes throws -> Bool in
                let page = bytes.baseAddress!
                if number == 1 { record.changes = changes(of: page) }
                guard check == .changed || DatabasePageChecksum.stored(in: page) == 0, !isUnwritten(page),
                    !isOfLocks(Int64(number))
                else { return false }
                let sum = DatabasePageChecksum.of(page, number: Int64(number))
                defer { DatabasePageChecksum.store(sum, in: page) }
                return DatabasePageChecksum.stored(in: page) != sum
            }
            if isSealed { try file.write(page, at: (number - 1) * size, isSynchronized: false) }
        }
        try file.synchronize()
        try file.write(record.bytes, at: Int(recordOffset!))
    }
}
