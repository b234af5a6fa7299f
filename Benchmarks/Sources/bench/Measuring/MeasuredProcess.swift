import Foundation

/// One run of a program, measured from outside by the small program `measure`.
struct MeasuredProcess: Sendable {
    var cost: Cost
    /// Greatest resident memory, in bytes.
    var peakMemory: Int
    /// What the program printed.
    var output: String

    /// Runs a program to its end.
    ///
    /// - Throws: ``BenchError`` when it cannot be run or fails.
    static func run(_ program: URL, _ arguments: [String], in setting: Setting) throws -> MeasuredProcess {
        let output = setting.data.appendingPathComponent("output.txt")
        defer { try? FileManager.default.removeItem(at: output) }
        let process = Process()
        process.executableURL = setting.program("measure")
        process.arguments = [output.path, program.path] + arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let told = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let text = (try? String(contentsOf: output, encoding: .utf8)) ?? ""
        let numbers = told.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
        guard numbers.count == 5, numbers[4] == 0 else {
            throw BenchError("\(program.lastPathComponent) \(arguments.first ?? "") failed: \(text)")
        }
        return MeasuredProcess(
            cost: Cost(wall: numbers[0], processor: numbers[1] + numbers[2]), peakMemory: Int(numbers[3]),
            output: text)
    }
}
