import Foundation
import HealthModel
import HealthStorage

/// A value that can be an argument of a statement. An optional one is NULL if there is none.
protocol PostgreSQLArgument {
    static var kind: PostgreSQLArguments.Kind { get }

    var isNull: Bool { get }

    /// Appends the value in PostgreSQL's binary format.
    func appendBytes(to bytes: inout [UInt8])
}

extension PostgreSQLArgument {
    var isNull: Bool { false }
}

/// A value of which a list can be an argument.
protocol PostgreSQLElement {
    static var listKind: PostgreSQLArguments.Kind { get }

    static func appendBytes(of list: [Self], to bytes: inout [UInt8])
}

extension PostgreSQLElement where Self: PostgreSQLArgument {
    /// Appends a one-dimensional array in PostgreSQL's binary format.
    static func appendBytes(of list: [Self], to bytes: inout [UInt8]) {
        bytes.appendBigEndian(Int32(list.isEmpty ? 0 : 1))
        bytes.appendBigEndian(Int32(list.contains { $0.isNull } ? 1 : 0))
        bytes.appendBigEndian(kind.rawValue)
        if !list.isEmpty {
            bytes.appendBigEndian(Int32(list.count))
            bytes.appendBigEndian(Int32(1))
        }
        for value in list {
            let place = bytes.count
            bytes.appendBigEndian(Int32(value.isNull ? -1 : 0))
            guard !value.isNull else { continue }
            value.appendBytes(to: &bytes)
            let length = UInt32(bytes.count - place - 4)
            for index in 0..<4 { bytes[place + index] = UInt8(truncatingIfNeeded: length >> (24 - 8 * UInt32(index))) }
        }
    }
}

extension Int64: PostgreSQLArgument, PostgreSQLElement {
    static var kind: PostgreSQLArguments.Kind { .int8 }
    static var listKind: PostgreSQLArguments.Kind { .int8Array }

    func appendBytes(to bytes: inout [UInt8]) {
        bytes.appendBigEndian(UInt64(bitPattern: self))
    }
}

extension Double: PostgreSQLArgument, PostgreSQLElement {
    static var kind: PostgreSQLArguments.Kind { .float8 }
    static var listKind: PostgreSQLArguments.Kind { .float8Array }

    func appendBytes(to bytes: inout [UInt8]) {
        bytes.appendBigEndian(bitPattern)
    }
}

extension String: PostgreSQLArgument, PostgreSQLElement {
    static var kind: PostgreSQLArguments.Kind { .text }
    static var listKind: PostgreSQLArguments.Kind { .textArray }

    func appendBytes(to bytes: inout [UInt8]) {
        PostgreSQLText.append(self, to: &bytes)
    }
}

extension UUID: PostgreSQLArgument, PostgreSQLElement {
    static var kind: PostgreSQLArguments.Kind { .uuid }
    static var listKind: PostgreSQLArguments.Kind { .uuidArray }

    func appendBytes(to bytes: inout [UInt8]) {
        withUnsafeBytes(of: uuid) { bytes.append(contentsOf: $0) }
    }
}

extension TypeCode: PostgreSQLArgument, PostgreSQLElement {
    static var kind: PostgreSQLArguments.Kind { .int8 }
    static var listKind: PostgreSQLArguments.Kind { .int8Array }

    func appendBytes(to bytes: inout [UInt8]) {
        Int64(rawValue).appendBytes(to: &bytes)
    }
}

extension UInt8: PostgreSQLElement {
    static var listKind: PostgreSQLArguments.Kind { .bytea }

    static func appendBytes(of list: [UInt8], to bytes: inout [UInt8]) {
        bytes.append(contentsOf: list)
    }
}

extension Array: PostgreSQLArgument where Element: PostgreSQLElement {
    static var kind: PostgreSQLArguments.Kind { Element.listKind }

    func appendBytes(to bytes: inout [UInt8]) {
        Element.appendBytes(of: self, to: &bytes)
    }
}

extension Array: PostgreSQLElement where Element == UInt8 {
    static var listKind: PostgreSQLArguments.Kind { .byteaArray }
}

extension Optional: PostgreSQLArgument where Wrapped: PostgreSQLArgument {
    static var kind: PostgreSQLArguments.Kind { Wrapped.kind }

    var isNull: Bool { self == nil }

    func appendBytes(to bytes: inout [UInt8]) {
        self?.appendBytes(to: &bytes)
    }
}

extension Optional: PostgreSQLElement where Wrapped: PostgreSQLArgument & PostgreSQLElement {
    static var listKind: PostgreSQLArguments.Kind { Wrapped.listKind }
}
