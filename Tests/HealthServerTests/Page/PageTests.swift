import Foundation
import ProcessTestSupport
import Testing

/// The page in headless Chromium against the built `hk serve`: Scripts/page-tests. What it draws is in
/// .build/screenshots.
@Suite("Page")
struct PageTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    @Test(
        "The page does what people do with it, without errors and accessibly", .timeLimit(.minutes(45)),
        arguments: 1...2)
    func drivesThePage(part: Int) async throws {
        let work = FileManager.default.temporaryDirectory.appendingPathComponent("page-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: work, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: work) }
        let python = Self.root.appendingPathComponent(".build/python/bin/python")
        try #require(
            FileManager.default.isExecutableFile(atPath: python.path),
            "Run “make packages-test” first: it installs selenium.")
        let driver = Process()
        driver.executableURL = python
        driver.arguments = [
            Self.root.appendingPathComponent("Scripts/page-tests/run.py").path, "--hk", BuiltProgram.hk.path, "--work",
            work.path, "--part", "\(part)/2",
            "--screenshots", Self.root.appendingPathComponent(".build/screenshots").path,
        ]
        let run = try await driver.finished()
        #expect(run.status == 0, "\(run.output)\(run.errors)")
    }
}
