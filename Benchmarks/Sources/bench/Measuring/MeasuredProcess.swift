import Foundation

/// A finished run of a program, measured by the helper program `measure`.
struct MeasuredProcess: Sendable {
    var cost: Cost
    /// The peak resident memory in bytes.
    var peakMemory: Int
    /// The output of the program.
    var output: String

    /// Runs a program and waits for it to finish.
    ///
    /// - Throws: ``BenchError`` if the program can't be run or fails.
    static func run(_ program: URL, _ arguments: [String], in setting: Setting) throws -> MeasuredProcess {
        let output = setting.data.appendingPathComponent("output.txt")
        defer { try? FileManager.default.removeItem(at: output) }
        let process = Process()
        process.executableURL = setting.program("measure")
        process.arguments = [output.path, program.path] + arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let printed = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let text = (try? String(contentsOf: output, encoding: .utf8)) ?? ""
        let numbers = printed.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
        guard numbers.count == 5, numbers[4] == 0 else {
            throw BenchError("\(program.lastPathComponent) \(arguments.first ?? "") failed: \(text)")
        }
        return MeasuredProcess(
            cost: Cost(wall: numbers[0], processor: numbers[1] + numbers[2]), peakMemory: Int(numbers[3]),
            output: text)
    }
}

/// The reason why a measurement failed.
struct BenchError: Error, CustomStringConvertible {
    var description: String

    init(_ description: String) {
        self.description = description
    }
}
