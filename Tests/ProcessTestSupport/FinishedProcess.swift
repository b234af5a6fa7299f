import Foundation

extension Process {
    /// Runs the process to its end, without input, and returns what it wrote.
    ///
    /// Errors go through a file, which doesn't fill up while the output is read.
    public func finish() throws -> (output: String, errors: String, status: Int32) {
        let file = URL(fileURLWithPath: NSTemporaryDirectory() + "process-errors-" + UUID().uuidString)
        try Data().write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let pipe = Pipe()
        standardInput = FileHandle.nullDevice
        standardOutput = pipe
        standardError = try FileHandle(forWritingTo: file)
        try run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        waitUntilExit()
        return (
            String(decoding: output, as: UTF8.self), String(decoding: try Data(contentsOf: file), as: UTF8.self),
            terminationStatus
        )
    }
}
