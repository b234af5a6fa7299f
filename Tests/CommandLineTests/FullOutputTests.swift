import Foundation
import ProcessTestSupport
import Testing

/// Output that can’t be written: a full disk, a closed pipe, a closed file.
@Suite("Output that can’t be written")
struct FullOutputTests {
    private let scratch = Scratch()
    private static let full = "Error: Can’t write to standard output: No space left on device.\n"

    private func shell(_ line: String, store: URL) throws -> CommandRun {
        try CommandRun(shell: "cd '\(scratch.folder.path)' && \(line)", store: store)
    }

    private var hk: String { "'\(BuiltProgram.hk.path)'" }

    @Test(
        "Every command that prints notices",
        arguments: [
            "--help", "help import", "--version", "--generate-completion-script bash", "types", "types --json",
            "sources",
            "samples stepCount", "samples stepCount --json", "stats stepCount --every day", "today", "rings", "energy",
            "sleep", "workouts", "profile", "sql 'SELECT 1'", "sql --schema", "doctor", "watch --all --once",
            "watch --all --once --json", "export tables --format csv", "export -", "export - --format ndjson",
            "add stepCount 5 count", "delete stepCount --dry-run", "background list", "token list", "key status",
            "authorize", "generate g.zip --records 100",
        ])
    func everyCommand(command: String) throws {
        let store = try scratch.demoStore()
        let run = try shell("\(hk) \(command) > /dev/full", store: store)
        #expect(run.status == 1)
        #expect(run.errors.hasPrefix("Error: ") && run.errors.hasSuffix(": No space left on device.\n"))
        #expect(run.errors.split(separator: "\n").count == 1)
    }

    @Test(
        "A pipe that the reader closes isn't an error",
        arguments: ["samples activeEnergyBurned --limit 0", "sql 'SELECT * FROM samples'"])
    func closedPipe(command: String) throws {
        let run = try shell(
            "(\(hk) \(command); echo $? > status) | head -n 1; cat status >&2", store: Demo.shared.store)
        #expect(run.lines.count == 1)
        // 128 and the number of SIGPIPE.
        #expect(["141\n", "0\n"].contains(run.errors))
        let ignoring = try shell(
            "trap '' PIPE; (\(hk) \(command); echo $? > status) | head -n 1; cat status >&2", store: Demo.shared.store)
        #expect(["141\n", "0\n"].contains(ignoring.errors))
    }

    /// A file beyond the limit of its size is like one on a full disk, whose text is “The disk is full”.
    @Test(
        "A store that can’t grow is an error with the reason",
        arguments: [
            "import '\(Demo.shared.file("demo.zip").path)' --quiet", "copy '\(Demo.shared.store.path)' copy.sqlite",
        ])
    func fullStore(command: String) throws {
        let run = try shell("ulimit -f 200; \(hk) \(command)", store: scratch.file("new.sqlite"))
        #expect(
            run.status == 1 && run.errors == "Error: The store cannot be written to: File too large.\n", "\(run.errors)"
        )
    }

    @Test("A store that can only be read because the disk is full says so")
    func fullDisk() throws {
        let store = try scratch.demoStore()
        // There is no room for the index of the log.
        let run = try shell("ulimit -f 8; \(hk) add stepCount 5 count", store: store)
        let reason = "The store cannot be written to: the disk was full when the store was opened."
        #expect(run.status == 1 && run.errors == "Error: \(reason)\n", "\(run.errors)")
        #expect(try CommandRun(["add", "stepCount", "5", "count"], store: store).status == 0)
    }

    @Test(
        "Nothing is left of a new store or backup for which there is no room",
        arguments: ["import '\(Demo.shared.file("demo.zip").path)' --quiet", "add stepCount 5 count"])
    func nothingLeft(command: String) throws {
        let store = scratch.file("new.sqlite")
        #expect(try shell("ulimit -f 1; \(hk) \(command)", store: store).status == 1)
        let files = try FileManager.default.contentsOfDirectory(atPath: scratch.folder.path)
        #expect(!files.contains { $0.hasPrefix("new.sqlite") }, "\(files)")
        let demo = try scratch.demoStore()
        for folder in ["none", "empty"] {
            if folder == "empty" { _ = try shell("mkdir empty", store: demo) }
            #expect(try shell("ulimit -f 8; \(hk) backup \(folder)", store: demo).status == 1)
        }
        #expect(!FileManager.default.fileExists(atPath: scratch.file("none").path))
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.file("empty").path) == [])
        // A second one that fails leaves the first.
        #expect(try shell("\(hk) backup none", store: demo).status == 0)
        #expect(try shell("ulimit -f 8; \(hk) backup none", store: demo).status == 1)
        #expect(try CommandRun(["backup", scratch.file("none").path, "--verify"], store: demo).status == 0)
    }

    @Test("A closed standard output is an error")
    func closed() throws {
        let run = try shell("\(hk) types >&-", store: Demo.shared.store)
        #expect(run.status == 1 && run.errors == "Error: Can’t write to standard output: Bad file descriptor.\n")
    }

    @Test("The anchor of hk watch moves only after the change was written", arguments: ["", "--json"])
    func watch(option: String) throws {
        func add(_ value: Int) throws {
            #expect(try CommandRun(["add", "stepCount", "\(value)", "count"], store: scratch.store).status == 0)
        }
        try add(1)
        #expect(try CommandRun(["watch", "--once"], store: scratch.store).status == 0)
        try add(2)
        let lost = try shell("\(hk) watch --once \(option) > /dev/full", store: scratch.store)
        #expect(lost.status == 1 && lost.errors == Self.full)
        let again = try shell("\(hk) watch --once --json", store: scratch.store)
        #expect(again.status == 0 && again.lines.count == 1 && again.output.contains("\"quantity\":2"))
        #expect(try shell("\(hk) watch --once --json", store: scratch.store).output == "")
    }
}
