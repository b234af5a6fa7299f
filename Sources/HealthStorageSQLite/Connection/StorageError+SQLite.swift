import Foundation
import GRDB
import GRDBSQLite
import HealthStorage
import HealthStorageFiles

extension StorageError {
    /// Creates the error for an SQLite result code. SQLite's messages contain names of tables and columns, but no
    /// values.
    init(sqliteCode code: Int32, message: String) {
        if code & 0xFF == SQLITE_READONLY {
            self.init(.unreachable, "The store cannot be written to.")
            return
        }
        if code == ReadFailure.code {
            self.init(.damaged, ReadFailure.take())
            return
        }
        if code == EncryptionCounter.exhausted {
            self.init(
                .unreachable,
                "The store cannot be written to: its key has encrypted as much as one key may. “hk key remove” and “hk key add” give it a new one."
            )
            return
        }
        if code == SQLITE_FULL || code & 0xFF == SQLITE_IOERR && errno == ENOSPC {
            self.init(.inputOutput, "The disk is full.")
            return
        }
        // SQLite has one code for all failed writes.
        if code & 0xFF == SQLITE_IOERR, [EDQUOT, EFBIG].contains(errno) {
            self.init(.inputOutput, "The store cannot be written to: \(Self.systemReason).")
            return
        }
        self.init(Self.kind(ofSQLiteCode: code), "SQLite: \(message) (code \(code)).")
    }

    /// Creates the error of a connection's last call.
    init(ofConnection connection: OpaquePointer?) {
        self.init(
            sqliteCode: sqlite3_extended_errcode(connection), message: String(cString: sqlite3_errmsg(connection)))
    }

    init(_ error: DatabaseError) {
        self.init(
            sqliteCode: error.extendedResultCode.rawValue,
            message: error.message ?? error.extendedResultCode.description)
    }

    /// Calls `body` and converts GRDB's errors to storage errors.
    package static func translating<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as DatabaseError {
            throw StorageError(error)
        }
    }

    private static func kind(ofSQLiteCode code: Int32) -> Kind {
        switch code {
        case SQLITE_CONSTRAINT | (6 << 8), SQLITE_CONSTRAINT | (8 << 8), SQLITE_CONSTRAINT | (10 << 8):
            // A primary key, unique or rowid constraint.
            return .duplicate
        default:
            break
        }
        switch code & 0xFF {
        case SQLITE_BUSY, SQLITE_LOCKED: return .busy
        case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH, SQLITE_READONLY: return .unreachable
        case SQLITE_NOTADB: return .notAStore
        // GRDB's error for a connection that was closed by another thread.
        case SQLITE_MISUSE: return .closed
        case SQLITE_FULL, SQLITE_IOERR, SQLITE_NOMEM, SQLITE_INTERRUPT, SQLITE_TOOBIG, SQLITE_NOLFS,
            SQLITE_PROTOCOL, SQLITE_ABORT:
            return .inputOutput
        default: return .damaged
        }
    }
}
