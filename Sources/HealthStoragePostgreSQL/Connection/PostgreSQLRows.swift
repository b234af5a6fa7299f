import CPostgreSQL
import Foundation
import HealthStorage

/// The rows that a statement returned, in PostgreSQL's binary format. The bytes belong to the rows.
final class PostgreSQLRows {
    private let handle: OpaquePointer
    private let functions: UnsafePointer<PQFunctions>
    private var pq: PQFunctions { functions.pointee }

    /// Takes over the result.
    init(_ handle: OpaquePointer, _ functions: UnsafePointer<PQFunctions>) {
        self.handle = handle
        self.functions = functions
    }

    deinit {
        pq.PQclear(handle)
    }

    /// The number of rows.
    var count: Int { Int(pq.PQntuples(handle)) }

    /// The number of rows that the statement changed.
    var changesCount: Int {
        pq.PQcmdTuples(handle).flatMap { Int(String(cString: $0)) } ?? 0
    }

    /// The name of the command that was executed, such as `COMMIT`.
    var command: String {
        pq.PQcmdStatus(handle).map { String(cString: $0) } ?? ""
    }

    func isNull(_ row: Int, _ column: Int32) -> Bool {
        pq.PQgetisnull(handle, Int32(row), column) != 0
    }

    /// Bytes that are valid as long as the rows are.
    func bytes(_ row: Int, _ column: Int32) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(
            start: pq.PQgetvalue(handle, Int32(row), column), count: Int(pq.PQgetlength(handle, Int32(row), column)))
    }

    func integer(_ row: Int, _ column: Int32) throws -> Int64 {
        let bytes = bytes(row, column)
        switch bytes.count {
        case 8: return Int64(bigEndian: bytes.loadUnaligned(as: Int64.self))
        case 4: return Int64(Int32(bigEndian: bytes.loadUnaligned(as: Int32.self)))
        default: throw Self.invalid
        }
    }

    func optionalInteger(_ row: Int, _ column: Int32) throws -> Int64? {
        isNull(row, column) ? nil : try integer(row, column)
    }

    /// Reads a number that must fit its type; this code writes no others.
    func number<Number: FixedWidthInteger>(
        _ row: Int, _ column: Int32, as type: Number.Type = Number.self
    ) throws -> Number {
        guard let number = Number(exactly: try integer(row, column)) else {
            throw StorageError(.damaged, "A stored number is out of range.")
        }
        return number
    }

    func real(_ row: Int, _ column: Int32) throws -> Double {
        let bytes = bytes(row, column)
        guard bytes.count == 8 else { throw Self.invalid }
        return Double(bitPattern: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)))
    }

    func optionalReal(_ row: Int, _ column: Int32) throws -> Double? {
        isNull(row, column) ? nil : try real(row, column)
    }

    func text(_ row: Int, _ column: Int32) -> String {
        PostgreSQLText.string(bytes(row, column))
    }

    func optionalText(_ row: Int, _ column: Int32) -> String? {
        isNull(row, column) ? nil : text(row, column)
    }

    func uuid(_ row: Int, _ column: Int32) throws -> UUID {
        let bytes = bytes(row, column)
        guard bytes.count == 16 else { throw Self.invalid }
        return UUID(uuid: bytes.loadUnaligned(as: uuid_t.self))
    }

    func optionalUUID(_ row: Int, _ column: Int32) throws -> UUID? {
        isNull(row, column) ? nil : try uuid(row, column)
    }

    func isTrue(_ row: Int, _ column: Int32) -> Bool {
        bytes(row, column).first == 1
    }

    private static var invalid: StorageError {
        StorageError(.damaged, "A stored value does not have the length of its type.")
    }
}
