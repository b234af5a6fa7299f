import CPostgreSQL
import HealthStorage

/// A statement with its arguments.
struct PostgreSQLCall {
    /// The statement with placeholders `$1`, `$2`, …
    let sql: String
    let arguments: PostgreSQLArguments
    /// Whether the connection prepares the statement once. Those that contain a number in their text are not prepared.
    let isPrepared: Bool

    init(_ sql: String, _ arguments: [any PostgreSQLArgument] = [], isPrepared: Bool = true) {
        self.sql = sql
        self.arguments = PostgreSQLArguments(arguments)
        self.isPrepared = isPrepared
    }

    /// The approximate memory that the arguments take.
    var byteCount: Int { arguments.bytes.count + 64 }

    /// Whether the statement begins or ends a transaction.
    var begins: Bool { sql.hasPrefix("BEGIN") }
    var ends: Bool { sql.hasPrefix("COMMIT") || sql.hasPrefix("ROLLBACK") }

    /// The kind of the statement, by its first word.
    var kind: PostgreSQLActivity.Kind {
        if begins || ends { return .transaction }
        if sql.hasPrefix("WITH changed") { return .update }
        if sql.hasPrefix("WITH") || sql.hasPrefix("(") { return .select }
        if sql.hasPrefix("SELECT"), sql.contains(".save_pages(") { return .save }
        if sql.hasPrefix("SELECT"), sql.contains(".enter_identities(") { return .insert }
        if sql.hasPrefix("SELECT"), sql.contains(".remove_identities(") { return .delete }
        return PostgreSQLActivity.Kind.allCases.first { sql.hasPrefix($0.word) } ?? .other
    }
}

/// The arguments of a statement in PostgreSQL's binary format, in one run of bytes.
struct PostgreSQLArguments {
    /// The numbers of PostgreSQL's types. They are part of its protocol and never change.
    enum Kind: UInt32, CaseIterable {
        case bytea = 17
        case int8 = 20
        case text = 25
        case float8 = 701
        case uuid = 2950
        case int8Array = 1016
        case float8Array = 1022
        case uuidArray = 2951
        case byteaArray = 1001
        case textArray = 1009

        /// The name in SQL, such as `int8[]`.
        var name: String { Self.names[self] ?? "" }

        private static let names = Dictionary(
            uniqueKeysWithValues: allCases.map { ($0, "\($0)".replacing("Array", with: "[]")) })
    }

    private(set) var kinds: [Kind] = []
    /// The range of an argument in ``bytes``; `nil` for NULL.
    private(set) var ranges: [Range<Int>?] = []
    private(set) var bytes: [UInt8] = []

    var count: Int { kinds.count }

    init(_ arguments: [any PostgreSQLArgument]) {
        for argument in arguments {
            kinds.append(type(of: argument).kind)
            let start = bytes.count
            argument.appendBytes(to: &bytes)
            ranges.append(argument.isNull ? nil : start..<bytes.count)
        }
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
