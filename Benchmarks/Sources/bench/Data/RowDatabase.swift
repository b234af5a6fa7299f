import CSQLite
import Foundation

/// A connection to the database that the store is compared with: like ours, with a write-ahead log and durable
/// commits.
final class RowDatabase {
    let handle: OpaquePointer

    /// Opens a database.
    ///
    /// - Parameter path: The path of the file, which is created if it doesn't exist.
    init(path: String) throws {
        var opened: OpaquePointer?
        // One thread doesn't need SQLite's mutexes.
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
        guard sqlite3_open_v2(path, &opened, flags, nil) == SQLITE_OK, let opened else {
            throw BenchError("SQLite can't open the file")
        }
        handle = opened
        // Another connection may still be closing the file.
        sqlite3_busy_timeout(handle, 10_000)
        try run("PRAGMA journal_mode = WAL")
        try run("PRAGMA synchronous = FULL")
        // The same as in our store; by default, SQLite checkpoints four times as often.
        try run("PRAGMA wal_autocheckpoint = 4096")
        // The whole table fits into the cache, so warm reads never leave the process.
        try run("PRAGMA cache_size = -131072")
    }

    deinit {
        sqlite3_close_v2(handle)
    }

    func run(_ sql: String) throws {
        guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw failure() }
    }

    func prepare(_ sql: String) throws -> RowStatement {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil) == SQLITE_OK,
            let statement
        else { throw failure() }
        return RowStatement(statement)
    }

    /// Returns SQLite's query plan.
    func plan(of sql: String) throws -> String {
        let statement = try prepare("EXPLAIN QUERY PLAN " + sql)
        var steps: [String] = []
        while try statement.step() {
            steps.append(String(cString: sqlite3_column_text(statement.handle, 3)))
        }
        return steps.joined(separator: "; ")
    }

    private func failure() -> BenchError {
        BenchError("SQLite: \(String(cString: sqlite3_errmsg(handle)))")
    }
}

/// A prepared statement, kept for reuse as an efficient program would.
final class RowStatement {
    let handle: OpaquePointer

    init(_ handle: OpaquePointer) {
        self.handle = handle
    }

    deinit {
        sqlite3_finalize(handle)
    }

    /// Advances to the next row and returns whether there is one.
    func step() throws -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw BenchError("SQLite: step returned \(code)")
        }
    }

    func reset() {
        sqlite3_reset(handle)
    }

    func bind(_ values: Int64...) {
        for (index, value) in values.enumerated() {
            sqlite3_bind_int64(handle, Int32(index + 1), value)
        }
    }

    func bind(_ uuid: UUID, at index: Int32) {
        // SQLite copies transient values.
        let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        withUnsafeBytes(of: uuid.uuid) { _ = sqlite3_bind_blob(handle, index, $0.baseAddress, 16, transient) }
    }
}
