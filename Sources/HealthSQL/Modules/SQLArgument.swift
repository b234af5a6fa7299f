import GRDBSQLite

/// A value that SQLite hands to a function or a plan; valid during the call.
struct SQLArgument {
    let value: OpaquePointer?

    var isNull: Bool { sqlite3_value_type(value) == SQLITE_NULL }
    var isNumber: Bool {
        let type = sqlite3_value_type(value)
        return type == SQLITE_INTEGER || type == SQLITE_FLOAT
    }

    /// The number, where the value is one.
    var number: Double? { isNumber ? sqlite3_value_double(value) : nil }

    /// The whole number, where the value is one.
    var wholeNumber: Int64? {
        switch sqlite3_value_type(value) {
        case SQLITE_INTEGER: sqlite3_value_int64(value)
        case SQLITE_FLOAT: Int64(exactly: sqlite3_value_double(value))
        default: nil
        }
    }

    /// The value as text; `nil` for NULL.
    var text: String? {
        guard !isNull, let bytes = sqlite3_value_text(value) else { return nil }
        return String(
            decoding: UnsafeBufferPointer(start: bytes, count: Int(sqlite3_value_bytes(value))), as: UTF8.self)
    }
}
