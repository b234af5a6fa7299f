import Foundation
import ProcessTestSupport
import Testing

/// The questions of Docs/Questions.md. `RECORD_EXPECTED=1 swift test --filter QuestionsTests` replaces the answers in the
/// document; review the difference before you commit it.
@Suite("Docs/Questions.md")
struct QuestionsTests {
    private static let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Docs/Questions.md")

    private let scratch = Scratch()

    /// What a command prints, as lines. The shell runs it as a person would.
    private func answer(to command: String) throws -> [String] {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        let programs = BuiltProgram.hk.deletingLastPathComponent().path
        let run = try CommandRun(
            shell: "cd '\(scratch.folder.path)' && \(command)", store: scratch.store,
            environment: ["PATH": "\(programs):\(path)"])
        #expect(run.status == 0 && run.errors == "", "\(command): \(run.errors)")
        return run.output.isEmpty ? [] : run.output.components(separatedBy: "\n").dropLast()
    }

    @Test("At least twenty-five everyday questions are answered as documented, without SQL")
    func answers() throws {
        var document = try String(contentsOf: Self.file, encoding: .utf8).components(separatedBy: "\n")
        var (answered, questions, isInside) = ([String](), 0, false)
        for line in document {
            if line.hasPrefix("```") { isInside = line == "```console" }
            if !isInside || line.hasPrefix("```") { answered.append(line) }
            if line.hasPrefix("**"), line.hasSuffix("?**") { questions += 1 }
            guard isInside, line.hasPrefix("$ ") else { continue }
            #expect(!line.contains("hk sql"))
            answered += try [line] + answer(to: String(line.dropFirst(2)))
        }
        #expect(questions >= 25)
        if ProcessInfo.processInfo.environment["RECORD_EXPECTED"] != nil {
            try Data(answered.joined(separator: "\n").utf8).write(to: Self.file)
            document = answered
        }
        let changes = answered.difference(from: document)
        #expect(changes.isEmpty, "\(changes.map { "\($0)" }.joined(separator: "\n"))")
    }
}
