import Foundation
import ProcessTestSupport

/// A program that runs until its input ends and whose output is read line by line.
final class RunningProgram {
    private let process: Process
    private let output = Pipe()
    private let input = Pipe()
    private let errors: ChildErrors
    private var rest = ""

    init(_ program: String, _ arguments: [String], store: TestStore) throws {
        process = try ProgramRun.process(program, arguments, store: store.file)
        errors = try ChildErrors(of: arguments)
        process.standardOutput = output
        process.standardInput = input
        process.standardError = errors.handle
        try process.run()
        // A program that never prints the expected line must not block the test run.
        let identifier = process.processIdentifier
        DispatchQueue.global().asyncAfter(deadline: .now() + 3_600) { [weak process] in
            if process?.isRunning == true { kill(identifier, SIGKILL) }
        }
    }

    /// Returns the lines up to and including the first that satisfies the condition, or all lines if none does.
    func lines(until isLast: (String) -> Bool) -> [String] {
        var lines: [String] = []
        while true {
            while let end = rest.firstIndex(of: "\n") {
                lines.append(String(rest[..<end]))
                rest = String(rest[rest.index(after: end)...])
                if isLast(lines[lines.count - 1]) { return lines }
            }
            let data = output.fileHandleForReading.availableData
            if data.isEmpty { return lines }
            rest += String(decoding: data, as: UTF8.self)
        }
    }

    /// Ends the program by closing its input, and returns its exit status.
    func end() -> Int32 {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
        return process.terminationStatus
    }

    /// Ends the program with `SIGKILL`, and returns the lines that were not read yet.
    @discardableResult
    func kill9() -> [String] {
        kill(process.processIdentifier, SIGKILL)
        let lines = lines { _ in false }
        process.waitUntilExit()
        return lines
    }
}
