import Foundation

/// A folder for what all tests of a run share, removed when the run ends.
final class TemporaryHome: Sendable {
    let path: String

    init() {
        path = NSTemporaryDirectory() + "dialect-archives-\(ProcessInfo.processInfo.processIdentifier)"
        try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        atexit {
            try? FileManager.default.removeItem(
                atPath: NSTemporaryDirectory() + "dialect-archives-\(ProcessInfo.processInfo.processIdentifier)")
        }
    }
}
