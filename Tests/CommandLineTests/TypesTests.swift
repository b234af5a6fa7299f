import Foundation
import Testing

@Suite("hk types")
struct TypesTests {
    private let scratch = Scratch()

    @Test("The demo’s types, printed as a table")
    func table() throws {
        try Expected.expect(try CommandRun(["types"], store: Demo.shared.store).output, "types")
    }

    @Test("--json has the documented keys, and dates with the UTC offset in effect")
    func json() throws {
        let run = try CommandRun(["types", "--json"], store: Demo.shared.store)
        #expect(run.lines.count == 1)
        let types = try run.objects()
        #expect(types.count == 36)
        for type in types { #expect(Set(type.keys) == ["type", "count", "startDate", "endDate"]) }
        let steps = try #require(types.first { $0["type"] as? String == "HKQuantityTypeIdentifierStepCount" })
        #expect(steps["count"] as? Int == 260)
        #expect((steps["startDate"] as? String)?.contains(/^2025-11-03T\d\d:\d\d:\d\d-05:00$/) == true)
        let berlin = try CommandRun(["types", "--json"], store: Demo.shared.store, timeZone: "Europe/Berlin").objects()
        #expect((berlin[0]["endDate"] as? String)?.hasSuffix("+01:00") == true)
        #expect(types.reduce(0) { $0 + ($1["count"] as? Int ?? 0) } == 3_063)
    }

    @Test("Activity summaries keep their days in every time zone", arguments: ["America/New_York", "Europe/Berlin", "Asia/Tokyo"])
    func summaries(zone: String) throws {
        let run = try CommandRun(["types"], store: Demo.shared.store, timeZone: zone)
        #expect(run.lines.contains { $0.contains(/^activitySummary +14  2025-11-03  2025-11-16$/) })
    }

    @Test("An unknown type is kept under its identifier")
    func unknown() throws {
        let archive = try scratch.archive(
            """
             <Record type="HKQuantityTypeIdentifierMoonlight" sourceName="P" unit="count" startDate="2025-11-01 08:00:00 -0500" endDate="2025-11-01 08:10:00 -0500" value="3"/>
             <Record type="HKCategoryTypeIdentifierHiccups" sourceName="P" startDate="2025-11-01 08:00:00 -0500" endDate="2025-11-01 08:10:00 -0500" value="HKCategoryValueNotApplicable"/>
            """)
        #expect(try CommandRun(["import", archive.path, "--quiet"], store: scratch.store).status == 0)
        let types = try CommandRun(["types", "--json"], store: scratch.store).objects().compactMap { $0["type"] as? String }
        #expect(Set(types) == ["HKQuantityTypeIdentifierMoonlight", "HKCategoryTypeIdentifierHiccups"])
        for name in ["moonlight", "HKQuantityTypeIdentifierMoonlight"] {
            let sample = try #require(try CommandRun(["samples", name, "--json"], store: scratch.store).objects().first)
            #expect(sample["quantity"] as? Int == 3)
        }
        #expect(try CommandRun(["samples", "hiccups", "--json"], store: scratch.store).objects().count == 1)
        let stats = try CommandRun(["stats", "moonlight"], store: scratch.store)
        #expect(stats.status == 64)
        #expect(stats.errors == "Error: Statistics aren’t available for “moonlight”: it is not a quantity type.\n")
    }

    @Test("An empty store suggests how to fill it")
    func empty() throws {
        let run = try CommandRun(["types"], store: scratch.emptyStore())
        #expect(run.output == "The store is empty. Fill it with “hk import export.zip”.\n")
        #expect(try CommandRun(["types", "--json"], store: scratch.store).output == "[]\n")
    }

    @Test("--store overrides the environment, and missing folders are created")
    func storeOption() throws {
        let store = scratch.file("a/b/c.sqlite")
        let run = try CommandRun(["profile", "--store", store.path], store: scratch.store)
        #expect(run.status == 0)
        #expect(FileManager.default.fileExists(atPath: store.path))
        #expect(!FileManager.default.fileExists(atPath: scratch.store.path))
    }
}
