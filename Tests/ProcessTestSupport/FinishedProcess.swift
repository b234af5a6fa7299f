public import Foundation

extension Process {
    /// Runs the process to its end, without input, and returns what it wrote.
    ///
    /// Both outputs go through files, which don't fill up. A pipe would be inherited by processes that start at the same
    /// time, and its end would come with the last of them.
    public func finish() throws -> (output: String, errors: String, status: Int32) {
        let files = try outputFiles()
        defer { for file in files { try? FileManager.default.removeItem(at: file) } }
        try run()
        waitUntilExit()
        let texts = try files.map { String(decoding: try Data(contentsOf: $0), as: UTF8.self) }
        return (texts[0], texts[1], terminationStatus)
    }

    /// Runs the process to its end as ``finish()`` does, without blocking a thread.
    public func finished() async throws -> (output: String, errors: String, status: Int32) {
        let files = try outputFiles()
        defer { for file in files { try? FileManager.default.removeItem(at: file) } }
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

    /// Files that the output and the errors go to.
    private func outputFiles() throws -> [URL] {
        let files = ["output", "errors"].map {
            URL(fileURLWithPath: NSTemporaryDirectory() + "process-\($0)-" + UUID().uuidString)
        }
        for file in files { try Data().write(to: file) }
        standardInput = FileHandle.nullDevice
        standardOutput = try FileHandle(forWritingTo: files[0])
        standardError = try FileHandle(forWritingTo: files[1])
        return files
    }
}
