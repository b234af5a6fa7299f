import Foundation

/// A separate PostgreSQL server, with the settings that a durable installation has. Ends with this object.
final class DatabaseServer {
    /// The folder of the socket.
    let folder: String
    let port = 54_329
    /// The folder of PostgreSQL's programs.
    let programs: String
    private let process = Process()
    private let commands = Pipe()
    private let answers = Pipe()

    /// Starts the server.
    ///
    /// - Throws: ``BenchError`` if PostgreSQL isn't installed or doesn't start.
    init() throws {
        let root = "/usr/lib/postgresql"
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
        guard let version = versions.max(by: { $0.compare($1, options: .numeric) == .orderedAscending }) else {
            throw BenchError("PostgreSQL isn't installed: apt-get install postgresql")
        }
        programs = "\(root)/\(version)/bin"
        let script = try String(contentsOfFile: "../Scripts/postgresql-server", encoding: .utf8)
        let settings = [
            "fsync = on", "synchronous_commit = on", "shared_buffers = 512MB", "max_wal_size = 2GB",
            "shared_preload_libraries = pg_stat_statements",
        ]
        let shell = ["/bin/sh", "-c", script, "postgresql-server", programs, "\(port)"] + settings
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = getuid() == 0 ? ["runuser", "-u", "postgres", "--"] + shell : shell
        process.currentDirectoryURL = URL(fileURLWithPath: "/")
        process.standardInput = commands
        process.standardOutput = answers
        try process.run()
        var text = ""
        while text.split(separator: "\n").count < 2 {
            let data = answers.fileHandleForReading.availableData
            guard !data.isEmpty else { throw BenchError("PostgreSQL doesn't start: \(text)") }
            text += String(decoding: data, as: UTF8.self)
        }
        let lines = text.split(separator: "\n").map(String.init)
        guard lines[1] == "ready" else { throw BenchError("PostgreSQL doesn't start: \(lines[1])") }
        folder = lines[0]
    }

    deinit {
        try? commands.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    /// The address of a person's store.
    func address(_ person: String? = nil, schema: String) -> String {
        let host = folder.replacingOccurrences(of: "/", with: "%2F")
        return "postgresql://postgres@/postgres?host=\(host)&port=\(port)&schema=\(schema)"
            + (person.map { "&person=\($0)" } ?? "")
    }

    /// The processor time of all processes of the server since the start, in seconds.
    func processorSeconds() throws -> Double {
        let file = try String(contentsOfFile: folder + "/data/postmaster.pid", encoding: .utf8)
        guard let main = file.split(separator: "\n").first else { throw BenchError("PostgreSQL has no process") }
        return try FileManager.default.contentsOfDirectory(atPath: "/proc").reduce(0) { sum, name in
            // Others may end meanwhile.
            guard Int(name) != nil, let text = try? String(contentsOfFile: "/proc/\(name)/stat", encoding: .utf8) else {
                return sum
            }
            // The name, in parentheses, can contain spaces. The parent is the second field after it, the times are from
            // the 12th; those of ended processes follow.
            let fields = text[(text.lastIndex(of: ")") ?? text.startIndex)...].split(separator: " ")
            guard fields.count > 15, fields[2] == main || name == main else { return sum }
            let times = fields[12...(name == main ? 15 : 13)].compactMap { Double($0) }
            return sum + times.reduce(0, +) / Double(sysconf(Int32(_SC_CLK_TCK)))
        }
    }

    /// Runs one of PostgreSQL's programs and returns its output.
    func run(_ program: String, _ arguments: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "\(programs)/\(program)")
        process.arguments = ["-h", folder, "-p", "\(port)", "-U", "postgres"] + arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw BenchError("\(program) failed: \(text)") }
        return text
    }
}
