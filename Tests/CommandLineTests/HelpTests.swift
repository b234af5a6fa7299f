import Foundation
import Testing

@Suite("Help")
struct HelpTests {
    static let commands = [
        "import", "imports", "export", "types", "sources", "samples", "stats", "sql", "today",
        "highlights", "rings",
        "energy",
        "sleep",
        "workouts", "gaps", "cycles", "changes", "watch", "add", "delete", "profile", "authorize", "background",
        "daemon",
        "generate", "doctor", "cohort",
        "serve", "person", "token", "sync", "mcp",
        "database", "copy", "redact", "backup", "restore", "key",
    ]

    private let scratch = Scratch()

    @Test("hk, hk help and hk --help print the overview")
    func top() throws {
        let plain = try CommandRun([], store: scratch.store)
        #expect(plain.status == 0)
        try Expected.expect(plain.output, "help")
        #expect(try CommandRun(["--help"], store: scratch.store).output == plain.output)
        #expect(try CommandRun(["help"], store: scratch.store).output == plain.output)
        let listed = plain.output.matches(of: /(?m)^  ([a-z]+)\s\s/).map { String($0.1) }
        #expect(listed.sorted() == Self.commands.sorted())
    }

    @Test("Every command has help", arguments: commands)
    func each(command: String) throws {
        let run = try CommandRun([command, "--help"], store: scratch.store)
        #expect(run.status == 0)
        #expect(run.errors == "")
        try Expected.expect(run.output, "help-\(command)")
        for line in run.lines where !line.hasPrefix("USAGE") { #expect(line.count <= 80, "\(line)") }
        // Who copies an example copies one line.
        let following = run.output.components(separatedBy: "\n").dropFirst()
        for (line, next) in zip(run.output.components(separatedBy: "\n"), following) where line.hasPrefix("  hk ") {
            #expect(next.isEmpty || next.hasPrefix("  "), "\(line) is wrapped")
        }
        // Help neither needs nor creates a store.
        #expect(!FileManager.default.fileExists(atPath: scratch.store.path))
    }

    /// swift-argument-parser checks definitions itself in debug builds only.
    @Test("No command has two options of one name, or an argument after one that takes all the rest")
    func definitions() throws {
        func check(_ command: [String: Any], _ path: String) {
            let arguments = command["arguments"] as? [[String: Any]] ?? []
            let names = arguments.flatMap { $0["names"] as? [[String: String]] ?? [] }
            #expect(!names.isEmpty && Set(names).count == names.count, "\(path)")
            let positional = arguments.filter { $0["kind"] as? String == "positional" }
            #expect(!positional.dropLast().contains { $0["isRepeating"] as? Bool == true }, "\(path)")
            for subcommand in command["subcommands"] as? [[String: Any]] ?? [] {
                check(subcommand, "\(path) \(subcommand["commandName"] as? String ?? "")")
            }
        }
        let help = try CommandRun(["--experimental-dump-help"], store: scratch.store).json() as? [String: Any]
        check(try #require(help?["command"] as? [String: Any]), "hk")
    }

    @Test("--version prints the version, and those of the C libraries inside")
    func version() throws {
        let lines = try CommandRun(["--version"], store: scratch.store).lines
        #expect(lines.count == 5 && lines[0] == "0.1.0")
        #expect(
            lines[1].wholeMatch(of: /SQLite 3\.\d+\.\d+/) != nil && lines[2].wholeMatch(of: /zlib 1\.[\d.]+/) != nil)
        // As the packages that are linked say.
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let versions = try String(
            contentsOf: root.appendingPathComponent("Scripts/tables/package-versions.tsv"), encoding: .utf8)
        for (line, place) in [
            (lines[3], "swift-crypto/Sources/CCryptoBoringSSL"), (lines[4], "swift-nio-ssl/Sources/CNIOBoringSSL"),
        ] {
            let parts = try #require(line.wholeMatch(of: /BoringSSL ([0-9a-f]{12}) \(([a-z-]+) ([\d.]+)\)/))
            #expect(versions.contains("\n\(parts.2)\t\(parts.3)\t"))
            let sources = root.appendingPathComponent(".build/checkouts/\(place)/hash.txt")
            guard let hash = try? String(contentsOf: sources, encoding: .utf8) else { continue }
            #expect(hash.contains("at revision \(parts.1)"), "\(place)")
        }
    }

    @Test("Completion scripts exist for every shell", arguments: ["bash", "zsh", "fish"])
    func completions(shell: String) throws {
        let run = try CommandRun(["--generate-completion-script", shell], store: scratch.store)
        #expect(run.status == 0)
        for word in Self.commands + ["--store", "--last"] {
            #expect(run.output.contains(word.replacing("--", with: shell == "fish" ? "" : "--")), "\(word)")
        }
    }

    @Test("The bash completion script is valid bash")
    func bash() throws {
        let script = scratch.file("hk.bash")
        try Data(try CommandRun(["--generate-completion-script", "bash"], store: scratch.store).output.utf8).write(
            to: script)
        let run = try CommandRun(shell: "bash -n '\(script.path)'", store: scratch.store)
        #expect(run.status == 0, "\(run.errors)")
    }
}
