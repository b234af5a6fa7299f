import Foundation

/// Runs `hk` as its user would.
struct CommandRun {
    let output: String
    let errors: String
    let status: Int32

    /// The built binary, beside the test bundle.
    static let binary: URL = {
        var url = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent()
        while !FileManager.default.isExecutableFile(atPath: url.appendingPathComponent("hk").path), url.path != "/" {
            url.deleteLastPathComponent()
        }
        return url.appendingPathComponent("hk")
    }()

    /// The instant of the demo archive's export, which every command takes for now.
    static let now = "2025-11-16T12:00:00-05:00"

    /// Runs the command over a store, in New York at noon of the demo's last day unless told otherwise, and
    /// waits for its end.
    init(
        _ arguments: [String], store: URL, timeZone: String = "America/New_York", now: String = now,
        folder: URL? = nil
    ) throws {
        let process = Self.process(arguments, store: store, timeZone: timeZone, now: now)
        process.currentDirectoryURL = folder
        let (out, err) = (Pipe(), Pipe())
        process.standardOutput = out
        process.standardError = err
        process.standardInput = FileHandle.nullDevice
        try process.run()
        // Errors are a line or two: their pipe does not fill up while the output is read.
        output = String(decoding: out.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        errors = String(decoding: err.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        status = process.terminationStatus
    }

    /// Runs the command with a file on its standard input: through a pipe, or redirected.
    init(_ arguments: [String], store: URL, piping file: URL, isRedirected: Bool = false) throws {
        let command = ([Self.binary.path] + arguments).map { "'\($0)'" }.joined(separator: " ")
        try self.init(
            shell: isRedirected ? "\(command) < '\(file.path)'" : "cat '\(file.path)' | \(command)", store: store)
    }

    /// Runs a line of the shell; the status is that of its last command.
    init(shell line: String, store: URL, environment: [String: String] = [:]) throws {
        let process = Self.process(["-c", line], store: store)
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.environment?.merge(environment) { $1 }
        let (out, err) = (Pipe(), Pipe())
        process.standardOutput = out
        process.standardError = err
        process.standardInput = FileHandle.nullDevice
        try process.run()
        output = String(decoding: out.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        errors = String(decoding: err.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        status = process.terminationStatus
    }

    /// A command ready to run.
    static func process(
        _ arguments: [String], store: URL, timeZone: String = "America/New_York", now: String = now
    ) -> Process {
        let process = Process()
        process.executableURL = binary
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging([
            "HEALTHKIT_STORE": store.path, "HEALTHKIT_NOW": now, "TZ": timeZone, "LC_ALL": "C.UTF-8", "COLUMNS": "80",
            "TERM": "xterm",
        ]) { $1 }.filter { $0.key != "NO_COLOR" }
        return process
    }

    var lines: [String] { output.split(separator: "\n").map(String.init) }

    /// The answer as one JSON value.
    func json() throws -> Any {
        try JSONSerialization.jsonObject(with: Data(output.utf8), options: .fragmentsAllowed)
    }

    /// The answer as a list of JSON objects.
    func objects() throws -> [[String: Any]] {
        try json() as? [[String: Any]] ?? []
    }
}
