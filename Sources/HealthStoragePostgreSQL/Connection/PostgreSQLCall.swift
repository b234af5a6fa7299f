import CPostgreSQL
import Foundation
import HealthStorage

/// A statement with its arguments.
struct PostgreSQLCall {
    /// The statement with placeholders `$1`, `$2`, …
    let sql: String
    let arguments: PostgreSQLArguments
    /// Whether the connection prepares the statement once. Those that contain a number in their text are not prepared.
    let isPrepared: Bool

    init(_ sql: String, isPrepared: Bool = true, _ fill: (inout PostgreSQLArguments) -> Void = { _ in }) {
        var arguments = PostgreSQLArguments()
        fill(&arguments)
        self.sql = sql
        self.arguments = arguments
        self.isPrepared = isPrepared
    }

    /// The approximate memory that the arguments take.
    var byteCount: Int { arguments.bytes.count + 64 }
}

/// The arguments of a statement in PostgreSQL's binary format, in one run of bytes.
struct PostgreSQLArguments {
    /// The numbers of PostgreSQL's types. They are part of its protocol and never change.
    enum Kind: UInt32 {
        case bytea = 17
        case int8 = 20
        case text = 25
        case float8 = 701
        case uuid = 2950
        case int8Array = 1016
        case float8Array = 1022
        case textArray = 1009
        case uuidArray = 2951
        case byteaArray = 1001
    }

    private(set) var kinds: [Kind] = []
    /// The range of an argument in ``bytes``; `nil` for NULL.
    private(set) var ranges: [Range<Int>?] = []
    private(set) var bytes: [UInt8] = []

    var count: Int { kinds.count }

    mutating func add(_ value: Int64?) {
        add(.int8, value) { $1.appendBigEndian(UInt64(bitPattern: $0)) }
    }

    mutating func add(_ value: Double?) {
        add(.float8, value) { $1.appendBigEndian($0.bitPattern) }
    }

    mutating func add(_ value: String?) {
        add(.text, value) { PostgreSQLText.append($0, to: &$1) }
    }

    mutating func add(_ value: [UInt8]?) {
        add(.bytea, value) { $1.append(contentsOf: $0) }
    }

    mutating func add(_ value: UUID?) {
        add(.uuid, value) { value, bytes in withUnsafeBytes(of: value.uuid) { bytes.append(contentsOf: $0) } }
    }

    mutating func add(_ values: [Int64]?) {
        guard let values else { return addNull(.int8Array) }
        add(.int8Array, of: .int8, values) { $1.appendBigEndian(UInt64(bitPattern: $0)) }
    }

    mutating func add(_ values: [Double]?) {
        guard let values else { return addNull(.float8Array) }
        add(.float8Array, of: .float8, values) { $1.appendBigEndian($0.bitPattern) }
    }

    mutating func add(_ values: [String]) {
        add(.textArray, of: .text, values) { PostgreSQLText.append($0, to: &$1) }
    }

    mutating func add(_ values: [UUID?]) {
        add(.uuidArray, of: .uuid, values) { value, bytes in
            withUnsafeBytes(of: value.uuid) { bytes.append(contentsOf: $0) }
        }
    }

    mutating func add(_ values: [[UInt8]]) {
        add(.byteaArray, of: .bytea, values) { $1.append(contentsOf: $0) }
    }

    private mutating func add<Value>(_ kind: Kind, _ value: Value?, _ encode: (Value, inout [UInt8]) -> Void) {
        kinds.append(kind)
        guard let value else { return ranges.append(nil) }
        let start = bytes.count
        encode(value, &bytes)
        ranges.append(start..<bytes.count)
    }

    private mutating func addNull(_ kind: Kind) {
        kinds.append(kind)
        ranges.append(nil)
    }

    /// Adds a one-dimensional array in PostgreSQL's binary format.
    private mutating func add<Element>(
        _ array: Kind, of kind: Kind, _ values: [Element?], _ encode: (Element, inout [UInt8]) -> Void
    ) {
        kinds.append(array)
        let start = bytes.count
        bytes.appendBigEndian(Int32(values.isEmpty ? 0 : 1))
        bytes.appendBigEndian(Int32(values.contains { $0 == nil } ? 1 : 0))
        bytes.appendBigEndian(kind.rawValue)
        if !values.isEmpty {
            bytes.appendBigEndian(Int32(values.count))
            bytes.appendBigEndian(Int32(1))
        }
        for value in values {
            let place = bytes.count
            bytes.appendBigEndian(Int32(value == nil ? -1 : 0))
            guard let value else { continue }
            encode(value, &bytes)
            let length = UInt32(bytes.count - place - 4)
            for index in 0..<4 { bytes[place + index] = UInt8(truncatingIfNeeded: length >> (24 - 8 * UInt32(index))) }
        }
        ranges.append(start..<bytes.count)
    }

    // Unchecked: a byte that is allocated once, never written again and never freed.
    nonisolated(unsafe) private static let emptyByte: UnsafePointer<CChar> = {
        let byte = UnsafeMutablePointer<CChar>.allocate(capacity: 1)
        byte.initialize(to: 0)
        return UnsafePointer(byte)
    }()

    /// Calls `body` with what libpq takes: the pointers and the lengths of the arguments.
    func withPointers<Value>(
        _ body: (UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?) throws -> Value
    ) rethrows -> Value {
        let lengths = ranges.map { Int32($0?.count ?? 0) }
        return try bytes.withUnsafeBytes { buffer in
            let pointers = ranges.map { range -> UnsafePointer<CChar>? in
                guard let range else { return nil }
                // An empty argument must not have a null pointer, which means NULL.
                guard let start = buffer.baseAddress else { return Self.emptyByte }
                return (start + range.lowerBound).assumingMemoryBound(to: CChar.self)
            }
            return try pointers.withUnsafeBufferPointer { pointers in
                try lengths.withUnsafeBufferPointer { try body(pointers.baseAddress, $0.baseAddress) }
            }
        }
    }
}

/// Text in the database. PostgreSQL's text cannot contain the character NUL, which an identifier of an application can:
/// it is stored as ESC 0, and ESC itself as ESC 1.
enum PostgreSQLText {
    private static let escape: UInt8 = 0x1B

    static func append(_ text: String, to bytes: inout [UInt8]) {
        var text = text
        text.withUTF8 { utf8 in
            guard utf8.contains(where: { $0 == 0 || $0 == escape }) else { return bytes.append(contentsOf: utf8) }
            for byte in utf8 {
                switch byte {
                case 0: bytes += [escape, UInt8(ascii: "0")]
                case escape: bytes += [escape, UInt8(ascii: "1")]
                default: bytes.append(byte)
                }
            }
        }
    }

    static func string(_ bytes: UnsafeRawBufferPointer) -> String {
        guard bytes.contains(escape) else { return String(decoding: bytes, as: UTF8.self) }
        var decoded: [UInt8] = []
        var isEscaped = false
        for byte in bytes {
            if isEscaped {
                decoded.append(byte == UInt8(ascii: "0") ? 0 : escape)
                isEscaped = false
            } else if byte == escape {
                isEscaped = true
            } else {
                decoded.append(byte)
            }
        }
        return String(decoding: decoded, as: UTF8.self)
    }
}

extension [UInt8] {
    mutating func appendBigEndian(_ value: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: value.bigEndian) { append(contentsOf: $0) }
    }
}

/// libpq, PostgreSQL's own client. It is opened when the first connection is made: programs that make none start faster
/// and take less memory without it and the libraries for TLS, Kerberos and LDAP that it needs.
// Unchecked: the functions of libpq may be called by any thread, and their addresses never change.
struct PostgreSQLLibrary: @unchecked Sendable {
    /// The name of every version of libpq with the functions that are called, which include pipelines (PostgreSQL 14).
    static let name = "libpq.so.5"

    /// The process' library, or why it can't be used. It is never closed.
    static let shared = Result { () throws(PostgreSQLFailure) in try PostgreSQLLibrary(name) }

    /// As permanent as the library.
    let functions: UnsafePointer<PQFunctions>

    /// Opens a library. Throws ``PostgreSQLFailure`` if there is none of this name, or it lacks a function.
    init(_ name: String) throws(PostgreSQLFailure) {
        let memory = UnsafeMutablePointer<PQFunctions>.allocate(capacity: 1)
        if let reason = PQFindFunctions(name, memory) {
            memory.deallocate()
            throw PostgreSQLFailure(
                state: "58P01",
                message:
                    "libpq can’t be used: \(String(cString: reason)). Install the package libpq5, version 14 or later",
                isConnectionLost: false)
        }
        functions = UnsafePointer(memory)
    }
}
