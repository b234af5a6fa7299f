import Foundation
import Testing

@Suite("hk sources")
struct SourcesTests {
    private let scratch = Scratch()

    /// Imports steps of a watch from 8:00 to 9:00 and of an iPhone from 8:00 to 10:00.
    private func twoCounters() throws -> URL {
        let archive = try scratch.archive(
            """
             <Record type="HKQuantityTypeIdentifierStepCount" sourceName="Mia’s Apple\u{A0}Watch" device="&lt;&lt;HKDevice: 0x1&gt;, name:Apple Watch, manufacturer:Apple Inc., model:Watch&gt;" unit="count" startDate="2025-11-10 08:00:00 -0500" endDate="2025-11-10 09:00:00 -0500" value="1000"/>
             <Record type="HKQuantityTypeIdentifierStepCount" sourceName="Mia’s iPhone" device="&lt;&lt;HKDevice: 0x2&gt;, name:iPhone, manufacturer:Apple Inc., model:iPhone&gt;" unit="count" startDate="2025-11-10 08:00:00 -0500" endDate="2025-11-10 10:00:00 -0500" value="1600"/>
            """)
        _ = try CommandRun(["import", archive.path, "--quiet"], store: scratch.store)
        return scratch.store
    }

    private func sum(_ store: URL) throws -> Double? {
        let run = try CommandRun(["stats", "stepCount", "--every", "day", "--json"], store: store)
        return try run.objects().first?["sumQuantity"] as? Double
    }

    private func names(_ store: URL) throws -> [String] {
        try CommandRun(["sources", "--type", "stepCount", "--json"], store: store).objects().compactMap {
            $0["name"] as? String
        }
    }

    @Test("The demo’s sources, for all types and for one")
    func tables() throws {
        try Expected.expect(try CommandRun(["sources"], store: Demo.shared.store).output, "sources")
        try Expected.expect(
            try CommandRun(["sources", "--type", "stepCount"], store: Demo.shared.store).output, "sources-stepCount")
    }

    @Test("The watch takes precedence, and the iPhone fills its gaps")
    func defaultOrder() throws {
        let store = try twoCounters()
        #expect(try names(store) == ["Mia’s Apple\u{A0}Watch", "Mia’s iPhone"])
        #expect(try sum(store) == 1_800)
    }

    @Test("--order changes the precedence; names match without typographic characters")
    func order() throws {
        let store = try twoCounters()
        let run = try CommandRun(
            ["sources", "--type", "stepCount", "--order", "mia's iphone,Mia's Apple Watch"], store: store)
        #expect(run.status == 0)
        #expect(try names(store) == ["Mia’s iPhone", "Mia’s Apple\u{A0}Watch"])
        #expect(try sum(store) == 1_600)
        _ = try CommandRun(["sources", "--type", "stepCount", "--order", "Mia's Apple Watch"], store: store)
        #expect(try sum(store) == 1_800)
    }

    @Test("--off excludes a source; --reset restores the default")
    func off() throws {
        let store = try twoCounters()
        let run = try CommandRun(["sources", "--type", "stepCount", "--off", "Mia's iPhone"], store: store)
        #expect(run.lines[2].contains("  off  Mia’s iPhone  "))
        #expect(try sum(store) == 1_000)
        _ = try CommandRun(["sources", "--type", "stepCount", "--off", "Mia's Apple Watch"], store: store)
        #expect(try sum(store) == 1_600)
        _ = try CommandRun(["sources", "--type", "stepCount", "--order", "Mia's iPhone"], store: store)
        #expect(try sum(store) == 1_600)
        _ = try CommandRun(["sources", "--type", "stepCount", "--reset"], store: store)
        #expect(try sum(store) == 1_800)
        #expect(try names(store) == ["Mia’s Apple\u{A0}Watch", "Mia’s iPhone"])
    }

    @Test("--json has the documented keys")
    func json() throws {
        let entries = try CommandRun(["sources", "--type", "stepCount", "--json"], store: Demo.shared.store).objects()
        #expect(entries.count == 2)
        for entry in entries {
            #expect(Set(entry.keys) == ["type", "rank", "bundleIdentifier", "name", "count", "isEnabled"])
        }
        #expect(entries.map { $0["rank"] as? Int } == [1, 2])
    }

    @Test("Invalid arguments are reported")
    func mistakes() throws {
        let store = try twoCounters()
        let unknown = try CommandRun(["sources", "--type", "stepCount", "--order", "Pedometer"], store: store)
        #expect(unknown.status == 64)
        #expect(
            unknown.errors
                == "Error: “Pedometer” is not a source of this type. Its sources are Mia’s Apple\u{A0}Watch, Mia’s iPhone.\n"
        )
        let noType = try CommandRun(["sources", "--off", "x"], store: store)
        #expect(noType.status == 64)
        #expect(noType.errors.hasPrefix("Error: --order, --off and --reset require --type.\n"))
        let nothing = Scratch()
        #expect(try CommandRun(["sources"], store: nothing.emptyStore()).output == "No sources.\n")
    }
}
