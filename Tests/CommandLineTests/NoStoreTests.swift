import Foundation
import Testing

@Suite("Commands without a store")
struct NoStoreTests {
    private let scratch = Scratch()

    @Test(
        "A command that reads reports the missing store in one line and doesn’t create it",
        arguments: [
            ["types"], ["types", "--json"], ["samples", "stepCount"], ["samples", "stepCount", "--json"],
            ["stats", "stepCount"],
            ["stats", "stepCount", "--json"], ["sources"], ["sources", "--json"], ["sources", "--type", "stepCount"],
            ["rings"], ["rings", "--json"], ["sleep"], ["sleep", "--json"], ["workouts"], ["workouts", "1"], ["today"],
            ["highlights"],
            ["energy"], ["energy", "--json"], ["sql", "SELECT 1"], ["sql", "SELECT 1", "--json"],
            ["export", "out.zip"], ["export", "out", "--format", "csv"], ["doctor"], ["doctor", "--json"],
            ["watch", "--once"], ["daemon", "--once"], ["backup", "backups"],
        ])
    func reading(_ arguments: [String]) throws {
        let store = scratch.file("a/health.sqlite")
        let run = try CommandRun(arguments, store: store, folder: scratch.folder)
        #expect(run.status == 64)
        #expect(run.output == "")
        #expect(
            run.errors
                == "Error: No store found at “\(store.path)”. Use “hk import” to create one, or “hk --demo types” to look around.\n"
        )
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.folder.path) == [])
    }

    @Test("A store that was truncated to zero bytes is created by commands that add, and rejected by those that read")
    func cutStore() throws {
        let store = try scratch.emptyStore()
        func cut() throws { try Data().write(to: store) }
        try cut()
        let sentence = "\(store.path) is empty, and not a store. If it was one, it was truncated: restore a backup."
        for arguments in [
            ["types"], ["samples", "stepCount"], ["stats", "stepCount"], ["sources"], ["sql", "SELECT 1"], ["doctor"],
            ["doctor", "--repair"], ["today"], ["rings"], ["watch", "--once"], ["profile"], ["background"],
            ["export", "out.zip"],
            ["backup", scratch.file("backups").path], ["key", "add", "--key-file", scratch.file("key").path],
            ["copy", store.path, scratch.file("copy.sqlite").path], ["daemon", "--once"], ["serve", "--port", "0"],
        ] {
            if arguments[0] == "key" { _ = try CommandRun(["key", "make", scratch.file("key").path], store: store) }
            let run = try CommandRun(arguments, store: store, folder: scratch.folder)
            #expect(run.status != 0 && run.errors.contains(sentence), "\(arguments): \(run.errors)\(run.output)")
            #expect(try Data(contentsOf: store).isEmpty, "\(arguments)")
        }
        let archive = try scratch.archive("")
        for arguments in [["add", "stepCount", "7", "count"], ["import", archive.path, "--quiet"]] {
            try cut()
            #expect(try CommandRun(arguments, store: store).status == 0)
            #expect(try CommandRun(["types"], store: store).status == 0)
        }
        // A log says that it was a store.
        try cut()
        try Data(count: 8_272).write(to: scratch.file("health.sqlite-wal"))
        for arguments in [["types"], ["add", "stepCount", "7", "count"], ["import", archive.path, "--quiet"]] {
            let run = try CommandRun(arguments, store: store)
            #expect(run.status == 1 && run.errors.contains("the file was truncated"), "\(run.errors)")
            #expect(try Data(contentsOf: store).isEmpty)
        }
    }

    @Test(
        "A command that writes creates the store and its folders",
        arguments: [
            ["add", "stepCount", "7", "count"], ["profile", "--sex", "female"],
            ["authorize", "org.example.app", "--read", "stepCount"],
            ["sources", "--type", "stepCount", "--reset"],
            ["background", "register", "org.example.app", "--type", "stepCount", "--command", "/bin/true"],
        ])
    func writing(_ arguments: [String]) throws {
        let store = scratch.file("a/b/health.sqlite")
        #expect(try CommandRun(arguments, store: store).status == 0)
        #expect(FileManager.default.fileExists(atPath: store.path))
        #expect(try CommandRun(["types"], store: store).status == 0)
    }

    @Test("An import creates the store; a dry run does not")
    func importing() throws {
        let archive = try scratch.archive("")
        _ = try CommandRun(["import", archive.path, "--dry-run", "--quiet"], store: scratch.store)
        #expect(!FileManager.default.fileExists(atPath: scratch.store.path))
        #expect(try CommandRun(["import", archive.path, "--quiet"], store: scratch.store).status == 0)
        #expect(FileManager.default.fileExists(atPath: scratch.store.path))
    }
}
