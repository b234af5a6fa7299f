import Foundation

/// Runs scripts with the Python packages of `Scripts/install-python`, such as official clients of a protocol.
enum PythonScript {
    /// The virtual environment that `make test` installs.
    static let interpreter = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent(".build/python/bin/python").path

    /// Runs a script and returns what it printed.
    ///
    /// - Throws: ``TestServerError`` with its errors if it fails.
    static func run(_ script: String, _ arguments: [String]) async throws -> String {
        guard FileManager.default.isExecutableFile(atPath: interpreter) else {
            throw TestServerError("There is no \(interpreter). “make test” installs it; see Scripts/install-python.")
        }
        let folder = try TemporaryServerFolder()
        let (file, output, errors) = (folder.path + "/script.py", folder.path + "/output", folder.path + "/errors")
        for (path, text) in [(file, script), (output, ""), (errors, "")] {
            try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: interpreter)
        process.arguments = [file] + arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: output))
        process.standardError = try FileHandle(forWritingTo: URL(fileURLWithPath: errors))
        let status: Int32 = try await withCheckedThrowingContinuation { continuation in
            process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
            do {
                try process.run()
            } catch {
                continuation.resume(throwing: error)
            }
        }
        guard status == 0 else {
            throw TestServerError(
                "The script failed: \(try String(contentsOfFile: errors, encoding: .utf8).suffix(4_000))")
        }
        return try String(contentsOfFile: output, encoding: .utf8)
    }
}
