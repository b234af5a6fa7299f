import Foundation
import HealthStorage

/// The address of a store in a PostgreSQL database: a connection URL as PostgreSQL's own programs take it, with five
/// additional parameters.
///
///     postgresql://user@host:5432/database?person=anna&schema=openhealthkit&role=openhealthkit_server
///
/// - `person`: The person whose store it is.
/// - `schema`: The schema of the tables; `openhealthkit` by default.
/// - `role`: The role that every connection assumes, whose permissions are then those of the connection.
/// - `direct`: The server's own `HOST:PORT`, if the address is that of a pooler: for notifications.
/// - `replica`: The `HOST:PORT` of a streaming replica, which answers readers that it is not behind.
///
/// All other parameters are libpq's, except for `options`, which is ignored.
package struct PostgreSQLAddress: Hashable, Sendable {
    /// The URL without the parameters above.
    package let server: String
    /// The person whose store it is; `nil` if the URL does not say.
    package var person: String?
    /// The schema of the tables.
    package let schema: String
    /// The role that every connection assumes.
    package let role: String?
    private let direct: Place?
    private let replica: Place?

    /// Whether there is a replica that answers readers.
    package var hasReplica: Bool { replica != nil }

    /// The servers that an address names.
    enum Server: String, Hashable, Sendable {
        case primary, direct, replica
    }

    private struct Place: Hashable {
        var host: String
        var port: String

        /// Reads `HOST:PORT`, where the host can be an IPv6 address in brackets or the folder of a socket.
        init(_ text: String, of parameter: String) throws {
            let parts = text.split(separator: ":", omittingEmptySubsequences: false)
            guard parts.count > 1, let last = parts.last, UInt16(last).map({ $0 > 0 }) == true else {
                throw StorageError(.unreachable, "The address has no HOST:PORT for \(parameter).")
            }
            port = String(last)
            host = text.dropLast(last.utf8.count + 1).trimmingCharacters(in: ["[", "]"])
        }
    }

    /// Reads a URL. Throws `StorageError` `.unreachable` if it isn't one.
    package init(_ url: String) throws {
        guard Self.isAddress(url) else {
            throw StorageError(.unreachable, "The address does not begin with postgresql://.")
        }
        let parts = url.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var rest: [Substring] = []
        var own: [String: String] = [:]
        for parameter in parts.count > 1 ? parts[1].split(separator: "&") : [] {
            let pair = parameter.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if ["person", "schema", "role", "direct", "replica"].contains(pair[0]) {
                guard pair.count == 2, let value = pair[1].removingPercentEncoding, !value.isEmpty else {
                    throw StorageError(.unreachable, "The address has no value for \(pair[0]).")
                }
                own[String(pair[0])] = value
            } else if pair[0] != "options" {
                rest.append(parameter)
            }
        }
        server = parts[0] + (rest.isEmpty ? "" : "?" + rest.joined(separator: "&"))
        person = own["person"]
        schema = own["schema"] ?? Self.defaultSchema
        role = own["role"]
        direct = try own["direct"].map { try Place($0, of: "direct") }
        replica = try own["replica"].map { try Place($0, of: "replica") }
        for name in [schema, role].compactMap({ $0 }) where !Self.isIdentifier(name) {
            throw StorageError(
                .unreachable,
                "\(name) cannot be the name of a schema or role here: it must have at most 40 characters of a–z, 0–9 and _."
            )
        }
    }

    /// The schema of an address that names none.
    package static let defaultSchema = "openhealthkit"

    /// Whether a text is the address of a PostgreSQL database, and not the path of a file.
    package static func isAddress(_ text: String) -> Bool {
        text.hasPrefix("postgresql://") || text.hasPrefix("postgres://")
    }

    static func isIdentifier(_ name: String) -> Bool {
        name.utf8.count <= 40 && name.wholeMatch(of: /[a-z_][a-z0-9_]*/) != nil
    }

    /// The parameters of a connection. What the URL says takes precedence, except for the server.
    ///
    /// None of them is a setting (`options`): a pooler rejects or ignores those.
    func parameters(of server: Server) -> [(key: String, value: String)] {
        let place =
            switch server {
            case .primary: nil as Place?
            case .direct: direct
            case .replica: replica
            }
        return [
            ("application_name", "openhealthkit"), ("connect_timeout", server == .replica ? "2" : "5"),
            ("keepalives_idle", "15"), ("keepalives_interval", "5"), ("keepalives_count", "3"),
            ("tcp_user_timeout", "30000"), ("target_session_attrs", server == .replica ? "any" : "read-write"),
            ("dbname", self.server), ("client_encoding", "UTF8"),
        ] + (place.map { [("host", $0.host), ("port", $0.port)] } ?? [])
    }

    /// The statement that makes the settings on which others rely, for the transaction if `isLocal` is true and otherwise
    /// for the session. Returns when the server was started, and `isLocal`.
    func settings(_ options: PostgreSQLOptions, isLocal: String) -> String {
        var settings = [
            // No plan may read the rows of other people, and statements are too short to be compiled.
            ("search_path", "'\(schema)'"), ("enable_seqscan", "'off'"), ("jit", "'off'"),
            ("extra_float_digits", "'3'"),
            ("client_min_messages", "'error'"),
            ("lock_timeout", "'\(Int(min(max(options.busyTimeout, 0.001) * 1_000, 1e9)))'"),
            // What a transaction sets, such as its person, holds on the workers of a cluster, too.
            ("citus.propagate_set_commands", "'local'"),
        ]
        if isLocal != "true" {
            settings += [
                // Every statement names its rows by the beginning of a key, so one plan suits all values. Citus finds
                // the shard of most statements when they are executed, but has to plan those with parts, such as
                // `UNION ALL` and `WITH`, for their arguments.
                (
                    "plan_cache_mode",
                    """
                    CASE WHEN EXISTS (SELECT 1 FROM pg_extension WHERE extname = 'citus') THEN 'auto' \
                    ELSE 'force_generic_plan' END
                    """
                ),
                // Of transactions without `BEGIN`.
                ("default_transaction_isolation", "'read committed'"),
                // A client that dies without a word in a transaction would lock its person for hours.
                ("tcp_keepalives_idle", "'15'"), ("tcp_keepalives_interval", "'5'"), ("tcp_keepalives_count", "'3'"),
                ("tcp_user_timeout", "'30000'"),
            ]
        }
        if let role { settings.append(("role", "'\(role)'")) }
        let calls = settings.map { "set_config('\($0.0)', \($0.1), \(isLocal))" }
        return "SELECT pg_postmaster_start_time(), \(isLocal), \(calls.joined(separator: ", "))"
    }
}

/// Options for connections to a PostgreSQL server. The defaults suit servers and command-line programs.
package struct PostgreSQLOptions: Sendable {
    /// The maximum number of open connections; further readers and writers wait. At least 1.
    package var maximumConnections = 12
    /// The number of seconds to wait for a free connection before throwing `StorageError` `.busy`.
    package var poolTimeout: Double = 30
    /// The number of seconds to wait for another writer of the same person before throwing `StorageError` `.busy`.
    package var busyTimeout: Double = 10
    /// The number of seconds for which a lost connection is opened again before an error is reported.
    package var reconnectTimeout: Double = 20
    /// Called with the text of every statement, which contains no values, before it is sent.
    package var onStatement: (@Sendable (String) -> Void)?

    /// Creates the default options.
    package init() {}
}
