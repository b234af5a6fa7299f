import Foundation
import ProcessTestSupport
import Testing

/// The console sessions of documents. `RECORD_EXPECTED=1 swift test --filter SessionDocumentTests` replaces the answers in the
/// documents; review the difference before you commit it.
@Suite("Sessions of documents")
struct SessionDocumentTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private let scratch = Scratch()

    /// The output of a command, as lines. The shell runs it as a person would.
    private func answer(to command: String) throws -> [String] {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        let programs = BuiltProgram.hk.deletingLastPathComponent().path
        let run = try CommandRun(
            shell: "cd '\(scratch.folder.path)' && \(command)", store: scratch.store,
            environment: ["PATH": "\(programs):\(path)"])
        #expect(run.status == 0 && run.errors == "", "\(command): \(run.errors)")
        return run.output.isEmpty ? [] : run.output.components(separatedBy: "\n").dropLast()
    }

    /// The line with times masked, because they differ from run to run.
    private func withoutTimes(_ line: String) -> String {
        line.replacing(/"seconds":[0-9.e-]+/, with: "\"seconds\":…")
            .replacing(/^[0-9.]+ s, [0-9.]+ MB\/s$/, with: "… s, … MB/s")
    }

    @Test(
        "Every command prints what its document says",
        arguments: ["README.md", "Docs/CommandLine.md", "Docs/Questions.md"])
    func answers(document: String) throws {
        let file = Self.root.appendingPathComponent(document)
        let lines = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
        var (answered, commands, isInside) = ([String](), 0, false)
        for line in lines {
            if line.hasPrefix("```") { isInside = line == "```console" }
            if !isInside || line.hasPrefix("```") { answered.append(line) }
            guard isInside, line.hasPrefix("$ ") else { continue }
            commands += 1
            answered += try [line] + answer(to: String(line.dropFirst(2)))
        }
        #expect(commands >= 5)
        let changes = answered.map(withoutTimes).difference(from: lines.map(withoutTimes))
        guard !changes.isEmpty else { return }
        if ProcessInfo.processInfo.environment["RECORD_EXPECTED"] != nil {
            try Data(answered.joined(separator: "\n").utf8).write(to: file)
        } else {
            Issue.record("\(changes.map { "\($0)" }.joined(separator: "\n"))")
        }
    }

    @Test("Docs/Questions.md answers at least forty everyday questions without SQL")
    func questions() throws {
        let text = try String(contentsOf: Self.root.appendingPathComponent("Docs/Questions.md"), encoding: .utf8)
        #expect(text.matches(of: /(?m)^\*\*.+\?\*\*$/).count >= 40)
        #expect(!text.contains("$ hk sql"))
    }

    @Test("Pictures of terminals show what the commands print")
    func pictures() throws {
        let run = try CommandRun(
            shell:
                "'\(Self.root.path)/Scripts/make-screenshots' '\(BuiltProgram.hk.path)' '\(scratch.folder.path)' terminal",
            store: scratch.store)
        #expect(run.status == 0, "\(run.output)\(run.errors)")
        let made = try FileManager.default.contentsOfDirectory(atPath: scratch.folder.path).filter {
            $0.hasSuffix(".svg")
        }
        #expect(made.count >= 3)
        for name in made {
            let picture = try Data(contentsOf: Self.root.appendingPathComponent("Docs/Images/\(name)"))
            #expect(try picture == Data(contentsOf: scratch.folder.appendingPathComponent(name)), "\(name)")
        }
    }

    @Test("The steps for an export in README.md work, except installing and serving")
    func start() throws {
        let text = try String(contentsOf: Self.root.appendingPathComponent("README.md"), encoding: .utf8)
        let start = text.components(separatedBy: "### I have an export\n")[1].components(separatedBy: "```")[1]
        let commands = start.split(separator: "\n").filter { $0.hasPrefix("hk ") && !$0.hasPrefix("hk serve") }
        #expect(commands.count == 3)
        try FileManager.default.copyItem(
            at: Demo.shared.folder.appendingPathComponent("demo.zip"), to: scratch.file("export.zip"))
        for command in commands { #expect(try !answer(to: String(command)).isEmpty, "\(command)") }
    }
}
