import Foundation
import GRDBSQLite

/// Why a database isn't read, worded as the end of a sentence about it.
struct HealthConnectError: Error, Hashable {
    let reason: String
}

/// A SQLite database that a program unknown to us wrote, opened to read a few tables.
final class ForeignDatabase {
    private var handle: OpaquePointer?
    /// What is wrong with tables of which only some rows, or none, could be read.
    private(set) var damages: [HealthConnectError] = []

    /// - Parameter path: The file must not change while it is open.
    init(path: String) throws {
        let name =
            "file:" + (path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? path) + "?immutable=1"
        let flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX
        guard sqlite3_open_v2(name, &handle, flags, nil) == SQLITE_OK else { throw error }
        // Nothing that the file defines, such as an expression of a column, may call functions with effects. SQLite reads
        // a file that was cut off only if its schema may be repaired.
        for setting in ["trusted_schema = 0", "cell_size_check = 1", "writable_schema = 1"] {
            guard sqlite3_exec(handle, "PRAGMA \(setting)", nil, nil, nil) == SQLITE_OK else { throw error }
        }
        sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, 1 << 24)
    }

    deinit {
        sqlite3_close_v2(handle)
    }

    private var error: HealthConnectError {
        let text = handle.flatMap { sqlite3_errmsg($0) }.map { String(cString: $0) } ?? "out of memory"
        return HealthConnectError(reason: "its database is damaged (\(text))")
    }

    /// A row of a result, valid during a call.
    struct Row {
        fileprivate let statement: OpaquePointer?

        /// A finite number; `nil` for anything else, and for the smallest one, Java's `Double.MIN_VALUE`, which Android
        /// writes for what a record lacks.
        func number(_ column: Int) -> Double? {
            switch sqlite3_column_type(statement, Int32(column)) {
            case SQLITE_INTEGER, SQLITE_FLOAT:
                let value = sqlite3_column_double(statement, Int32(column))
                return value.isFinite && value != .leastNonzeroMagnitude ? value : nil
            default: return nil
            }
        }

        func integer(_ column: Int) -> Int64? {
            sqlite3_column_type(statement, Int32(column)) == SQLITE_INTEGER
                ? sqlite3_column_int64(statement, Int32(column)) : nil
        }

        /// A text that isn't empty.
        func text(_ column: Int) -> String? {
            guard sqlite3_column_type(statement, Int32(column)) == SQLITE_TEXT,
                let bytes = sqlite3_column_text(statement, Int32(column))
            else { return nil }
            let text = String(cString: bytes)
            return text.isEmpty ? nil : text
        }
    }

    /// Calls `body` with each row of a query. If the database is damaged after some rows, that is one of ``damages``.
    ///
    /// - Parameter table: The table that is read.
    /// - Returns: Whether there were all rows.
    @discardableResult
    func rows(of table: String, _ query: String, _ body: (Row) throws -> Void) throws -> Bool {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(handle, query, -1, &statement, nil) == SQLITE_OK else { throw error }
        defer { sqlite3_finalize(statement) }
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW: try body(Row(statement: statement))
            case SQLITE_DONE: return true
            default:
                damages.append(HealthConnectError(reason: "\(error.reason) in \(table)"))
                return false
            }
        }
    }

    /// The names of the tables with those of their columns.
    func tables() throws -> [String: Set<String>] {
        var names: [String] = []
        try rows(of: "sqlite_schema", "SELECT name FROM sqlite_schema WHERE type = 'table'") { row in
            // Other names aren't those of the system.
            if let name = row.text(0), name.utf8.allSatisfy({ Self.isLetter($0) }) { names.append(name) }
        }
        var tables: [String: Set<String>] = [:]
        for name in names {
            // Also columns with an expression.
            try rows(of: name, "PRAGMA table_xinfo(\(name))") { row in
                if let column = row.text(1) { tables[name, default: []].insert(column) }
            }
        }
        return tables
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (97...122).contains(byte | 0x20) || byte == UInt8(ascii: "_") || (48...57).contains(byte)
    }
}
