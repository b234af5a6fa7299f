import CPostgreSQL

/// libpq, PostgreSQL's own client. It is opened when the first connection is made: programs that make none start faster and
/// take less memory without it and the libraries for TLS, Kerberos and LDAP that it needs.
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
                message: "libpq can’t be used: \(String(cString: reason)). Install the package libpq5, version 14 or later",
                isConnectionLost: false)
        }
        functions = UnsafePointer(memory)
    }
}
