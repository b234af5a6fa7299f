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
}
