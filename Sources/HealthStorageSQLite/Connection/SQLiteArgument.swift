import Foundation
import GRDBSQLite
import HealthModel
import HealthStorage

/// A value that can be an argument of a statement. An optional one is NULL if there is none.
protocol SQLiteArgument {
    func bind(to statement: PreparedStatement, at index: Int32) throws
}

extension Int64: SQLiteArgument {
    func bind(to statement: PreparedStatement, at index: Int32) throws {
        try statement.check(sqlite3_bind_int64(statement.handle, index, self))
    }
}

extension Double: SQLiteArgument {
    func bind(to statement: PreparedStatement, at index: Int32) throws {
        try statement.check(sqlite3_bind_double(statement.handle, index, self))
    }
}

extension String: SQLiteArgument {
    func bind(to statement: PreparedStatement, at index: Int32) throws {
        let handle = statement.handle
        var value = self
        try value.withUTF8 { text in
            guard let start = text.baseAddress, !text.isEmpty else {
                // SQLite would take a null pointer for NULL.
                return try statement.check(sqlite3_bind_text(handle, index, "", 0, PreparedStatement.transient))
            }
            try start.withMemoryRebound(to: CChar.self, capacity: text.count) {
                try statement.check(
                    sqlite3_bind_text64(
                        handle, index, $0, UInt64(text.count), PreparedStatement.transient, UInt8(SQLITE_UTF8)))
            }
        }
    }
}

extension UUID: SQLiteArgument {
    func bind(to statement: PreparedStatement, at index: Int32) throws {
        try withUnsafeBytes(of: uuid) { bytes in
            try statement.check(
                sqlite3_bind_blob64(statement.handle, index, bytes.baseAddress, 16, PreparedStatement.transient))
        }
    }
}

extension Optional: SQLiteArgument where Wrapped: SQLiteArgument {
    func bind(to statement: PreparedStatement, at index: Int32) throws {
        guard let value = self else { return try statement.check(sqlite3_bind_null(statement.handle, index)) }
        try value.bind(to: statement, at: index)
    }
}

extension TypeCode: SQLiteArgument {
    func bind(to statement: PreparedStatement, at index: Int32) throws {
        try Int64(rawValue).bind(to: statement, at: index)
    }
}

extension DictionaryValue: SQLiteArgument {
    func bind(to statement: PreparedStatement, at index: Int32) throws {
        switch self {
        case .number(let number): try number.bind(to: statement, at: index)
        case .text(let text): try text.bind(to: statement, at: index)
        }
    }
}

extension PageKey {
    /// The key as three arguments.
    var arguments: [any SQLiteArgument] { [type, firstStart, firstSequence] }
}

extension StoredSync.Key {
    /// The key as three arguments.
    var arguments: [any SQLiteArgument] { [source, type, identifier] }
}
