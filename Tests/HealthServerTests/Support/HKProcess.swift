import Foundation
import ProcessTestSupport
import Synchronization

/// `hk` as a process, which a test may start, read from and end. What it writes to its standard error is searched for
/// health data.
final class HKProcess: Sendable {
    /// The lines that the process prints, to both outputs.
    let lines: AsyncStream<String>
    private let process: Process
    private let ended: AsyncStream<Int32>

    /// Starts the command.
    ///
    /// - Parameter program: Another program than the built one, such as an installed one.
    init(_ arguments: [String], environment: [String: String] = [:], program: URL = BuiltProgram.hk) throws {
        let (lines, lineWriter) = AsyncStream.makeStream(of: String.self)
        let (ended, endWriter) = AsyncStream.makeStream(of: Int32.self)
        self.lines = lines
        self.ended = ended
        let (pipe, errors) = (Pipe(), Pipe())
        process = Self.process(program, arguments, environment)
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = pipe
        process.standardError = errors
        process.terminationHandler = {
            endWriter.yield($0.terminationStatus)
            endWriter.finish()
        }
        Self.read(pipe) { line in
            if let line { lineWriter.yield(line) } else { lineWriter.finish() }
        }
        Self.read(errors) { line in
            guard let line else { return }
            ChildMessages.record(line, of: arguments)
            lineWriter.yield(line)
        }
        try process.run()
    }

    /// Calls `body` with each line, and with `nil` at the end.
    private static func read(_ pipe: Pipe, _ body: @escaping @Sendable (String?) -> Void) {
        let rest = Mutex(Data())
        pipe.fileHandleForReading.readabilityHandler = { handle in
            let bytes = handle.availableData
            guard !bytes.isEmpty else {
                handle.readabilityHandler = nil
                return body(nil)
            }
            let complete = rest.withLock { rest -> [String] in
                rest.append(bytes)
                var parts = rest.split(separator: 0x0A, omittingEmptySubsequences: false)
                rest = Data(parts.removeLast())
                return parts.map { String(decoding: $0, as: UTF8.self) }
            }
            for line in complete { body(line) }
        }
    }

    /// The process' number.
    var identifier: Int32 { process.processIdentifier }

    /// Asks the process to end, as `systemctl stop` does.
    func terminate() {
        process.terminate()
    }

    /// Kills the process, as in a crash.
    func kill() {
        Foundation.kill(process.processIdentifier, SIGKILL)
    }

    /// Waits for the end and returns the status.
    func status() async -> Int32 {
        for await status in ended { return status }
        return -1
    }

    /// Runs the command to its end.
    ///
    /// - Returns: The lines that it printed, errors last, and its status.
    static func run(
        _ arguments: [String], environment: [String: String] = [:], program: URL = BuiltProgram.hk
    ) async throws -> (lines: [String], status: Int32) {
        let run = try await Self.process(program, arguments, environment).finished()
        ChildMessages.record(run.errors, of: arguments)
        return ((run.output + run.errors).split(separator: "\n").map(String.init), run.status)
    }

    private static func process(
        _ program: URL, _ arguments: [String], _ environment: [String: String]
    ) -> Process {
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(["NO_COLOR": "1"]) { $1 }
            .merging(environment) { $1 }
        return process
    }
}
