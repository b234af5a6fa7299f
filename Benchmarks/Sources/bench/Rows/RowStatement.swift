import CSQLite
import Foundation

/// One prepared statement, kept between uses as a program that cares would.
final class RowStatement {
    let handle: OpaquePointer

    init(_ handle: OpaquePointer) {
        self.handle = handle
    }

    deinit {
        sqlite3_finalize(handle)
    }

    /// Whether there is a (further) row.
    func step() throws -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw BenchError("SQLite: step gave \(code)")
        }
    }

    func reset() {
        sqlite3_reset(handle)
    }

    func bind(_ values: Int64...) {
        for (index, value) in values.enumerated() {
            sqlite3_bind_int64(handle, Int32(index + 1), value)
        }
    }

    func bind(_ uuid: UUID, at index: Int32) {
        // SQLite copies what it is told is transient.
        let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        withUnsafeBytes(of: uuid.uuid) { _ = sqlite3_bind_blob(handle, index, $0.baseAddress, 16, transient) }
    }
}
