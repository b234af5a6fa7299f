import Foundation
import Testing

@Suite("hk imports")
struct ImportsTests {
    private let scratch = Scratch()

    @Test("Each import is listed with the file’s name, the newest first, and a dry run isn’t")
    func list() throws {
        func run(_ arguments: String...) throws -> CommandRun { try CommandRun(arguments, store: scratch.store) }
        let record = """
             <Record type="HKQuantityTypeIdentifierStepCount" sourceName="P" unit="count" startDate="2025-11-01 08:00:00 -0500" endDate="2025-11-01 08:10:00 -0500" value="100"/>
            """
        let (first, second) = (
            try scratch.archive(record, name: "first.xml").path,
            try scratch.archive(record + "\n" + record.replacing("08:", with: "09:"), name: "second.xml").path
        )
        _ = try run("import", first, "--quiet")
        _ = try run("import", second, "--quiet", "--dry-run")
        _ = try run("import", second, "--quiet")
        #expect(try run("import", "nowhere.zip").status != 0)
        let list = try #require(try run("imports", "--json").json() as? [[String: Any]])
        #expect(list.map { $0["file"] as? String } == ["second.xml", "first.xml"])
        #expect(list.map { $0["added"] as? Int } == [1, 1])
        #expect(list.map { $0["alreadyThere"] as? Int } == [1, 0])
        let text = try run("imports").output
        #expect(text.contains("second.xml") && !text.contains(scratch.store.path))
    }

    @Test("An import is undone, and can be repeated")
    func undo() throws {
        func run(_ arguments: String...) throws -> CommandRun { try CommandRun(arguments, store: scratch.store) }
        func steps() throws -> Int { try run("samples", "stepCount", "--limit", "0", "--json").objects().count }
        let record = """
             <Record type="HKQuantityTypeIdentifierStepCount" sourceName="P" unit="count" startDate="2025-11-01 08:00:00 -0500" endDate="2025-11-01 08:10:00 -0500" value="100"/>
            """
        let (first, second) = (
            try scratch.archive(record, name: "first.xml").path,
            try scratch.archive(record + "\n" + record.replacing("08:", with: "09:"), name: "second.xml").path
        )
        #expect(try run("import", first, "--quiet").status == 0)
        #expect(try run("import", second, "--quiet").status == 0)
        let account = "type       source  samples\nstepCount  P             1\n"
        let dry = try run("imports", "undo", "2", "--dry-run")
        #expect(dry.status == 0 && dry.output == account + "Nothing was deleted.\n", "\(dry.output)")
        let refused = try run("imports", "undo", "2")
        #expect(
            refused.status == 64
                && refused.errors
                    == "Error: Confirmation requires a terminal, so nothing was deleted. Use --yes to delete without confirmation.\n"
        )
        #expect(try steps() == 2)
        let undone = try run("imports", "undo", "2", "--yes")
        #expect(
            undone.status == 0 && undone.output == account + "Undid the import of “second.xml”: deleted 1.\n",
            "\(undone.output)")
        #expect(try steps() == 1)
        let list = try #require(try run("imports", "--json").json() as? [[String: Any]])
        #expect(list.map { $0["number"] as? Int } == [1])
        #expect(try run("import", second, "--quiet").status == 0)
        #expect(try steps() == 2)
        let json = try #require(try run("imports", "undo", "3", "--yes", "--json").json() as? [String: Any])
        #expect(json["deleted"] as? Int == 1)
        for (arguments, message) in [
            (["undo"], "Which one? hk imports undo NUMBER, as hk imports lists it."),
            (["undo", "9", "--yes"], "Import 9 not found. Nothing was deleted."),
            (["redo", "1"], "“redo” is not an action. Use hk imports undo NUMBER."),
            (["--yes"], "--yes and --dry-run are for undo."),
        ] {
            let run = try CommandRun(["imports"] + arguments, store: scratch.store)
            #expect(run.status != 0 && run.errors.hasPrefix("Error: \(message)\n"), "\(run.errors)")
        }
    }
}
