import Foundation
import GRDBSQLite
import HealthFormats

/// A new database of Health Connect.
final class HealthConnectDatabase {
    /// The value of a column.
    enum Value {
        case integer(Int64)
        case real(Double)
        case text(String)
        case bytes([UInt8])
        case null

        /// A text, if there is one.
        static func optional(_ text: String?) -> Value { text.map { .text($0) } ?? .null }

        /// A number of a column, which may have whole ones only.
        static func number(_ number: Double, isWhole: Bool) -> Value {
            isWhole ? Int64(exactly: number.rounded()).map { .integer($0) } ?? .null : .real(number)
        }

        /// The number that Android writes for what a record lacks.
        static let lacking = Value.real(.leastNonzeroMagnitude)
    }

    private let path: String
    private var handle: OpaquePointer?
    /// The statements that insert a row, by table.
    private var statements: [String: OpaquePointer] = [:]

    /// Creates the file, which must not exist, with all tables.
    ///
    /// - Throws: `TargetError` if it can't be written.
    init(path: String) throws {
        self.path = path
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
        try check(sqlite3_open_v2(path, &handle, flags, nil))
        // No other program uses the file yet, and an incomplete one is discarded as a whole.
        try execute(
            """
            PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA user_version = \(HealthConnectSchema.version);
            BEGIN
            """)
        for table in HealthConnectSchema.tables { try execute(table.creation) }
    }

    deinit {
        for statement in statements.values { sqlite3_finalize(statement) }
        sqlite3_close_v2(handle)
    }

    /// Inserts a row.
    ///
    /// - Parameter columns: The same columns in every call for a table.
    /// - Returns: Its number.
    /// - Throws: `TargetError` if it can't be written.
    @discardableResult
    func insert(into table: String, _ columns: [(name: String, value: Value)]) throws -> Int64 {
        if statements[table] == nil {
            let names = columns.map(\.name).joined(separator: ", ")
            let places = columns.map { _ in "?" }.joined(separator: ", ")
            var statement: OpaquePointer?
            let text = "INSERT INTO \(table) (\(names)) VALUES (\(places))"
            try check(sqlite3_prepare_v2(handle, text, -1, &statement, nil))
            statements[table] = statement
        }
        let statement = statements[table]
        precondition(sqlite3_bind_parameter_count(statement) == columns.count, "A row of \(table) has other columns.")
        for (place, column) in columns.enumerated() { try check(bind(column.value, to: statement, Int32(place + 1))) }
        let result = sqlite3_step(statement)
        sqlite3_reset(statement)
        if result != SQLITE_DONE { try check(result) }
        return sqlite3_last_insert_rowid(handle)
    }

    private func bind(_ value: Value, to statement: OpaquePointer?, _ place: Int32) -> Int32 {
        // SQLite makes a copy.
        let copies = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        return switch value {
        case .integer(let number): sqlite3_bind_int64(statement, place, number)
        case .real(let number): sqlite3_bind_double(statement, place, number)
        case .text(let text): sqlite3_bind_text(statement, place, text, -1, copies)
        case .bytes(let bytes): sqlite3_bind_blob(statement, place, bytes, Int32(bytes.count), copies)
        case .null: sqlite3_bind_null(statement, place)
        }
    }

    /// Completes the file.
    ///
    /// - Throws: `TargetError` if it can't be written.
    func finish() throws {
        for table in HealthConnectSchema.tables { if let index = table.index { try execute(index) } }
        try execute("COMMIT")
    }

    private func execute(_ text: String) throws { try check(sqlite3_exec(handle, text, nil, nil, nil)) }

    private func check(_ result: Int32) throws {
        switch result & 0xFF {
        case SQLITE_OK: return
        case SQLITE_FULL: throw TargetError.writing(path, errno: ENOSPC)
        case SQLITE_IOERR, SQLITE_CANTOPEN, SQLITE_NOMEM:
            throw TargetError.writing(path, errno: handle == nil ? ENOMEM : sqlite3_system_errno(handle))
        default: preconditionFailure("Health Connect’s tables: \(String(cString: sqlite3_errmsg(handle)))")
        }
    }
}
