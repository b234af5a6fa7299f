package import Foundation
import ProcessTestSupport

/// A program of the system that checks this project's output independently.
///
/// `make test` installs the programs; a test that finds one missing fails rather than being skipped.
package enum ExternalTool: String {
    case python3, unzip, xmllint, zip

    /// The program's executable.
    package func executable() throws -> URL {
        let path = "/usr/bin/" + rawValue
        guard FileManager.default.isExecutableFile(atPath: path) else { throw NotInstalled(path: path) }
        return URL(fileURLWithPath: path)
    }

    /// Runs the program to its end.
    package func run(
        _ arguments: [String], in folder: String? = nil
    ) throws -> (output: String, errors: String, status: Int32) {
        let process = Process()
        process.executableURL = try executable()
        process.arguments = arguments
        process.currentDirectoryURL = folder.map { URL(fileURLWithPath: $0) }
        return try process.finish()
    }

    private struct NotInstalled: Error, CustomStringConvertible {
        var path: String
        var description: String {
            "\(path) is not installed. Run `make packages`, which installs it, or install it yourself."
        }
    }
}
