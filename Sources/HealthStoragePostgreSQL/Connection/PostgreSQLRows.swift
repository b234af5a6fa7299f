import CPostgreSQL
import Foundation
import HealthStorage

/// The rows that a statement returned, in PostgreSQL's binary format. The bytes belong to the rows.
final class PostgreSQLRows: RandomAccessCollection {
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

    let startIndex = 0
    var endIndex: Int { Int(pq.PQntuples(handle)) }

    /// The name of the command that was executed, such as `COMMIT`.
    var command: String {
        pq.PQcmdStatus(handle).map { String(cString: $0) } ?? ""
    }

    /// A row, counted from 0.
    subscript(row: Int) -> PostgreSQLRow { PostgreSQLRow(rows: self, number: Int32(row)) }

    fileprivate func isNull(_ row: Int32, _ column: Int32) -> Bool {
        pq.PQgetisnull(handle, row, column) != 0
    }

    fileprivate func bytes(_ row: Int32, _ column: Int32) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(
            start: pq.PQgetvalue(handle, row, column), count: Int(pq.PQgetlength(handle, row, column)))
    }
}

/// One of the rows that a statement returned.
struct PostgreSQLRow: DatabaseRow {
    fileprivate let rows: PostgreSQLRows
    fileprivate let number: Int32

    func isNull(_ column: Int32) -> Bool { rows.isNull(number, column) }

    func bytes(_ column: Int32) -> UnsafeRawBufferPointer { rows.bytes(number, column) }

    func integer(_ column: Int32) throws -> Int64 {
        let bytes = bytes(column)
        switch bytes.count {
        case 8: return Int64(bigEndian: bytes.loadUnaligned(as: Int64.self))
        case 4: return Int64(Int32(bigEndian: bytes.loadUnaligned(as: Int32.self)))
        default: throw Self.invalid
        }
    }

    func real(_ column: Int32) throws -> Double {
        let bytes = bytes(column)
        guard bytes.count == 8 else { throw Self.invalid }
        return Double(bitPattern: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)))
    }

    func text(_ column: Int32) -> String { PostgreSQLText.string(bytes(column)) }

    func isTrue(_ column: Int32) -> Bool { bytes(column).first == 1 }

    private static var invalid: StorageError {
        StorageError(.damaged, "A stored value does not have the length of its type.")
    }
}
