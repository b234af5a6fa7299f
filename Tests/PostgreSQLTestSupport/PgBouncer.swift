import Foundation

/// PgBouncer in transaction mode in front of a server, which ends with the process that started it.
public final class PgBouncer: Sendable {
    /// The port on 127.0.0.1.
    public let port: Int
    /// PgBouncer ends when this is closed, at the latest with this process.
    private let input: FileHandle

    /// Starts PgBouncer, and returns when it accepts connections.
    ///
    /// - Parameters:
    ///   - size: The number of connections to the server.
    ///   - users: The users who may connect.
    public init(_ server: PostgreSQLServer, size: Int, users: [String] = ["postgres"]) throws {
        guard FileManager.default.isExecutableFile(atPath: "/usr/sbin/pgbouncer") else {
            throw PostgreSQLServer.Unavailable(
                description: "PgBouncer is not installed. make test installs it; apt-get install pgbouncer does, too.")
        }
        port = try PostgreSQLServer.freePort()
        let process = Process()
        let shell = [
            "/bin/sh", "-c", Self.script, "pgbouncer", try PostgreSQLServer.programs(), "\(port)", server.directory,
            "\(server.port)", "\(size)", users.map { "\"\($0)\" \"\"" }.joined(separator: "\n"),
        ]
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        // It refuses to run as root.
        process.arguments = getuid() == 0 ? ["runuser", "-u", "postgres", "--"] + shell : shell
        process.currentDirectoryURL = URL(fileURLWithPath: "/")
        let output = Pipe()
        // Not inherited by other processes.
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0, fcntl(ends[0], F_SETFD, FD_CLOEXEC) == 0, fcntl(ends[1], F_SETFD, FD_CLOEXEC) == 0
        else { throw PostgreSQLServer.Unavailable(description: "There is no pipe.") }
        process.standardInput = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)
        process.standardOutput = output
        input = FileHandle(fileDescriptor: ends[1], closeOnDealloc: true)
        try process.run()
        let answer = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        guard answer == "ready\n" else {
            throw PostgreSQLServer.Unavailable(description: "PgBouncer does not start: \(answer)")
        }
    }

    deinit {
        try? input.close()
    }

    /// The address of a database through the pooler.
    public func url(_ parameters: String = "", user: String = "postgres") -> String {
        "postgresql://\(user)@127.0.0.1:\(port)/postgres" + (parameters.isEmpty ? "" : "?" + parameters)
    }

    private static let script = """
        programs=$1 port=$2 socket=$3 server=$4 size=$5 users=$6
        directory=$(mktemp -d /tmp/openhealthkit-pgbouncer.XXXXXX)
        finish() { trap '' EXIT; kill $pooler 2>/dev/null; wait; rm -rf "$directory"; exit 0; }
        trap finish EXIT HUP INT TERM
        printf '%s\\n' "$users" >"$directory/users"
        cat >"$directory/pgbouncer.ini" <<END
        [databases]
        postgres = host=$socket port=$server
        [pgbouncer]
        listen_addr = 127.0.0.1
        listen_port = $port
        unix_socket_dir =
        auth_type = trust
        auth_file = $directory/users
        pool_mode = transaction
        default_pool_size = $size
        max_client_conn = 200
        server_login_retry = 1
        logfile = $directory/log
        END
        /usr/sbin/pgbouncer -q "$directory/pgbouncer.ini" >/dev/null 2>&1 </dev/null & pooler=$!
        until "$programs/pg_isready" -q -h 127.0.0.1 -p "$port"; do
            kill -0 $pooler 2>/dev/null || { tail -n 1 "$directory/log"; exit 1; }
            sleep 0.05
        done
        echo ready
        read -r line
        """
}
