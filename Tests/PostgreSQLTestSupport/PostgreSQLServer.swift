import Foundation
import Synchronization

/// A PostgreSQL server in a separate folder, which stops and disappears with the process that started it, even if
/// that is killed.
///
/// PostgreSQL refuses to run as root; a process of root runs it as the user postgres, whom Debian's package creates.
public final class PostgreSQLServer: Sendable {
    /// The folder with the data, the socket and the log.
    public let directory: String
    /// The port on 127.0.0.1 and of the socket.
    public let port: Int
    private let programs: String

    // Unchecked: the pipes are used under the lock only.
    private struct Pipes: @unchecked Sendable {
        var commands: FileHandle
        var answers: FileHandle
        var process: Process
        var rest: [UInt8] = []
    }

    private let pipes: Mutex<Pipes>

    /// An error with the reason why there is no server.
    public struct Unavailable: Error, CustomStringConvertible {
        public let description: String
    }

    private static let first = Result {
        let server = try PostgreSQLServer()
        atexit { PostgreSQLServer.checkAtExit() }
        return server
    }

    /// The server that the tests of this process share. At the end of the process, it is an error if any process has
    /// sent a statement to it that breaks the rule of ``PostgreSQLStatements``.
    public static func shared() throws -> PostgreSQLServer {
        try first.get()
    }

    private static func checkAtExit() {
        guard case .success(let server) = first else { return }
        let found = Result { try server.offenders() }
        if case .success(let offenders) = found, offenders.isEmpty { return }
        let text = (try? found.get().joined(separator: "\n")) ?? "\(found)"
        print("error: Statements that don't name the one person whose rows they are about:\n\(text)")
        fflush(nil)
        _exit(1)
    }

    /// Starts a server, and returns when it accepts connections.
    ///
    /// - Parameters:
    ///   - settings: Settings in addition to those for tests, such as `fsync=on`.
    ///   - libraries: Extensions that are loaded at the start, before the one that counts statements.
    ///   - primary: The server of which this one is a streaming replica.
    public init(settings: [String] = [], libraries: [String] = [], replicaOf primary: PostgreSQLServer? = nil) throws {
        programs = try Self.programs()
        let settings =
            settings + [
                "shared_preload_libraries = '\((libraries + ["pg_stat_statements"]).joined(separator: ","))'",
                // Statements such as SET have no parameters, so each person's would be another.
                "pg_stat_statements.max = 20000", "pg_stat_statements.track_utility = off",
                // Of a replica: what was paused for long would otherwise cancel the statement that resumes it.
                "max_standby_streaming_delay = -1",
            ]
        port = try Self.freePort()
        let process = Process()
        // As a text, because the user postgres may not be allowed to read this folder.
        let script = try String(contentsOf: Self.script, encoding: .utf8)
        let shell = ["/bin/sh", "-c", script, "postgresql-server", programs, "\(port)"] + settings
        let command = getuid() == 0 ? ["runuser", "-u", "postgres", "--"] + shell : shell
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = command
        process.environment = ProcessInfo.processInfo.environment.merging(
            primary.map { ["PRIMARY": "\($0.port)"] } ?? [:]
        ) { $1 }
        process.currentDirectoryURL = URL(fileURLWithPath: "/")
        // Ends with this process, and isn't inherited by others that it starts.
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0, fcntl(ends[0], F_SETFD, FD_CLOEXEC) == 0, fcntl(ends[1], F_SETFD, FD_CLOEXEC) == 0
        else {
            throw Unavailable(description: "There is no pipe.")
        }
        process.standardInput = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)
        let answers = Pipe()
        process.standardOutput = answers
        try process.run()
        var pipes = Pipes(
            commands: FileHandle(fileDescriptor: ends[1], closeOnDealloc: true),
            answers: answers.fileHandleForReading, process: process)
        directory = try Self.line(&pipes)
        let answer = try Self.line(&pipes)
        guard answer == "ready" else {
            throw Unavailable(description: "PostgreSQL does not start: \(answer)")
        }
        self.pipes = Mutex(pipes)
    }

    /// The address of a database on the socket.
    ///
    /// - Parameter parameters: Parameters such as `person=anna`, joined by `&`.
    public func url(_ parameters: String = "", database: String = "postgres", user: String = "postgres") -> String {
        let host = directory.replacingOccurrences(of: "/", with: "%2F")
        return "postgresql://\(user)@/\(database)?host=\(host)&port=\(port)"
            + (parameters.isEmpty ? "" : "&" + parameters)
    }

    /// Executes statements with psql, as the superuser, and returns the first columns of all their rows.
    ///
    /// - Parameter port: The port of a pooler in front of the server.
    @discardableResult
    public func psql(_ statements: String..., port: Int? = nil) throws -> [String] {
        let calls = statements.map { "-c '\($0.replacingOccurrences(of: "'", with: "'\\''"))'" }.joined(separator: " ")
        let text = try run("psql -v ON_ERROR_STOP=1 -qAtX0 -d postgres \(calls)", port: port)
        return text.split(separator: "\0").map(String.init)
    }

    /// Runs one of PostgreSQL's programs on this server, as the superuser, and returns its output.
    public func run(_ command: String, port: Int? = nil) throws -> String {
        // Works at the end of a process, too, when Foundation's processes may not.
        let line = "PGHOST=127.0.0.1 PGPORT=\(port ?? self.port) PGUSER=postgres '\(programs)'/\(command) 2>&1"
        guard let output = popen(line, "r") else { throw Unavailable(description: "\(line) does not start.") }
        var bytes: [UInt8] = []
        while case let byte = fgetc(output), byte != EOF { bytes.append(UInt8(truncatingIfNeeded: byte)) }
        let text = String(decoding: bytes, as: UTF8.self)
        guard pclose(output) == 0 else { throw Unavailable(description: "\(command): \(text)") }
        return text
    }

    /// The statements that any process has sent to this server since it was started, and that break the rule of
    /// ``PostgreSQLStatements``. PostgreSQL's own collection has them, with placeholders for all constants.
    public func offenders() throws -> [String] {
        try psql("CREATE EXTENSION IF NOT EXISTS pg_stat_statements")
        guard try psql("SELECT dealloc FROM pg_stat_statements_info") == ["0"] else {
            throw Unavailable(description: "PostgreSQL could not keep all statements: raise pg_stat_statements.max.")
        }
        let statements = try psql("SELECT query FROM pg_stat_statements")
        guard !statements.isEmpty else { throw Unavailable(description: "PostgreSQL has kept no statements.") }
        return Set(statements).filter { !PostgreSQLStatements.namesPerson($0) }.sorted()
    }

    /// Kills the server with SIGKILL, as in a crash. Its connections are lost.
    public func kill() throws { try command("kill") }

    /// Stops the server in an orderly way. Its connections are closed.
    public func stop() throws { try command("stop") }

    /// Starts the server again, and returns when it accepts connections.
    public func start() throws { try command("start") }

    private func command(_ name: String) throws {
        try pipes.withLock { pipes in
            try pipes.commands.write(contentsOf: Data("\(name)\n".utf8))
            let answer = try Self.line(&pipes)
            guard answer == "ready" else { throw Unavailable(description: "PostgreSQL: \(answer)") }
        }
    }

    private static func line(_ pipes: inout Pipes) throws -> String {
        while true {
            if let end = pipes.rest.firstIndex(of: UInt8(ascii: "\n")) {
                let line = String(decoding: pipes.rest[..<end], as: UTF8.self)
                pipes.rest.removeSubrange(...end)
                return line
            }
            let more = pipes.answers.availableData
            guard !more.isEmpty else { throw Unavailable(description: "PostgreSQL could not be started.") }
            pipes.rest += more
        }
    }

    /// Whether tests of a cluster are to run: PostgreSQL has the extension Citus.
    public static let hasCluster = ProcessInfo.processInfo.environment["OPENHEALTHKIT_CITUS"] != nil

    /// Starts a coordinator and two workers with the extension Citus, which stop with the process.
    public static func cluster() throws -> PostgreSQLServer { try startedCluster.get() }

    private static let startedCluster = Result {
        let servers = try clusterNodes(3)
        for server in servers { try server.psql("CREATE EXTENSION citus") }
        try servers[0].beCoordinator(of: Array(servers.dropFirst()))
        workers.withLock { $0 = Array(servers.dropFirst()) }
        return servers[0]
    }

    /// Starts servers that can become a cluster, without the extension.
    public static func clusterNodes(_ count: Int) throws -> [PostgreSQLServer] {
        try (0..<count).map { _ in
            try PostgreSQLServer(
                settings: ["max_prepared_transactions = 400", "log_min_error_statement = fatal"], libraries: ["citus"])
        }
    }

    /// Adds workers to this coordinator, all of which have the extension.
    public func beCoordinator(of workers: [PostgreSQLServer]) throws {
        try psql("SELECT citus_set_coordinator_host('127.0.0.1', \(port))")
        for worker in workers { try psql("SELECT citus_add_node('127.0.0.1', \(worker.port))") }
    }

    /// Keeps them running.
    private static let workers = Mutex<[PostgreSQLServer]>([])

    /// The folder of PostgreSQL's programs, the newest version's if there are several.
    static func programs() throws -> String {
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
        let folders =
            versions.sorted { $0.compare($1, options: .numeric) == .orderedDescending }
            .map { "/usr/lib/postgresql/\($0)/bin" } + ["/usr/local/pgsql/bin", "/usr/bin"]
        guard let folder = folders.first(where: { FileManager.default.isExecutableFile(atPath: $0 + "/initdb") }) else {
            throw Unavailable(
                description: "PostgreSQL is not installed. make test installs it; apt-get install postgresql does, too."
            )
        }
        return folder
    }

    private static let script = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Scripts/postgresql-server")

    /// A port without a listener.
    public static func freePort() throws -> Int {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, length) == 0 && getsockname(socket, $0, &length) == 0
            }
        }
        guard isBound else { throw Unavailable(description: "There is no free port.") }
        return Int(UInt16(bigEndian: address.sin_port))
    }
}
