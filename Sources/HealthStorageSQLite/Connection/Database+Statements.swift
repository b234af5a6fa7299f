import GRDB
import GRDBSQLite
import HealthStorage

extension Database {
    /// Runs `body` with a prepared statement, from the connection's cache where it is free: visits
    /// nest, and an outer visit's statement must not be taken from it.
    func run<Value>(_ sql: String, _ body: (PreparedStatement) throws -> Value) throws -> Value {
        var statement = try cachedStatement(sql: sql)
        if sqlite3_stmt_busy(statement.sqliteStatement) != 0 {
            statement = try makeStatement(sql: sql)
        }
        let handle = statement.sqliteStatement
        // The statement object must outlive the use of its handle.
        return try withExtendedLifetime(statement) {
            defer {
                sqlite3_reset(handle)
                sqlite3_clear_bindings(handle)
            }
            return try body(PreparedStatement(handle: handle))
        }
    }

    /// Changes when, and only when, another connection has committed.
    func dataVersion() throws -> Int64 {
        try run("PRAGMA data_version") { try $0.step() ? $0.integer(0) : 0 }
    }

    /// Runs `body` in a transaction that may write from its beginning: committed when `body` returns,
    /// rolled back when it throws.
    ///
    /// GRDB's own way prepares both statements anew each time, a good part of what a small write costs.
    ///
    /// - Parameter milliseconds: How long to wait for another connection's transaction to end.
    func transact<Value>(waiting milliseconds: Int32, _ body: () throws -> Value) throws -> Value {
        sqlite3_busy_timeout(sqliteConnection, milliseconds)
        try run("BEGIN IMMEDIATE TRANSACTION") { try $0.execute() }
        do {
            let value = try body()
            guard isInsideTransaction else {
                // SQLite does so by itself when, for example, the disk is full.
                throw StorageError(.inputOutput, "The transaction was rolled back meanwhile.")
            }
            try run("COMMIT TRANSACTION") { try $0.execute() }
            return value
        } catch {
            // What was thrown first is what the caller should know of.
            if isInsideTransaction { try? rollback() }
            throw error
        }
    }
}
