import GRDBSQLite

/// A statement ready to run, and the row it is at. Columns count from 0.
public final class SQLStatement {
    private let handle: OpaquePointer
    private let database: HealthDatabase
    /// The names of the columns of the answer; none for a statement without one.
    public let columnNames: [String]
    /// What a column was declared as, such as `REAL` or `JSON`; `nil` where it is worked out.
    public let columnKinds: [String?]

    init(_ handle: OpaquePointer, in database: HealthDatabase) {
        self.handle = handle
        self.database = database
        let count = sqlite3_column_count(handle)
        columnNames = (0..<count).map { sqlite3_column_name(handle, $0).map { String(cString: $0) } ?? "" }
        columnKinds = (0..<count).map { sqlite3_column_decltype(handle, $0).map { String(cString: $0) } }
    }

    deinit {
        sqlite3_finalize(handle)
    }

    /// Goes to the next row of the answer; false behind the last.
    ///
    /// - Throws: ``SQLError``.
    public func step() throws -> Bool {
        database.guardian.forget()
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default: throw SQLError(database.guardian.refusal ?? database.message)
        }
    }

    /// The value of a column.
    public func value(_ column: Int) -> SQLValue {
        switch sqlite3_column_type(handle, Int32(column)) {
        case SQLITE_INTEGER: .integer(integer(column))
        case SQLITE_FLOAT: .real(real(column))
        case SQLITE_TEXT: .text(text(column) ?? "")
        case SQLITE_BLOB: .blob(withBytes(column) { Array($0) })
        default: .null
        }
    }

    /// The values of the row.
    public var values: [SQLValue] { columnNames.indices.map { value($0) } }

    /// The column as a whole number; 0 where it is none.
    public func integer(_ column: Int) -> Int64 { sqlite3_column_int64(handle, Int32(column)) }

    /// The column as a number; 0 where it is none.
    public func real(_ column: Int) -> Double { sqlite3_column_double(handle, Int32(column)) }

    /// The column as text; `nil` for NULL.
    public func text(_ column: Int) -> String? {
        isNull(column) ? nil : withText(column) { String(decoding: $0, as: UTF8.self) }
    }

    /// Whether the column is NULL.
    public func isNull(_ column: Int) -> Bool { kind(column) == .null }

    /// What kind of value a column has in this row.
    enum Kind { case null, integer, real, text, blob }

    func kind(_ column: Int) -> Kind {
        switch sqlite3_column_type(handle, Int32(column)) {
        case SQLITE_INTEGER: .integer
        case SQLITE_FLOAT: .real
        case SQLITE_TEXT: .text
        case SQLITE_BLOB: .blob
        default: .null
        }
    }

    /// The column's text as UTF-8, valid during the call.
    func withText<Value>(_ column: Int, _ body: (UnsafeBufferPointer<UInt8>) throws -> Value) rethrows -> Value {
        let start = sqlite3_column_text(handle, Int32(column))
        return try body(UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, Int32(column)))))
    }

    func withBytes<Value>(_ column: Int, _ body: (UnsafeRawBufferPointer) throws -> Value) rethrows -> Value {
        let start = sqlite3_column_blob(handle, Int32(column))
        return try body(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, Int32(column)))))
    }
}
