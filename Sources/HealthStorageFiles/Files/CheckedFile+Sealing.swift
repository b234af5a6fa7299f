import Foundation
import GRDBSQLite
import HealthStorage

/// The log of a killed program, moved to the file by a program without checksums, such as `sqlite3`.
extension CheckedFile {
    /// How a store is opened that isn't encrypted. If another program has moved its log to the file, the file is checked
    /// by SQLite, and all pages get checksums first.
    ///
    /// - Parameters:
    ///   - isWritable: Whether the file can be written. One that can't is checked, and its pages stay as they are.
    ///   - time: The seconds to wait for another program that has the store open.
    /// - Throws: `StorageError`: `.damaged` if SQLite finds the file damaged, `.busy`, `.inputOutput`.
    package static func access(to path: String, isWritable: Bool, waiting time: Double) throws -> StoreAccess {
        guard try isUnsealed(path) else { return try access() }
        guard isWritable else {
            try checkStructure(of: path)
            return try access(.unsealed)
        }
        let file = try SystemFile(path, isWritten: true)
        var waited = 0.0
        while true {
            do {
                try file.lockExclusively()
                break
            } catch let error as StorageError where error.kind == .busy && waited < time {
                waited += Double(sqlite3_sleep(5)) / 1_000
            }
            // The other program may use this package, and may have just begun a log.
            guard try isUnsealed(path) else { return try access() }
        }
        if try isUnsealed(path) {
            try checkStructure(of: path)
            // A loss of power mustn't bring the log back that was moved.
            SystemFile.syncFolder(of: path)
            try seal(file)
        }
        return try access()
    }

    /// Whether pages without a checksum may be from the log: it is gone or empty although the store's file expects it,
    /// or the record of it is gone with the first page.
    private static func isUnsealed(_ path: String) throws -> Bool {
        let bytes = try SystemFile.head(of: path, count: 100)
        let record = LogRecord(bytes.dropFirst(72).prefix(LogRecord.size))
        return record?.expectsLog != false && LogFile.isGone(path + "-wal", expected: record)
    }

    /// Throws `StorageError` `.damaged` if SQLite finds the structure of the file damaged.
    private static func checkStructure(of path: String) throws {
        let access = try access(.unsealed)
        var (connection, statement): (OpaquePointer?, OpaquePointer?)
        defer {
            sqlite3_finalize(statement)
            sqlite3_close(connection)
        }
        // The file isn't written, and may be locked.
        let uri = access.uri(of: path, isImmutable: true)
        guard sqlite3_open_v2(uri, &connection, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, nil) == SQLITE_OK,
            sqlite3_prepare_v2(connection, "PRAGMA quick_check(1)", -1, &statement, nil) == SQLITE_OK,
            sqlite3_step(statement) == SQLITE_ROW
        else {
            throw sqlite3_extended_errcode(connection) == ReadFailure.code
                ? StorageError(.damaged, ReadFailure.take())
                : StorageError(.damaged, "\(path) can’t be checked: \(String(cString: sqlite3_errmsg(connection))).")
        }
        let finding = String(cString: sqlite3_column_text(statement, 0))
        guard finding == "ok" else { throw StorageError(.damaged, "SQLite reports: \(finding).") }
        withExtendedLifetime(access) {}
    }

    /// Gives all pages checksums. The first page comes last, with the record that says so.
    private static func seal(_ file: SystemFile) throws {
        let size = Int(pageSize)
        for number in (1...max(1, try file.size / size)).reversed() {
            var page = try file.read(count: size, at: (number - 1) * size)
            guard page.count == size else { continue }
            let isSealed = try page.withUnsafeMutableBytes { bytes throws -> Bool in
                let page = bytes.baseAddress!
                guard PageChecksum.stored(in: page) == 0, !isUnwritten(page), !isOfLocks(Int64(number)) else {
                    return false
                }
                PageChecksum.store(PageChecksum.of(page, number: Int64(number)), in: page)
                return true
            }
            if isSealed { try file.write(page, at: (number - 1) * size, isSynchronized: false) }
        }
        try file.synchronize()
        try file.write(LogRecord.none.bytes, at: Int(recordOffset!))
    }
}
