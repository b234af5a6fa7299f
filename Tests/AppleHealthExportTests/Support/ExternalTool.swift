import Foundation

/// A program of the system that checks this project's output independently.
///
/// `make test` installs the programs; a test that finds one missing fails rather than being skipped.
enum ExternalTool: String {
    case python3, unzip, xmllint, zip

    /// The program's executable.
    func executable() throws -> URL {
        let path = "/usr/bin/" + rawValue
        guard FileManager.default.isExecutableFile(atPath: path) else { throw NotInstalled(path: path) }
        return URL(fileURLWithPath: path)
    }

    private struct NotInstalled: Error, CustomStringConvertible {
        var path: String
        var description: String {
            "\(path) is not installed. Run `make packages`, which installs it, or install it yourself."
        }
    }
}
