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
            ["energy"], ["energy", "--json"], ["sql", "SELECT 1"], ["sql", "SELECT 1", "--json"],
            ["export", "out.zip"], ["export", "out", "--format", "csv"], ["doctor"], ["doctor", "--json"],
            ["watch", "--once"],
            ["crosscheck", "export.zip"],
        ])
    func reading(_ arguments: [String]) throws {
        let store = scratch.file("a/health.sqlite")
        let run = try CommandRun(arguments, store: store, folder: scratch.folder)
        #expect(run.status == 64)
        #expect(run.output == "")
        #expect(run.errors == "Error: No store found at “\(store.path)”. Use “hk import” to create one.\n")
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.folder.path) == [])
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
