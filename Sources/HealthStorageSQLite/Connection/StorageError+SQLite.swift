import GRDB
import GRDBSQLite
import HealthStorage

extension StorageError {
    /// What an SQLite result code means to the layers above. SQLite's messages name tables and
    /// columns, never values.
    init(sqliteCode code: Int32, message: String) {
        self.init(Self.kind(ofSQLiteCode: code), "SQLite: \(message) (code \(code)).")
    }

    init(_ error: DatabaseError) {
        self.init(
            sqliteCode: error.extendedResultCode.rawValue,
            message: error.message ?? error.extendedResultCode.description)
    }

    /// Runs `body`, turning GRDB's errors into storage errors; all others pass.
    static func translating<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as DatabaseError {
            throw StorageError(error)
        }
    }

    private static func kind(ofSQLiteCode code: Int32) -> Kind {
        switch code {
        case SQLITE_CONSTRAINT | (6 << 8), SQLITE_CONSTRAINT | (8 << 8), SQLITE_CONSTRAINT | (10 << 8):
            // Primary key, unique, rowid.
            return .duplicate
        default:
            break
        }
        switch code & 0xFF {
        case SQLITE_BUSY, SQLITE_LOCKED: return .busy
        case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH, SQLITE_READONLY: return .unreachable
        case SQLITE_NOTADB: return .notAStore
        // GRDB says so of a connection that another thread has closed meanwhile.
        case SQLITE_MISUSE: return .closed
        case SQLITE_FULL, SQLITE_IOERR, SQLITE_NOMEM, SQLITE_INTERRUPT, SQLITE_TOOBIG, SQLITE_NOLFS,
            SQLITE_PROTOCOL, SQLITE_ABORT:
            return .inputOutput
        default: return .damaged
        }
    }
}
