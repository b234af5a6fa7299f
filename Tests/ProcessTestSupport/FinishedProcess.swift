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

    /// Runs the process to its end, without input and without blocking a thread, and returns what it wrote.
    ///
    /// Both outputs go through files: processes that start at the same time inherit each other's pipes, whose end then
    /// comes with the last of them.
    public func finished() async throws -> (output: String, errors: String, status: Int32) {
        let files = ["output", "errors"].map {
            URL(fileURLWithPath: NSTemporaryDirectory() + "process-\($0)-" + UUID().uuidString)
        }
        defer { for file in files { try? FileManager.default.removeItem(at: file) } }
        for file in files { try Data().write(to: file) }
        standardInput = FileHandle.nullDevice
        standardOutput = try FileHandle(forWritingTo: files[0])
        standardError = try FileHandle(forWritingTo: files[1])
        let status: Int32 = try await withCheckedThrowingContinuation { continuation in
            terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
            do {
                try run()
            } catch {
                continuation.resume(throwing: error)
            }
        }
        let texts = try files.map { String(decoding: try Data(contentsOf: $0), as: UTF8.self) }
        return (texts[0], texts[1], status)
    }
}
