import Foundation
import ProcessTestSupport
import Testing

@testable import HealthServer

@Suite("The first requests of documents", .timeLimit(.minutes(15)))
struct FirstRequestsTests {
    /// The lines of a document's first block of commands below a text.
    private static func commands(of document: String, below text: String) throws -> [String] {
        var root = URL(fileURLWithPath: #filePath)
        for _ in 0..<4 { root.deleteLastPathComponent() }
        let content = try String(contentsOf: root.appendingPathComponent(document), encoding: .utf8)
        let below = try #require(content.components(separatedBy: text).last)
        return below.components(separatedBy: "```")[1].split(separator: "\n").dropFirst().map(String.init)
    }

    @Test("The lines with curl work as they are written")
    func curl() async throws {
        let commands = try Self.commands(of: "Docs/API.md", below: "FirstRequestsTests.swift -->")
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

    @Test("The steps for a backend in README.md end with an answer")
    func start() async throws {
        let commands = try Self.commands(of: "README.md", below: "### I run a study or a backend\n")
        try #require(commands.count == 5 && commands[3].hasPrefix("hk serve ") && commands[4].hasPrefix("curl "))
        let folder = try TemporaryServerFolder()
        let environment = [
            "TZ": "America/New_York", "HEALTHKIT_NOW": "2025-11-16T12:00:00-05:00",
            "PATH": BuiltProgram.hk.deletingLastPathComponent().path + ":/usr/bin:/bin",
        ]
        #expect(
            try await HKProcess.run(
                ["generate", folder.path + "/export.zip", "--records", "5000"], environment: environment
            ).status == 0)
        // Listens on any port, and curl asks at the one it prints.
        let server = commands[3].replacing("--port 8080", with: "--port 0").replacing(" &", with: " >serving &")
        let script =
            (["cd '\(folder.path)'"] + commands[..<3] + [
                "mkfifo serving", server, "exec 3<serving", "trap 'kill $!; wait $!' EXIT", "read line <&3",
                "port=${line##*:} port=${port%/}",
                commands[4].replacing("curl ", with: "curl --fail -sS ").replacing(":8080", with: ":$port"),
            ]).joined(separator: "\n")
        let run = try await HKProcess.run(
            ["-ec", script], environment: environment, program: URL(fileURLWithPath: "/bin/sh"))
        #expect(run.status == 0 && run.lines.contains { $0.contains("\"steps\"") }, "\(run.lines)")
    }
}
