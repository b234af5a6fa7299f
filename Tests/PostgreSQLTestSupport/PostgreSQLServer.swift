import Foundation
import Synchronization

/// A PostgreSQL server in a folder of its own, which stops and disappears with the process that started it, even if that is
/// killed.
///
/// PostgreSQL refuses to run as root; a process of root runs it as the user postgres, whom Debian's package creates.
public final class PostgreSQLServer: Sendable {
    /// The folder with the data, the socket and the log.
    public let directory: String
    /// The port on 127.0.0.1 and of the socket.
    public let port: Int

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

    private static let first = Result { try PostgreSQLServer() }

    /// The server that the tests of this process share.
    public static func shared() throws -> PostgreSQLServer {
        try first.get()
    }

    /// Starts a server, and returns when it accepts connections.
    ///
    /// - Parameter settings: Settings in addition to those for tests, such as `fsync=on`.
    public init(settings: [String] = []) throws {
        let programs = try Self.programs()
        port = try Self.freePort()
        let process = Process()
        // As a text, because the user postgres may not be allowed to read this folder.
        let script = try String(contentsOf: Self.script, encoding: .utf8)
        let shell = ["/bin/sh", "-c", script, "postgresql-server", programs, "\(port)"] + settings
        let command = getuid() == 0 ? ["runuser", "-u", "postgres", "--"] + shell : shell
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = command
        process.currentDirectoryURL = URL(fileURLWithPath: "/")
        // Ends with this process, and isn't inherited by others that it starts.
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0, fcntl(ends[0], F_SETFD, FD_CLOEXEC) == 0, fcntl(ends[1], F_SETFD, FD_CLOEXEC) == 0 else {
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
        return "postgresql://\(user)@/\(database)?host=\(host)&port=\(port)" + (parameters.isEmpty ? "" : "&" + parameters)
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

    /// The folder of PostgreSQL's programs, the newest version's if there are several.
    private static func programs() throws -> String {
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
        let folders = versions.sorted { $0.compare($1, options: .numeric) == .orderedDescending }
            .map { "/usr/lib/postgresql/\($0)/bin" } + ["/usr/local/pgsql/bin", "/usr/bin"]
        guard let folder = folders.first(where: { FileManager.default.isExecutableFile(atPath: $0 + "/initdb") }) else {
            throw Unavailable(
                description: "PostgreSQL is not installed. make test installs it; apt-get install postgresql does, too.")
        }
        return folder
    }

    private static let script = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Scripts/postgresql-server")

    private static func freePort() throws -> Int {
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
