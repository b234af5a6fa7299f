import Foundation
import ProcessTestSupport

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
        let file = folder.path + "/script.py"
        try Data(script.utf8).write(to: URL(fileURLWithPath: file))
        let process = Process()
        process.executableURL = URL(fileURLWithPath: interpreter)
        process.arguments = [file] + arguments
        let run = try await process.finished()
        guard run.status == 0 else { throw TestServerError("The script failed: \(run.errors.suffix(4_000))") }
        return run.output
    }
}
