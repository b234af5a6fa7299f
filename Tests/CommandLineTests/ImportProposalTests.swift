import Foundation
import Testing

@Suite("Mappings that hk import proposes")
struct ImportProposalTests {
    private let scratch = Scratch()

    private func write(_ text: String, _ name: String) throws -> String {
        let file = scratch.file(name)
        try Data(text.utf8).write(to: file)
        return file.path
    }

    @Test("A mapping is printed, what it lacks is said, and nothing is imported; --columns reads it")
    func proposal() throws {
        let table = try write("Datum;Gewicht (kg);Stimmung\n13.05.2024;171,25;gut\n", "table.csv")
        let run = try CommandRun(["import", table, "--propose"], store: scratch.store)
        #expect(run.status == 0 && run.errors == "Left out, because it isn’t known: “Stimmung”.\n", "\(run.errors)")
        #expect(!run.output.contains("171") && !FileManager.default.fileExists(atPath: scratch.store.path))
        let mapping = try write(run.output, "mapping.json")
        let imported = try CommandRun(["import", table, "--columns", mapping, "--json"], store: scratch.store)
        let answer = try imported.json() as? [String: Any]
        #expect(answer?["added"] as? Int == 1, "\(imported.output) \(imported.errors)")
    }

    @Test(
        "What isn’t a table is an error, and so is a mapping beside the proposal",
        arguments: [(["--propose"], Int32(1)), (["--propose", "--columns", "x.json"], Int32(64))])
    func errors(options: [String], status: Int32) throws {
        let run = try CommandRun(["import", try write("no table", "a.csv")] + options, store: scratch.store)
        #expect(run.status == status && run.output.isEmpty && !run.errors.isEmpty)
    }

    @Test("A table that isn’t known names the option")
    func unknown() throws {
        let run = try CommandRun(["import", try write("one,two\n1,2\n", "a.csv")], store: scratch.store)
        #expect(run.status == 1 && run.errors.contains("--propose"))
    }
}
