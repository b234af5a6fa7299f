import Foundation
import Testing

/// Expected outputs of commands, kept verbatim in Tests/Fixtures/CommandLine.
///
/// `RECORD_EXPECTED=1 swift test --filter CommandLineTests` replaces them with the current outputs; review the
/// difference before you commit it.
enum Expected {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Fixtures/CommandLine")

    /// Expects the text to equal the fixture with this name.
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
