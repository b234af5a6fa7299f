import Foundation

/// A program that goes on until its input ends, and whose lines are read as they come.
final class RunningProgram {
    private let process: Process
    private let output = Pipe()
    private let input = Pipe()
    private var rest = ""

    init(_ program: String, _ arguments: [String], store: TestStore) throws {
        process = try ProgramRun.process(program, arguments, store: store.file)
        process.standardOutput = output
        process.standardInput = input
        process.standardError = FileHandle.nullDevice
        try process.run()
        // A program that never says what is waited for must not hold up the whole run.
        let identifier = process.processIdentifier
        DispatchQueue.global().asyncAfter(deadline: .now() + 3_600) { [weak process] in
            if process?.isRunning == true { kill(identifier, SIGKILL) }
        }
    }

    /// The lines up to and with the first that satisfies the condition; all there are if none does.
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

    /// Ends it as a user would, and gives its exit status.
    func end() -> Int32 {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
        return process.terminationStatus
    }

    /// Ends it as a power cut would, and gives what it had said.
    @discardableResult
    func kill9() -> [String] {
        kill(process.processIdentifier, SIGKILL)
        let lines = lines { _ in false }
        process.waitUntilExit()
        return lines
    }
}
