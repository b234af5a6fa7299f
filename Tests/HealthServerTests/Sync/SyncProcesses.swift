import Foundation
import Glibc
import ProcessTestSupport
import Synchronization

/// A started `hk` process.
final class CommandProcess: Sendable {
    private let process: Mutex<Process>
    private let output: FileHandle
    private let errors: ChildErrors
    private let ended: AsyncStream<Int32>
    /// The identifier of the process.
    let identifier: Int32

    init(_ arguments: [String], environment: [String: String] = [:]) throws {
        let process = Process()
        process.executableURL = BuiltProgram.hk
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let (output, errors) = (Pipe(), try ChildErrors(of: arguments))
        process.standardOutput = output
        process.standardError = errors.handle
        process.standardInput = FileHandle.nullDevice
        let (ended, continuation) = AsyncStream.makeStream(of: Int32.self)
        process.terminationHandler = {
            continuation.yield($0.terminationStatus)
            continuation.finish()
        }
        try process.run()
        identifier = process.processIdentifier
        self.output = output.fileHandleForReading
        self.errors = errors
        self.ended = ended
        self.process = Mutex(process)
    }

    var isRunning: Bool { process.withLock { $0.isRunning } }

    /// Ends the process at once, as a crash would.
    func killNow() {
        process.withLock { process in
            if process.isRunning { _ = kill(process.processIdentifier, SIGKILL) }
        }
    }

    /// Waits for the end and returns the status.
    func status() async -> Int32 {
        for await status in ended { return status }
        return process.withLock { $0.terminationStatus }
    }

    /// Reads one line of output; `nil` at the end.
    func line() -> String? {
        var line = Data()
        while let byte = try? output.read(upToCount: 1), !byte.isEmpty {
            if byte[0] == 0x0A { return String(decoding: line, as: UTF8.self) }
            line.append(byte)
        }
        return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
    }

    /// The output of the process, after its end.
    func printed() -> (output: String, errors: String) {
        (
            String(decoding: output.readDataToEndOfFile(), as: UTF8.self),
            errors.text
        )
    }
}

/// `hk serve` over one store, started again after it was killed.
final class ServedStore {
    let path: String
    private(set) var process: CommandProcess?

    init(path: String) {
        self.path = path
    }

    /// Starts the server unless it runs, and returns its port.
    func start() throws -> Int {
        if let process, process.isRunning, let port { return port }
        let process = try CommandProcess(["serve", "--store", path, "--port", "0", "--no-sign-in"])
        self.process = process
        while let line = process.line() {
            guard let colon = line.lastIndex(of: ":"), line.contains("http"),
                let port = Int(line[line.index(after: colon)...].prefix { $0.isNumber })
            else { continue }
            self.port = port
            return port
        }
        throw TestServerError("The server did not start: \(process.printed().errors)")
    }

    private(set) var port: Int?
}
