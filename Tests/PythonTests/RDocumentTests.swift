import Foundation
import ProcessTestSupport
import Testing

@Suite("Docs/R.md")
struct RDocumentTests {
    private static let program = URL(fileURLWithPath: "/usr/bin/Rscript")
    private static let document = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Docs/R.md")

    @Test(
        "The examples run, with the store of a fictional person",
        .enabled(if: FileManager.default.isExecutableFile(atPath: program.path)))
    func examples() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("r-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = BuiltProgram.hk.deletingLastPathComponent().path + ":/usr/bin:/bin"
        let environment = ProcessInfo.processInfo.environment.merging([
            "PATH": path, "HEALTHKIT_STORE": folder.appendingPathComponent("health.sqlite").path,
        ]) { $1 }
        func run(_ program: URL, _ arguments: [String]) async throws {
            let process = Process()
            process.executableURL = program
            process.arguments = arguments
            process.currentDirectoryURL = folder
            process.environment = environment
            let (output, errors, status) = try await process.finished()
            #expect(status == 0, "\(arguments): \(output)\(errors)")
        }
        try await run(
            BuiltProgram.hk, ["generate", "demo.zip", "--records", "3000", "--until", "2025-11-16T12:00"])
        try await run(BuiltProgram.hk, ["import", "demo.zip", "--quiet"])
        let text = try String(contentsOf: Self.document, encoding: .utf8)
        let blocks = text.matches(of: /(?s)```r\n(.*?)```/).map { String($0.1) }
        #expect(blocks.count >= 3)
        let script = folder.appendingPathComponent("document.R")
        try Data(blocks.joined().utf8).write(to: script)
        try await run(Self.program, [script.path])
    }
}
