import Foundation
import Testing

/// Texts that commands print, kept word for word in Tests/Fixtures/CommandLine.
///
/// `RECORD_EXPECTED=1 swift test --filter CommandLineTests` writes what the commands print now; the
/// difference is then read before it is committed.
enum Expected {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Fixtures/CommandLine")

    /// Expects that the text is the one kept under this name.
    static func expect(_ text: String, _ name: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let file = folder.appendingPathComponent(name + ".txt")
        if ProcessInfo.processInfo.environment["RECORD_EXPECTED"] != nil {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
        let expected = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        #expect(text == expected, "differs from \(name).txt", sourceLocation: sourceLocation)
    }
}
