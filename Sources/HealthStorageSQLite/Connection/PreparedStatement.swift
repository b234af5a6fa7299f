import Foundation
import GRDB
import GRDBSQLite
import HealthStorage

/// One prepared statement at work: bind, step, read columns. Values go straight to and from SQLite,
/// so that a page's bytes are never copied on the way.
///
/// Made by `Database.run(_:_:)`, which resets it at the end.
struct PreparedStatement {
    let handle: OpaquePointer

    // MARK: Binding; indexes count from 1

    func bind(_ value: Int64, at index: Int32) throws {
        try check(sqlite3_bind_int64(handle, index, value))
    }

    func bind(_ value: Int64?, at index: Int32) throws {
        guard let value else { return try bindNull(at: index) }
        try bind(value, at: index)
    }

    func bind(_ value: Double, at index: Int32) throws {
        try check(sqlite3_bind_double(handle, index, value))
    }

    func bind(_ value: Double?, at index: Int32) throws {
        guard let value else { return try bindNull(at: index) }
        try bind(value, at: index)
    }

    func bind(_ value: String?, at index: Int32) throws {
        guard var value else { return try bindNull(at: index) }
        try value.withUTF8 { text in
            guard let start = text.baseAddress, !text.isEmpty else {
                // Without an address SQLite would take it for NULL.
                return try check(sqlite3_bind_text(handle, index, "", 0, Self.transient))
            }
            try start.withMemoryRebound(to: CChar.self, capacity: text.count) {
                try check(sqlite3_bind_text64(
                    handle, index, $0, UInt64(text.count), Self.transient, UInt8(SQLITE_UTF8)))
            }
        }
    }

    /// The bytes must stay where they are until the statement has been stepped.
    func bind(bytes: UnsafeRawBufferPointer, at index: Int32) throws {
        guard let start = bytes.baseAddress, !bytes.isEmpty else {
            return try check(sqlite3_bind_zeroblob(handle, index, 0))
        }
        try check(sqlite3_bind_blob64(handle, index, start, UInt64(bytes.count), nil))
    }

    func bind(_ uuid: UUID?, at index: Int32) throws {
        guard let uuid else { return try bindNull(at: index) }
        try withUnsafeBytes(of: uuid.uuid) { bytes in
            try check(sqlite3_bind_blob64(handle, index, bytes.baseAddress, 16, Self.transient))
        }
    }

    private func bindNull(at index: Int32) throws {
        try check(sqlite3_bind_null(handle, index))
    }

    /// How many arguments the statement takes.
    var argumentCount: Int32 {
        sqlite3_bind_parameter_count(handle)
    }

    // MARK: Stepping

    /// Whether there is a (further) row.
    func step() throws -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default: throw failure()
        }
    }

    /// Steps a statement that has no rows.
    func execute() throws {
        while try step() {}
    }

    /// How many rows the connection's last writing statement has changed.
    var changesCount: Int32 {
        sqlite3_changes(sqlite3_db_handle(handle))
    }

    /// Lets the statement be stepped again; what is bound stays.
    func reset() {
        sqlite3_reset(handle)
    }

    // MARK: Columns; indexes count from 0

    func isNull(_ column: Int32) -> Bool {
        sqlite3_column_type(handle, column) == SQLITE_NULL
    }

    func integer(_ column: Int32) -> Int64 {
        sqlite3_column_int64(handle, column)
    }

    func real(_ column: Int32) -> Double {
        sqlite3_column_double(handle, column)
    }

    func optionalReal(_ column: Int32) -> Double? {
        isNull(column) ? nil : real(column)
    }

    func optionalText(_ column: Int32) -> String? {
        guard let text = sqlite3_column_text(handle, column) else { return nil }
        let count = Int(sqlite3_column_bytes(handle, column))
        return String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
    }

    func text(_ column: Int32) -> String {
        optionalText(column) ?? ""
    }

    /// SQLite's own bytes: valid until the next step or reset.
    func bytes(_ column: Int32) -> UnsafeRawBufferPointer {
        let start = sqlite3_column_blob(handle, column)
        return UnsafeRawBufferPointer(
            start: start, count: start == nil ? 0 : Int(sqlite3_column_bytes(handle, column)))
    }

    func uuid(_ column: Int32) throws -> UUID {
        let bytes = bytes(column)
        guard bytes.count == 16 else {
            throw StorageError(.damaged, "A stored UUID has \(bytes.count) bytes instead of 16.")
        }
        return UUID(uuid: bytes.loadUnaligned(as: uuid_t.self))
    }

    func optionalUUID(_ column: Int32) throws -> UUID? {
        isNull(column) ? nil : try uuid(column)
    }

    /// A number that must fit its type: one that does not was not written by this code.
    func number<Number: FixedWidthInteger>(_ column: Int32, as type: Number.Type = Number.self) throws -> Number {
        guard let number = Number(exactly: integer(column)) else {
            throw StorageError(.damaged, "A stored number is out of its range.")
        }
        return number
    }

    // MARK: Errors

    private func check(_ code: Int32) throws {
        guard code == SQLITE_OK else { throw failure() }
    }

    private func failure() -> StorageError {
        let database = sqlite3_db_handle(handle)
        return StorageError(
            sqliteCode: sqlite3_extended_errcode(database), message: String(cString: sqlite3_errmsg(database)))
    }

    /// Tells SQLite to copy what is bound at once.
    private static var transient: sqlite3_destructor_type {
        unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    }
}
