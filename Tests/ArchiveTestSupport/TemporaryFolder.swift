import Foundation

/// A separate folder for one test, removed when let go.
package final class TemporaryFolder: Sendable {
    package let path: String

    package init() throws {
        path = NSTemporaryDirectory() + "archive-tests-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Writes a file, with folders as needed, and returns its path.
    @discardableResult
    package func write(_ bytes: [UInt8], as name: String) throws -> String {
        let url = URL(fileURLWithPath: path + "/" + name)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: url)
        return url.path
    }

    @discardableResult
    package func write(_ text: String, as name: String) throws -> String {
        try write(Array(text.utf8), as: name)
    }
}
