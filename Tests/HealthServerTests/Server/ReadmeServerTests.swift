import Foundation
import ProcessTestSupport
import Testing

@testable import HealthServer

@Suite("The server in README.md", .timeLimit(.minutes(15)))
struct ReadmeServerTests {
    /// The lines of the block below the mention of this file.
    private static func commands() throws -> [String] {
        var root = URL(fileURLWithPath: #filePath)
        for _ in 0..<4 { root.deleteLastPathComponent() }
        let text = try String(contentsOf: root.appendingPathComponent("README.md"), encoding: .utf8)
        let block = try #require(text.components(separatedBy: "ReadmeServerTests.swift -->\n```sh\n").last)
        return block.components(separatedBy: "```")[0].split(separator: "\n").map(String.init)
    }

    @Test("The lines with curl work as they are written")
    func curl() async throws {
        let commands = try Self.commands()
        try #require(commands.count == 6 && commands.dropFirst().allSatisfy { $0.hasPrefix("curl ") })
        let folder = try TemporaryServerFolder()
        let environment = [
            "HEALTHKIT_STORE": folder.path + "/health.sqlite", "TZ": "America/New_York",
            "HEALTHKIT_NOW": "2025-11-16T12:00:00-05:00",
            "PATH": BuiltProgram.hk.deletingLastPathComponent().path + ":/usr/bin:/bin",
        ]
        let archive = folder.path + "/export.zip"
        #expect(
            try await HKProcess.run(["generate", archive, "--records", "5000"], environment: environment).status == 0)
        #expect(try await HKProcess.run(["import", archive, "--quiet"], environment: environment).status == 0)
        let process = try HKProcess(["serve", "--port", "0", "--json"], environment: environment)
        var lines = process.lines.makeAsyncIterator()
        let answer = try JSONSerialization.jsonObject(with: Data((await lines.next() ?? "").utf8)) as? [String: Any]
        let url = try #require((answer?["url"] as? String).flatMap { URL(string: $0) })
        let port = try #require(url.port)
        let calls = commands.dropFirst().map { $0.replacing("\"$HK", with: "--fail -sS \"$HK") + "\necho\n" }
        let script = commands[0].replacing(":8080", with: ":\(port)") + "\n" + calls.joined()
        let run = try await HKProcess.run(
            ["-ec", script], environment: environment, program: URL(fileURLWithPath: "/bin/sh"))
        process.terminate()
        #expect(run.status == 0, "\(run.lines)")
        let answers = try run.lines.map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any], "\($0)")
        }
        try #require(answers.count == 5)
        #expect(answers[0]["steps"] != nil && answers[0]["rings"] != nil)
        #expect((answers[1]["statistics"] as? [Any])?.count == 7)
        #expect((answers[2]["samples"] as? [Any])?.count == 10)
        #expect(answers[3]["saved"] as? Int == 1)
        #expect((answers[4]["added"] as? [Any])?.count == 100 && answers[4]["hasMore"] as? Bool == true)
        #expect(await process.status() == 0)
    }
}
