import Foundation
import GRDBSQLite
import HealthModel

/// The result of a column or function call.
struct SQLResult {
    let context: OpaquePointer?

    func null() { sqlite3_result_null(context) }
    func integer(_ value: Int64) { sqlite3_result_int64(context, value) }
    func real(_ value: Double) { sqlite3_result_double(context, value) }

    /// Returns a text that lives as long as the connection.
    func text(_ text: PooledText?) {
        guard let text else { return null() }
        sqlite3_result_text(context, text.bytes, text.length, nil)
    }

    /// Returns a copy of a text.
    func text(_ text: String?) {
        guard var text else { return null() }
        text.withUTF8 { bytes in
            guard let start = bytes.baseAddress else {
                return sqlite3_result_text(context, "", 0, Self.transient)
            }
            start.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
                sqlite3_result_text(context, $0, Int32(clamping: bytes.count), Self.transient)
            }
        }
    }

    /// Returns a copy of bytes.
    func blob(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return sqlite3_result_zeroblob64(context, 0).ignored }
            sqlite3_result_blob(context, start, Int32(clamping: bytes.count), Self.transient)
        }
    }

    /// Returns a value of any storage class.
    func value(_ value: SQLValue) {
        switch value {
        case .null: null()
        case .integer(let number): integer(number)
        case .real(let number): real(number)
        case .text(let text): self.text(text)
        case .blob(let bytes): blob(bytes)
        }
    }

    /// Returns an instant as text in the clock's time zone.
    func date(_ instant: Double, _ clock: LocalClock) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: LocalClock.maximumInstantLength) { buffer in
            let length = clock.writeInstant(instant, to: buffer.baseAddress!)
            bytes(buffer.baseAddress!, length)
        }
    }

    /// Returns the day of an instant as text.
    func day(number: Int) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: LocalClock.dayLength) { buffer in
            LocalClock.writeDay(number, to: buffer.baseAddress!)
            bytes(buffer.baseAddress!, LocalClock.dayLength)
        }
    }

    /// Returns a UUID in uppercase.
    func uuid(_ uuid: UUID) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: UUIDWriter.length) { buffer in
            UUIDWriter.write(uuid, to: buffer.baseAddress!)
            bytes(buffer.baseAddress!, UUIDWriter.length)
        }
    }

    func error(_ message: String) {
        sqlite3_result_error(context, message, -1)
    }

    private func bytes(_ start: UnsafeMutablePointer<UInt8>, _ length: Int) {
        start.withMemoryRebound(to: CChar.self, capacity: length) {
            sqlite3_result_text(context, $0, Int32(length), Self.transient)
        }
    }

    /// Makes SQLite copy the bytes it is passed.
    private static let transient = unsafeBitCast(-1 as Int, to: sqlite3_destructor_type.self)
}

extension Int32 {
    /// Ignores a code that can only mean out of memory, which SQLite reports itself.
    fileprivate var ignored: Void { () }
}

/// An argument of a function or a plan, valid during the call.
struct SQLArgument {
    let value: OpaquePointer?

    var isNull: Bool { sqlite3_value_type(value) == SQLITE_NULL }
    var isNumber: Bool {
        let type = sqlite3_value_type(value)
        return type == SQLITE_INTEGER || type == SQLITE_FLOAT
    }

    /// The length of the value as text or bytes.
    var byteCount: Int { Int(sqlite3_value_bytes(value)) }

    /// The number, or `nil` if the value isn't one.
    var number: Double? { isNumber ? sqlite3_value_double(value) : nil }

    /// The integer, or `nil` if the value isn't one.
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

/// A text at a fixed address.
struct PooledText {
    let bytes: UnsafePointer<CChar>
    let length: Int32
}

/// Interned texts that SQLite can reference as long as the connection lives: names of types, units, sources
/// and devices.
final class TextPool {
    private var texts: [String: PooledText] = [:]
    private var memory: [UnsafeMutablePointer<CChar>] = []

    deinit {
        for pointer in memory { pointer.deallocate() }
    }

    subscript(text: String) -> PooledText {
        if let known = texts[text] { return known }
        let bytes = Array(text.utf8)
        let pointer = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count + 1)
        for (index, byte) in bytes.enumerated() { pointer[index] = CChar(bitPattern: byte) }
        pointer[bytes.count] = 0
        memory.append(pointer)
        let pooled = PooledText(bytes: pointer, length: Int32(clamping: bytes.count))
        texts[text] = pooled
        return pooled
    }

    subscript(text: String?) -> PooledText? {
        text.map { self[$0] }
    }
}

/// An SQL value.
public enum SQLValue: Hashable, Sendable {
    /// No value.
    case null
    /// An integer.
    case integer(Int64)
    /// A floating-point number.
    case real(Double)
    /// A text.
    case text(String)
    /// Bytes.
    case blob([UInt8])
}

extension SQLValue {
    package init(_ text: String?) { self = text.map { .text($0) } ?? .null }
    package init(_ number: Double?) { self = number.map { .real($0) } ?? .null }
    init(_ number: Int64?) { self = number.map { .integer($0) } ?? .null }
    init(_ number: Int?) { self = number.map { .integer(Int64($0)) } ?? .null }
}
