import Foundation
import Testing

/// Docs/Testing.md contains the example that is run.
struct ExampleDocumentTests {
    @Test func documentContainsTheExample() throws {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let root = tests.deletingLastPathComponent().deletingLastPathComponent()
        let example = try String(contentsOf: tests.appendingPathComponent("ExampleTests.swift"), encoding: .utf8)
        let page = try String(contentsOf: root.appendingPathComponent("Docs/Testing.md"), encoding: .utf8)
        #expect(page.contains("```swift\n\(example)```\n"))
    }
}
