import Foundation
import ProcessTestSupport

/// A finished run of `hk`, as a user would start it. Its errors are searched for health data.
struct CommandRun {
    let output: String
    let errors: String
    let status: Int32

    /// The export date of the demo archive, used as the current time of every command.
    static let now = "2025-11-16T12:00:00-05:00"

    /// Runs the command on a store and waits for it to finish.
    ///
    /// By default, it runs in New York at noon of the demo's last day.
    init(
        _ arguments: [String], store: URL, timeZone: String = "America/New_York", now: String = now,
        folder: URL? = nil
    ) throws {
        let process = Self.process(arguments, store: store, timeZone: timeZone, now: now)
        process.currentDirectoryURL = folder
        (output, errors, status) = try process.finish()
        ChildMessages.record(errors, of: arguments)
    }

    /// Runs a command that mostly waits, without blocking a thread: tests have only one for each processor.
    static func finished(_ arguments: [String], store: URL, folder: URL? = nil) async throws -> CommandRun {
        let process = process(arguments, store: store)
        process.currentDirectoryURL = folder
        let (output, errors, status) = try await process.finished()
        ChildMessages.record(errors, of: arguments)
        return CommandRun(output: output, errors: errors, status: status)
    }

    private init(output: String, errors: String, status: Int32) {
        (self.output, self.errors, self.status) = (output, errors, status)
    }

    /// Runs the command with a file as its standard input, through a pipe or redirected.
    init(_ arguments: [String], store: URL, piping file: URL, isRedirected: Bool = false) throws {
        let command = ([BuiltProgram.hk.path] + arguments).map { "'\($0)'" }.joined(separator: " ")
        try self.init(
            shell: isRedirected ? "\(command) < '\(file.path)'" : "cat '\(file.path)' | \(command)", store: store)
    }

    /// Runs a shell command line; the status is that of its last command.
    init(shell line: String, store: URL, environment: [String: String] = [:]) throws {
        let process = Self.process(["-c", line], store: store)
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.environment?.merge(environment) { $1 }
        (output, errors, status) = try process.finish()
        ChildMessages.record(errors, of: [line] + line.split(separator: " ").map(String.init))
    }

    /// Returns a process that is ready to run the command.
    static func process(
        _ arguments: [String], store: URL, timeZone: String = "America/New_York", now: String = now
    ) -> Process {
        let process = Process()
        process.executableURL = BuiltProgram.hk
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging([
            "HEALTHKIT_STORE": store.path, "HEALTHKIT_NOW": now, "TZ": timeZone, "LC_ALL": "C.UTF-8", "COLUMNS": "80",
            "TERM": "xterm", "XDG_STATE_HOME": Scratch.state.path,
        ]) { $1 }.filter { $0.key != "NO_COLOR" }
        return process
    }

    var lines: [String] { output.split(separator: "\n").map(String.init) }

    /// Returns the output parsed as one JSON value.
    func json() throws -> Any {
        try JSONSerialization.jsonObject(with: Data(output.utf8), options: .fragmentsAllowed)
    }

    /// Returns the output parsed as an array of JSON objects, or as an object with one such member.
    func objects() throws -> [[String: Any]] {
        let json = try json()
        return json as? [[String: Any]]
            ?? (json as? [String: Any])?.values.lazy.compactMap { $0 as? [[String: Any]] }.first ?? []
    }
}
