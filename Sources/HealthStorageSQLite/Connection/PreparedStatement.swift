import GRDB
import GRDBSQLite
import HealthStorage

/// A prepared statement: bind, step, read columns. Values are passed directly to and from SQLite, so that the bytes
/// of pages are not copied.
///
/// Use `Database.run(_:_:_:)`, which also resets the statement.
struct PreparedStatement: DatabaseRow {
    let handle: OpaquePointer

    // MARK: Binding (indexes start at 1)

    func bind(_ arguments: [any SQLiteArgument], from first: Int32 = 1) throws {
        for (index, argument) in zip(first..., arguments) { try argument.bind(to: self, at: index) }
    }

    /// The bytes must remain valid until the statement has been stepped.
    func bind(bytes: UnsafeRawBufferPointer, at index: Int32) throws {
        guard let start = bytes.baseAddress, !bytes.isEmpty else {
            return try check(sqlite3_bind_zeroblob(handle, index, 0))
        }
        try check(sqlite3_bind_blob64(handle, index, start, UInt64(bytes.count), nil))
    }

    // MARK: Stepping

    /// Advances to the next row and returns whether there is one.
    func step() throws -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default: throw failure()
        }
    }

    /// Executes a statement that returns no rows.
    func execute() throws {
        while try step() {}
    }

    // MARK: Columns (indexes start at 0)

    func isNull(_ column: Int32) -> Bool {
        sqlite3_column_type(handle, column) == SQLITE_NULL
    }

    func integer(_ column: Int32) -> Int64 {
        sqlite3_column_int64(handle, column)
    }

    func real(_ column: Int32) -> Double {
        sqlite3_column_double(handle, column)
    }

    func text(_ column: Int32) -> String {
        guard let text = sqlite3_column_text(handle, column) else { return "" }
        let count = Int(sqlite3_column_bytes(handle, column))
        return String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
    }

    /// Bytes owned by SQLite, which are valid until the next step or reset.
    func bytes(_ column: Int32) -> UnsafeRawBufferPointer {
        let start = sqlite3_column_blob(handle, column)
        return UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_column_bytes(handle, column)))
    }

    // MARK: Errors

    func check(_ code: Int32) throws {
        guard code == SQLITE_OK else { throw failure() }
    }

    private func failure() -> StorageError {
        StorageError(ofConnection: sqlite3_db_handle(handle))
    }

    /// Instructs SQLite to copy bound bytes immediately.
    static var transient: sqlite3_destructor_type {
        unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    }
}

extension Database {
    /// Executes a statement that returns no rows.
    func execute(_ sql: String, _ arguments: [any SQLiteArgument] = []) throws {
        try run(sql, arguments) { try $0.execute() }
    }

    /// Returns the value that `read` returns for the first row; `nil` if there is none.
    func first<Value>(
        _ sql: String, _ arguments: [any SQLiteArgument] = [], _ read: (PreparedStatement) throws -> Value?
    ) throws -> Value? {
        try run(sql, arguments) { try $0.step() ? read($0) : nil }
    }

    /// Returns the values that `read` returns for the rows.
    func all<Value>(
        _ sql: String, _ arguments: [any SQLiteArgument] = [], _ read: (PreparedStatement) throws -> Value
    ) throws -> [Value] {
        var values: [Value] = []
        try visit(sql, arguments) { statement in
            values.append(try read(statement))
            return true
        }
        return values
    }

    /// Visits rows until `visit` returns `false`.
    func visit(
        _ sql: String, _ arguments: [any SQLiteArgument] = [], _ visit: (PreparedStatement) throws -> Bool
    ) throws {
        try run(sql, arguments) { statement in
            while try statement.step(), try visit(statement) {}
        }
    }

    /// Calls `body` with a prepared statement, which is reset when it returns. It is taken from the connection's cache
    /// unless it is in use there by an outer visit.
    func run<Value>(
        _ sql: String, _ arguments: [any SQLiteArgument] = [], _ body: (PreparedStatement) throws -> Value
    ) throws -> Value {
        var statement = try cachedStatement(sql: sql)
        if sqlite3_stmt_busy(statement.sqliteStatement) != 0 {
            statement = try makeStatement(sql: sql)
        }
        return try statement.run {
            try $0.bind(arguments)
            return try body($0)
        }
    }
}

extension Statement {
    /// Calls `body` with the statement, which is reset when it returns.
    fileprivate func run<Value>(_ body: (PreparedStatement) throws -> Value) throws -> Value {
        let handle = sqliteStatement
        // The statement object must outlive its handle.
        return try withExtendedLifetime(self) {
            defer {
                sqlite3_reset(handle)
                sqlite3_clear_bindings(handle)
            }
            return try body(PreparedStatement(handle: handle))
        }
    }
}

/// The statements that every small write runs, prepared once for the writing connection.
///
/// Finding a statement in the connection's own cache, with its checks, takes a save about as long as running it.
// Unchecked: it is used on the writing connection's queue only, which runs one block at a time.
final class WriterStatements: @unchecked Sendable {
    enum Kind: Int, CaseIterable {
        case begin, commit, dataVersion, putIdentity, updatePage

        var sql: String {
            switch self {
            case .begin: "BEGIN IMMEDIATE TRANSACTION"
            case .commit: "COMMIT TRANSACTION"
            case .dataVersion: "PRAGMA data_version"
            case .putIdentity: "INSERT INTO identity (uuid, type, sequence) VALUES (?, ?, ?)"
            case .updatePage: SQLitePageRow.updateInPlace
            }
        }
    }

    private var prepared = [Statement?](repeating: nil, count: Kind.allCases.count)

    /// Calls `body` with a statement, which must not be running already.
    func run<Value>(
        _ kind: Kind, in database: Database, _ body: (PreparedStatement) throws -> Value
    ) throws -> Value {
        let statement = try prepared[kind.rawValue] ?? database.makeStatement(sql: kind.sql)
        prepared[kind.rawValue] = statement
        return try statement.run(body)
    }

    /// Releases the statements, without which the connection can't be closed.
    func removeAll() {
        for index in prepared.indices { prepared[index] = nil }
    }
}

extension Database {
    /// Whether the file isn't at its path any more.
    var isMoved: Bool {
        var isMoved: Int32 = 0
        // There is none once another thread has closed it.
        guard let connection = sqliteConnection else { return false }
        sqlite3_file_control(connection, "main", SQLITE_FCNTL_HAS_MOVED, &isMoved)
        return isMoved != 0
    }

    /// A number that changes if and only if another connection commits.
    func dataVersion() throws -> Int64 {
        try run("PRAGMA data_version") { try $0.step() ? $0.integer(0) : 0 }
    }

    /// Calls `body` in a transaction for reading, which sees one state of the file.
    ///
    /// GRDB's own method prepares both statements every time, a significant part of the cost of a small read.
    func inSnapshot<Value>(_ body: () throws -> Value) throws -> Value {
        try execute("BEGIN DEFERRED TRANSACTION")
        do {
            let value = try body()
            try execute("COMMIT TRANSACTION")
            return value
        } catch {
            if sqlite3_get_autocommit(sqliteConnection) == 0 { try? rollback() }
            throw error
        }
    }

    /// Calls `body` in an immediate transaction, which is committed when `body` returns and rolled back if it throws.
    ///
    /// GRDB's own method prepares both statements every time, a significant part of the cost of a small write.
    ///
    /// - Parameter milliseconds: The time to wait for the transaction of another connection.
    func transact<Value>(
        _ statements: WriterStatements, waiting milliseconds: Int32, _ body: () throws -> Value
    ) throws -> Value {
        let connection = sqliteConnection
        wait(milliseconds)
        try statements.run(.begin, in: self) { try $0.execute() }
        do {
            let value = try body()
            guard sqlite3_get_autocommit(connection) == 0 else {
                // SQLite does this itself, for example when the disk is full.
                throw StorageError(.inputOutput, "SQLite has rolled back the transaction.")
            }
            try statements.run(.commit, in: self) { try $0.execute() }
            return value
        } catch {
            // The original error is more useful to the caller than one of the rollback.
            if sqlite3_get_autocommit(connection) == 0 { try? rollback() }
            throw error
        }
    }

    /// Makes the connection wait for another one from here on, for some time whenever it has to, with a try every few
    /// milliseconds.
    ///
    /// SQLite's own handler soon sleeps 100 ms between two tries. Beside connections that write without a pause, it can
    /// miss each moment in which the file is free until its time is over.
    private func wait(_ milliseconds: Int32) {
        sqlite3_busy_handler(
            sqliteConnection,
            { limit, tries in
                // The time is that of the pauses, as in SQLite's handler.
                guard Int(tries) * 5 < Int(bitPattern: limit) else { return 0 }
                sqlite3_sleep(min(tries + 1, 5))
                return 1
            }, UnsafeMutableRawPointer(bitPattern: Int(milliseconds)))
    }
}
