import Foundation
import Testing

@Suite("Help")
struct HelpTests {
    static let commands = [
        "import", "export", "crosscheck", "types", "sources", "samples", "stats", "sql", "rings", "energy", "watch",
        "add", "profile", "authorize", "generate", "doctor",
    ]

    private let scratch = Scratch()

    @Test("hk alone, hk help and hk --help explain the whole")
    func top() throws {
        let plain = try CommandRun([], store: scratch.store)
        #expect(plain.status == 0)
        try Expected.expect(plain.output, "help")
        #expect(try CommandRun(["--help"], store: scratch.store).output == plain.output)
        #expect(try CommandRun(["help"], store: scratch.store).output == plain.output)
        for command in Self.commands { #expect(plain.output.contains("\n  \(command) ")) }
    }

    @Test("Every command explains itself", arguments: commands)
    func each(command: String) throws {
        let run = try CommandRun([command, "--help"], store: scratch.store)
        #expect(run.status == 0)
        #expect(run.errors == "")
        try Expected.expect(run.output, "help-\(command)")
        for line in run.lines where !line.hasPrefix("USAGE") { #expect(line.count <= 80, "\(line)") }
        // Help needs no store and makes none.
        #expect(!FileManager.default.fileExists(atPath: scratch.store.path))
    }

    @Test("The version is told")
    func version() throws {
        #expect(try CommandRun(["--version"], store: scratch.store).output == "0.1.0\n")
    }

    @Test("Completions are made for every shell", arguments: ["bash", "zsh", "fish"])
    func completions(shell: String) throws {
        let run = try CommandRun(["--generate-completion-script", shell], store: scratch.store)
        #expect(run.status == 0)
        for word in Self.commands + ["--store", "--last"] {
            #expect(run.output.contains(word.replacing("--", with: shell == "fish" ? "" : "--")), "\(word)")
        }
    }

    @Test("The completions of bash are a script that bash takes")
    func bash() throws {
        let script = scratch.file("hk.bash")
        try Data(try CommandRun(["--generate-completion-script", "bash"], store: scratch.store).output.utf8).write(to: script)
        let bash = Process()
        bash.executableURL = URL(fileURLWithPath: "/bin/bash")
        bash.arguments = ["-n", script.path]
        try bash.run()
        bash.waitUntilExit()
        #expect(bash.terminationStatus == 0)
    }
}
