import CPostgreSQL
import HealthStorage

/// An error of the server or of the connection, before it is reported as a `StorageError`.
struct PostgreSQLFailure: Error {
    /// The five characters of the SQLSTATE; empty if the server did not send one.
    var state: String
    /// The server's primary message. Details are left out, because they can contain values.
    var message: String
    /// Whether the connection can't be used any longer.
    var isConnectionLost: Bool
}

extension PostgreSQLFailure {
    /// Reads the error of a result.
    init(result: OpaquePointer?, connection: OpaquePointer, _ pq: PQFunctions) {
        func field(_ code: Int32) -> String? {
            result.flatMap { pq.PQresultErrorField($0, code) }.map { String(cString: $0) }
        }
        state = field(Int32(UInt8(ascii: "C"))) ?? ""
        message = field(Int32(UInt8(ascii: "M"))) ?? ""
        isConnectionLost = pq.PQstatus(connection) != CONNECTION_OK || Self.endsConnection(state)
    }

    /// A connection that ended without a message of the server.
    static var connectionLost: PostgreSQLFailure {
        PostgreSQLFailure(state: "08006", message: "the connection was lost", isConnectionLost: true)
    }

    /// Whether a transaction that failed with this error can succeed when it is run again: a serialization failure, a
    /// deadlock, or a lost connection.
    var isTransient: Bool { isConnectionLost || state == "40001" || state == "40P01" }

    /// Whether a transaction that relies on an assumption fails in this way if it is wrong: a division by zero where
    /// the store's row has changed, a UUID that is stored, or a conflict with another transaction.
    var isWrongAssumption: Bool { ["22012", "23505", "40001", "40P01"].contains(state) }

    /// Shutdowns, and a server that was made a standby.
    private static func endsConnection(_ state: String) -> Bool {
        state.hasPrefix("08") || ["57P01", "57P02", "57P03", "57P05", "25006"].contains(state)
    }
}

extension StorageError {
    init(_ failure: PostgreSQLFailure) {
        let message = Self.isPlain(failure.state) ? failure.message : "error \(failure.state)"
        self.init(
            failure.isConnectionLost ? .unreachable : Self.kind(ofState: failure.state),
            "PostgreSQL: \(message)\(failure.state.isEmpty ? "" : " (\(failure.state))").")
    }

    /// Calls `body` and converts errors of the server to storage errors.
    static func translatingPostgreSQL<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let failure as PostgreSQLFailure {
            throw StorageError(failure)
        }
    }

    /// Whether messages of this class name tables, roles and limits, but never values.
    private static func isPlain(_ state: String) -> Bool {
        ["08", "0A", "25", "28", "3D", "3F", "40", "42", "53", "54", "55", "57", "58"].contains(state.prefix(2))
    }

    private static func kind(ofState state: String) -> Kind {
        switch state {
        case "23505": return .duplicate
        case "55P03", "40001", "40P01", "57014": return .busy
        default: break
        }
        switch state.prefix(2) {
        case "08", "28", "3D", "3F", "57", "25": return .unreachable
        // Resources, files, and states that pass, such as of an object that is in use.
        case "40", "53", "55", "58", "72": return .inputOutput
        // Damaged data and indexes. Other internal errors say nothing of what is stored: a cluster that is starting has
        // them.
        case "XX": return state == "XX001" || state == "XX002" ? .damaged : .inputOutput
        // Without a state, the client has failed.
        case "": return .inputOutput
        default: return .rejected
        }
    }
}
