import Foundation
import ProcessTestSupport
import Testing

@Suite("Files are their owner’s only, and memory stays out of dumps", .timeLimit(.minutes(15)))
struct OwnerOnlyTests {
    /// `hk` with a umask that keeps nobody out.
    private static func shell(_ arguments: [String]) -> [String] {
        ["-c", "umask 000 && exec \"$0\" \"$@\"", BuiltProgram.hk.path] + arguments
    }

    private static let sh = URL(fileURLWithPath: "/bin/sh")

    /// The files below a folder that others could open.
    private static func open(in folder: String) throws -> (open: [String], all: [String]) {
        let all = try FileManager.default.subpathsOfDirectory(atPath: folder).sorted()
        return (
            try all.filter { name in
                let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")
                return ((attributes[.posixPermissions] as? NSNumber)?.intValue ?? 0o777) & 0o077 != 0
            }, all
        )
    }

    private static func run(_ arguments: [String], _ environment: [String: String]) async throws {
        let run = try await HKProcess.run(shell(arguments), environment: environment, program: sh)
        #expect(run.status == 0, "\(arguments): \(run.lines)")
    }

    @Test("Commands, whatever the umask")
    func commands() async throws {
        let folder = try TemporaryServerFolder()
        let home = folder.path + "/home"
        try FileManager.default.createDirectory(
            atPath: home, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let environment = [
            "HOME": home, "XDG_DATA_HOME": home + "/data", "XDG_STATE_HOME": home + "/state", "HEALTHKIT_STORE": "",
            "HEALTHKIT_AUTHORIZATION": "allow",
        ]
        let out = home + "/out"
        try FileManager.default.createDirectory(
            atPath: out, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try await Self.run(["generate", out + "/demo.zip", "--records", "2000"], environment)
        try await Self.run(["import", out + "/demo.zip", "--quiet", "--report", out + "/report.json"], environment)
        try await Self.run(["add", "stepCount", "12", "count"], environment)
        for (name, format) in [
            ("a.zip", ""), ("folder", ""), ("tables", "csv"), ("a.ndjson", "ndjson"), ("a.sqlite", "sqlite"),
            ("a.json", "fhir"),
        ] {
            try await Self.run(
                ["export", "\(out)/\(name)", "--quiet"] + (format.isEmpty ? [] : ["--format", format]), environment)
        }
        try await Self.run(["backup", out + "/backups"], environment)
        try await Self.run(["restore", out + "/backups", "--store", out + "/restored/health.sqlite"], environment)
        try await Self.run(
            ["copy", home + "/data/openhealthkit/health.sqlite", out + "/copy/health.sqlite"], environment)
        try await Self.run(["rings", "--svg", out + "/rings.svg"], environment)
        try await Self.run(["watch", "stepCount", "--once", "--anchor", out + "/anchor"], environment)
        try await Self.run(["person", "add", "anna", "--data", home + "/people"], environment)
        try await Self.run(["token", "add", "n", "--owner", "--data", home + "/people"], environment)
        try await Self.run(
            ["background", "register", "org.example.app", "--type", "stepCount", "--command", "/bin/echo", "done"],
            environment)
        try await Self.run(["daemon", "--once", "--backup", out + "/daemon"], environment)
        let (open, all) = try Self.open(in: home)
        #expect(open == [])
        #expect(all.count > 30, "\(all)")
    }

    @Test("A store that its owner opened to others stays so, and hk doctor says it")
    func opened() async throws {
        let folder = try TemporaryServerFolder()
        let store = folder.path + "/health.sqlite"
        try await Self.run(["add", "stepCount", "12", "count", "--store", store], [:])
        let closed = try await HKProcess.run(["doctor", "--store", store])
        #expect(!closed.lines.contains { $0.contains("chmod 600") })
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: store)
        let open = try await HKProcess.run(["doctor", "--store", store])
        #expect(open.status == 0 && open.lines.contains { $0.contains("chmod 600") }, "\(open.lines)")
        try await Self.run(["add", "stepCount", "13", "count", "--store", store], [:])
        let mode = try FileManager.default.attributesOfItem(atPath: store)[.posixPermissions] as? NSNumber
        #expect(mode?.intValue == 0o644)
    }

    @Test("The server: stores, their logs, uploads, tokens and the audit log")
    func server() async throws {
        let folder = try TemporaryServerFolder()
        let data = folder.path + "/people"
        try await Self.run(["person", "add", "anna", "--data", data], [:])
        let token = try await HKProcess.run(
            Self.shell(["token", "add", "n", "--owner", "--data", data, "--json"]), program: Self.sh)
        let secret = try #require(
            (try JSONSerialization.jsonObject(with: Data((token.lines.first ?? "").utf8)) as? [String: Any])?["token"]
                as? String)
        let process = try HKProcess(Self.shell(["serve", "--port", "0", "--json", "--data", data]), program: Self.sh)
        var lines = process.lines.makeAsyncIterator()
        let answer = try JSONSerialization.jsonObject(with: Data((await lines.next() ?? "").utf8)) as? [String: Any]
        let url = try #require((answer?["url"] as? String).flatMap { URL(string: $0) })
        let client = TestClient(port: try #require(url.port), token: secret)
        let entries = (0..<30_000).map { #"{"qty":\#($0 % 97),"date":"2026-02-06 10:00:00 +0000"}"# }.joined(
            separator: ",")
        let posted = try await client.post(
            "/v1/people/anna/ingest/health-auto-export",
            json:
                #"{"data":{"metrics":[{"data":[\#(entries)],"units":"count","name":"step_count"},{"name":"unknown","data":[{"a":1}]}]}}"#
        )
        #expect(posted.status == 200, "\(posted.text)")
        _ = try await client.send(
            "POST", "/v1/people/anna/imports", headers: ["Content-Type": "application/zip"], body: Data("PK".utf8))
        let (open, all) = try Self.open(in: data)
        #expect(open == [])
        #expect(all.contains { $0.hasSuffix("-wal") } && all.contains { $0.hasSuffix("-shm") }, "\(all)")
        process.terminate()
        #expect(await process.status() == 0)
        #expect(try Self.open(in: data).open == [])
    }

    #if os(Linux)
        @Test("A server’s memory isn’t dumped, unless that is asked for", arguments: [false, true])
        func dumps(isAllowed: Bool) async throws {
            let folder = try TemporaryServerFolder()
            // A limit that allows dumps, where the system lets processes have one.
            let process = try HKProcess(
                [
                    "-c", "ulimit -c unlimited 2>/dev/null; exec \"$0\" \"$@\"", BuiltProgram.hk.path, "serve",
                    "--port", "0", "--json",
                ],
                environment: [
                    "HEALTHKIT_STORE": folder.path + "/a.sqlite", "HEALTHKIT_CORE_DUMPS": isAllowed ? "allow" : "",
                ],
                program: Self.sh)
            var lines = process.lines.makeAsyncIterator()
            _ = await lines.next()
            let limits = try String(contentsOfFile: "/proc/\(process.identifier)/limits", encoding: .utf8)
            let core = try #require(limits.split(separator: "\n").first { $0.hasPrefix("Max core file size") })
            let filter = try String(contentsOfFile: "/proc/\(process.identifier)/coredump_filter", encoding: .utf8)
            if isAllowed {
                #expect(Int(filter.trimmingCharacters(in: .whitespacesAndNewlines), radix: 16) != 0)
            } else {
                #expect(core.split(separator: " ").dropFirst(4).prefix(2) == ["0", "0"], "\(core)")
                #expect(Int(filter.trimmingCharacters(in: .whitespacesAndNewlines), radix: 16) == 0, "\(filter)")
            }
            process.terminate()
            #expect(await process.status() == 0)
        }
    #endif
}
