import Foundation
import ProcessTestSupport
import Testing

@Suite("hk --demo")
struct DemoStoreTests {
    private static let note = "Demo: a fictional person. Nothing is stored.\n"
    private let scratch = Scratch()

    @Test("Answers are those about an archive that hk generate writes")
    func sameAnswers() throws {
        let archive = scratch.file("demo.zip").path
        for arguments in [
            ["generate", archive, "--records", "40000", "--ios", "26", "--no-defects"],
            ["import", archive, "--time-zone", "America/New_York", "--quiet"],
        ] {
            let run = try CommandRun(arguments, store: scratch.store)
            #expect(run.status == 0, "\(run.errors)")
        }
        let empty = scratch.file("none.sqlite")
        for arguments in [
            ["stats", "steps", "--every", "day", "--last", "week"], ["sleep", "--last", "7d", "--json"],
            ["workouts", "--limit", "5"],
        ] {
            let own = try CommandRun(arguments, store: scratch.store)
            let demo = try CommandRun(["--demo"] + arguments, store: empty)
            #expect(own.status == 0 && own.output.count > 100)
            #expect(demo.output == own.output && demo.status == 0)
            #expect(demo.errors == Self.note)
        }
        #expect(!FileManager.default.fileExists(atPath: empty.path))
    }

    @Test(
        "Nothing is left of it, after a command that writes, one that fails, and one that a signal ends",
        arguments: [
            ("hk add steps 5 count --demo", 0), ("hk --demo stats nothing", 64),
            ("mkfifo notes; hk watch --demo 2>notes & read line <notes; rm notes; kill $!; wait $!", 143),
            ("mkfifo out; hk serve --demo --port 0 --json >out & read line <out; rm out; kill $!; wait $!", 0),
            // While the store is made.
            (
                "true; hk serve --demo --port 0 & until ls -d hk-demo-* || ! kill -0 $!; do :; done >/dev/null 2>&1; "
                    + "kill $!; wait $!", 143
            ),
        ])
    func nothingIsLeft(line: String, status: Int32) throws {
        let run = try CommandRun(
            shell: "cd '\(scratch.folder.path)' && \(line.replacing("hk ", with: "'\(BuiltProgram.hk.path)' "))",
            store: scratch.store, environment: ["TMPDIR": scratch.folder.path])
        #expect(run.status == status, "\(run.errors)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.folder.path) == [])
    }

    @Test("It isn’t encrypted with the key of one’s own stores")
    func noKey() throws {
        let run = try CommandRun(
            shell: "'\(BuiltProgram.hk.path)' --demo key", store: scratch.store,
            environment: ["HEALTHKIT_KEY_FILE": scratch.file("none").path])
        #expect(run.status == 0 && run.output.contains("not encrypted"), "\(run.errors)")
        #expect(run.errors == Self.note)
    }

    @Test("A store can’t be named, and fictional data reaches no other store")
    func refused() throws {
        let named = try CommandRun(["--demo", "types", "--store", scratch.store.path], store: scratch.store)
        #expect(named.status == 64 && named.errors.hasPrefix("Error: --demo and --store can’t be combined.\n"))
        let served = try CommandRun(["serve", "--demo", "--data", scratch.folder.path], store: scratch.store)
        #expect(served.status == 64 && served.errors.hasPrefix("Error: --demo and --data can’t be combined.\n"))
        for arguments in [
            ["sync", "http://127.0.0.1:1"], ["copy", scratch.store.path, scratch.file("b.sqlite").path], ["daemon"],
            ["generate", scratch.file("out.zip").path], ["redact", scratch.store.path, scratch.file("out.zip").path],
            ["database", "init", "postgresql://127.0.0.1:1/health"], ["key", "make", scratch.file("key").path],
        ] {
            let run = try CommandRun(["--demo"] + arguments, store: scratch.store)
            #expect(run.status == 64 && run.output == "")
            #expect(run.errors == "Error: This command has no demo. Look around with “hk --demo types”.\n")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.folder.path) == [])
    }
}
