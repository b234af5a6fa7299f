import Foundation

/// A program that runs beside a measurement, such as a server, and what it uses.
final class RunningProgram {
    private let process = Process()
    private let output = Pipe()
    private var text = ""

    /// Starts a program.
    init(_ program: URL, _ arguments: [String]) throws {
        process.executableURL = program
        process.arguments = arguments
        process.standardOutput = output
        // Problems that it reports are of interest, but must not be treated as output.
        process.standardError = FileHandle.standardError
        try process.run()
    }

    deinit {
        if process.isRunning { process.terminate() }
    }

    /// Waits until the output is complete and returns it.
    ///
    /// - Throws: ``BenchError`` if the program ends before.
    func output(until isComplete: (String) -> Bool) throws -> String {
        while !isComplete(text) {
            let data = output.fileHandleForReading.availableData
            guard !data.isEmpty else {
                throw BenchError("\(process.executableURL?.lastPathComponent ?? "") ended: \(text)")
            }
            text += String(decoding: data, as: UTF8.self)
        }
        return text
    }

    /// Limits the processor time of all its threads; see ``ProcessorLimit``.
    func setLimit(_ limit: ProcessorLimit) throws { try limit.limit(process.processIdentifier) }

    /// Ends the program as a system does, and waits for it. Does nothing if it has ended.
    func stop() {
        guard process.isRunning else { return }
        process.terminate()
        process.waitUntilExit()
    }

    /// The resident memory in bytes.
    func residentBytes() throws -> Int { try memory("VmRSS:") }

    /// The largest resident memory since the start, in bytes.
    func peakResidentBytes() throws -> Int { try memory("VmHWM:") }

    private func memory(_ name: String) throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix(name) }
        guard let number = line?.split(whereSeparator: \.isWhitespace).dropFirst().first, let kilobytes = Int(number)
        else {
            throw BenchError("The memory of a process can't be read")
        }
        return kilobytes * 1_024
    }

    /// The processor time of all threads since the start, in seconds.
    func processorSeconds() throws -> Double {
        let text = try String(contentsOfFile: "/proc/\(process.processIdentifier)/stat", encoding: .utf8)
        // The name, in parentheses, can contain spaces. Times are the 12th and 13th field after it.
        let fields = text[(text.lastIndex(of: ")") ?? text.startIndex)...].split(separator: " ")
        guard fields.count > 13, let user = Double(fields[12]), let system = Double(fields[13]) else {
            throw BenchError("The times of a process can't be read")
        }
        return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }
}
