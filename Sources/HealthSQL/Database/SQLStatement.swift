import GRDBSQLite

/// A prepared statement and its current row. Columns are numbered from 0.
public final class SQLStatement {
    private let handle: OpaquePointer
    private let database: HealthDatabase
    /// The names of the result columns; empty for a statement without a result.
    public let columnNames: [String]
    /// The declared types of the columns, such as `REAL` or `JSON`; `nil` for expressions.
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

    /// Advances to the next row. Returns `false` after the last row.
    ///
    /// - Throws: ``SQLError``.
    public func step() throws -> Bool {
        database.authorizer.reset()
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default: throw database.bounds?.error ?? SQLError(database.authorizer.refusal ?? database.message)
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

    /// The column as an integer, or 0 if it isn't a number.
    public func integer(_ column: Int) -> Int64 { sqlite3_column_int64(handle, Int32(column)) }

    /// The column as a floating-point number, or 0 if it isn't a number.
    public func real(_ column: Int) -> Double { sqlite3_column_double(handle, Int32(column)) }

    /// The column as text; `nil` for NULL.
    public func text(_ column: Int) -> String? {
        isNull(column) ? nil : withText(column) { String(decoding: $0, as: UTF8.self) }
    }

    /// Whether the column is NULL.
    public func isNull(_ column: Int) -> Bool { kind(column) == .null }

    /// The storage class of a value.
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
