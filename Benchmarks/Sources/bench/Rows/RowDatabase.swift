import CSQLite

/// One connection to the database our store is compared with: write-ahead log, every commit durable, as ours.
final class RowDatabase {
    let handle: OpaquePointer

    /// - Parameter path: a file, made when it is not there.
    init(path: String) throws {
        var opened: OpaquePointer?
        // Without SQLite's own locks, which one thread does not need.
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
        guard sqlite3_open_v2(path, &opened, flags, nil) == SQLITE_OK, let opened else {
            throw BenchError("SQLite cannot open its file")
        }
        handle = opened
        // Somebody who has just let go of the file may still be closing it.
        sqlite3_busy_timeout(handle, 10_000)
        try run("PRAGMA journal_mode = WAL")
        try run("PRAGMA synchronous = FULL")
        // As our store has them; the default keeps less and checkpoints four times as often.
        try run("PRAGMA wal_autocheckpoint = 4096")
        // All of the table fits: warm reads never leave the process.
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

    /// How SQLite goes about a query.
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
