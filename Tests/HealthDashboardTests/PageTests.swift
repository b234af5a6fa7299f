import Foundation
import ProcessTestSupport
import Testing

/// The page in headless Chromium against the built `hk serve`, driven by Browser/run.py. What it draws is in
/// .build/screenshots.
@Suite("Page")
struct PageTests {
    @Test(
        "The page does what people do with it, without errors and accessibly", .timeLimit(.minutes(45)),
        arguments: 1...3)
    func drivesThePage(part: Int) async throws {
        let work = FileManager.default.temporaryDirectory.appendingPathComponent("page-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: work, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: work) }
        let python = PageSources.root.appendingPathComponent(".build/python/bin/python")
        try #require(
            FileManager.default.isExecutableFile(atPath: python.path),
            "Run “make packages-test” first: it installs selenium.")
        let driver = Process()
        driver.executableURL = python
        driver.arguments = [
            PageSources.browser.appendingPathComponent("run.py").path, "--hk", BuiltProgram.hk.path, "--work",
            work.path, "--part", "\(part)/3",
            "--screenshots", PageSources.root.appendingPathComponent(".build/screenshots").path,
        ]
        let run = try await driver.finished()
        #expect(run.status == 0, "\(run.errors)\(run.output)")
    }
}
