import Foundation
import Testing

@Suite("hk sleep")
struct SleepTests {
    private let scratch = Scratch()

    private func record(_ value: String, _ source: String, _ start: String, _ end: String, zone: String? = nil)
        -> String
    {
        let metadata = zone.map { "<MetadataEntry key=\"HKTimeZone\" value=\"\($0)\"/>" } ?? ""
        return """
             <Record type="HKCategoryTypeIdentifierSleepAnalysis" sourceName="\(source)" startDate="\(start)" endDate="\(end)" value="HKCategoryValueSleepAnalysis\(value)">\(metadata)</Record>
            """
    }

    /// A night of two sources, a nap, an old night in bed only, and a night in Tokyo.
    private func store() throws -> URL {
        let archive = try scratch.archive(
            [
                record("InBed", "Phone", "2025-11-10 22:45:00 -0500", "2025-11-11 07:00:00 -0500"),
                record("AsleepCore", "Watch", "2025-11-10 23:00:00 -0500", "2025-11-11 03:00:00 -0500"),
                record("Awake", "Watch", "2025-11-11 03:00:00 -0500", "2025-11-11 03:15:00 -0500"),
                record("AsleepREM", "Watch", "2025-11-11 03:15:00 -0500", "2025-11-11 06:45:00 -0500"),
                record("AsleepUnspecified", "Tracker", "2025-11-10 22:50:00 -0500", "2025-11-11 06:50:00 -0500"),
                record("AsleepCore", "Watch", "2025-11-11 14:00:00 -0500", "2025-11-11 14:30:00 -0500"),
                record("InBed", "Phone", "2025-11-12 23:00:00 -0500", "2025-11-13 06:30:00 -0500"),
                record(
                    "AsleepDeep", "Watch", "2025-11-14 09:00:00 -0500", "2025-11-14 16:00:00 -0500", zone: "Asia/Tokyo"),
            ].joined(separator: "\n"))
        let run = try CommandRun(["import", archive.path, "--quiet"], store: scratch.store)
        #expect(run.status == 0, "\(run.errors)")
        return scratch.store
    }

    @Test(
        "Tables of the demo’s nights",
        arguments: [
            ("demo", []), ("week", ["--last", "7d"]), ("one", ["--from", "2025-11-12", "--to", "2025-11-12"]),
        ])
    func demo(name: String, arguments: [String]) throws {
        let run = try CommandRun(["sleep"] + arguments, store: Demo.shared.store)
        #expect(run.status == 0)
        #expect(run.errors == "")
        try Expected.expect(run.output, "sleep-\(name)")
    }

    @Test("Sources are merged, naps are apart, and nights abroad belong to the day there")
    func merged() throws {
        let run = try CommandRun(["sleep"], store: try store())
        try Expected.expect(run.output, "sleep-merged")
        // In the requested time zone, the night in Tokyo is sleep at daytime.
        let home = try CommandRun(["sleep", "--time-zone", "America/New_York"], store: scratch.store)
        #expect(home.output.contains("2025-11-14  09:00  16:00") && !home.output.contains("Tokyo"))
    }

    @Test("A watch goes before other sources with stages, although an archive has no device of its sleep")
    func watch() throws {
        let archive = try scratch.archive(
            """
             <Record type="HKQuantityTypeIdentifierHeartRate" sourceName="Wrist" sourceVersion="10.6.1" device="&lt;&lt;HKDevice: 0x1&gt;, name:Apple Watch, manufacturer:Apple Inc., model:Watch, hardware:Watch6,10, software:10.6.1&gt;" unit="count/min" startDate="2025-11-10 12:00:00 -0500" endDate="2025-11-10 12:00:00 -0500" value="60"/>
             <Record type="HKCategoryTypeIdentifierSleepAnalysis" sourceName="Wrist" sourceVersion="10.6.1" startDate="2025-11-10 23:30:00 -0500" endDate="2025-11-11 06:30:00 -0500" value="HKCategoryValueSleepAnalysisAsleepREM"/>
            \(record("AsleepDeep", "Ring", "2025-11-10 23:00:00 -0500", "2025-11-11 07:00:00 -0500"))
            """)
        _ = try CommandRun(["import", archive.path, "--quiet"], store: scratch.store)
        let night = try #require(try CommandRun(["sleep", "--json"], store: scratch.store).objects().first)
        let main = try #require(night["main"] as? [String: Any])
        #expect(main["stages"] as? [String: Int] == ["rem": 7 * 3_600, "deep": 3_600])
        let times = try CommandRun(["stats", "sleep", "--every", "day"], store: scratch.store).output
        #expect(times.contains("7:00") && times.contains("1:00"))
    }

    @Test("The day on which a range of hours begins has its night")
    func hours() throws {
        let today = try CommandRun(["sleep", "--last", "1d"], store: Demo.shared.store)
        #expect(today.lines.count == 2)
        #expect(try CommandRun(["sleep", "--last", "9h"], store: Demo.shared.store).output == today.output)
    }

    @Test("--json has the periods with their stages")
    func json() throws {
        let nights = try CommandRun(["sleep", "--json"], store: try store()).objects()
        #expect(nights.map { $0["date"] as? String } == ["2025-11-11", "2025-11-13", "2025-11-15"])
        let main = try #require(nights[0]["main"] as? [String: Any])
        #expect(
            Set(main.keys) == [
                "startDate", "endDate", "asleepStartDate", "asleepEndDate", "timeInBed", "isTimeInBedRecorded",
                "timeAsleep", "efficiency", "latency", "wakeAfterSleepOnset", "awakenings", "longAwakenings",
                "hasStages", "stages", "sources", "segments",
            ])
        #expect(main["startDate"] as? String == "2025-11-10T22:45:00-05:00")
        #expect(main["timeAsleep"] as? Int == 465 * 60 && main["timeInBed"] as? Int == 495 * 60)
        #expect(
            main["stages"] as? [String: Int] == [
                "inBed": 900, "asleep": 900, "core": 14_400, "awake": 900, "rem": 12_600,
            ])
        let segments = try #require(main["segments"] as? [[String: Any]])
        #expect(Set(segments[0].keys) == ["stage", "startDate", "endDate", "source"])
        #expect(
            segments.map { $0["stage"] as? String } == ["inBed", "asleep", "core", "awake", "rem", "asleep", "inBed"])
        #expect((nights[0]["naps"] as? [Any])?.count == 1 && nights[0]["totalTimeAsleep"] as? Int == 495 * 60)
        #expect((nights[1]["main"] as? [String: Any])?["timeAsleep"] == nil && nights[1]["totalTimeAsleep"] == nil)
        #expect(nights[2]["timeZone"] as? String == "Asia/Tokyo")
    }

    @Test("The person’s order of sources applies")
    func order() throws {
        let store = try store()
        #expect(try CommandRun(["sources", "--type", "sleepAnalysis", "--order", "Tracker"], store: store).status == 0)
        let run = try CommandRun(["sleep", "--from", "2025-11-11", "--to", "2025-11-11", "--json"], store: store)
        let main = try #require(try run.objects().first?["main"] as? [String: Any])
        #expect(main["stages"] as? [String: Int] == ["inBed": 900, "asleep": 28_800])
        #expect(
            try CommandRun(["sources", "--type", "sleepAnalysis", "--off", "Tracker,Watch"], store: store).status == 0)
        let off = try CommandRun(["sleep", "--from", "2025-11-11", "--to", "2025-11-11"], store: store)
        #expect(off.lines.last?.hasPrefix("2025-11-11  22:45  07:00       –    8:15     –") == true)
    }

    @Test("Nothing to show is not an error; invalid ranges are")
    func nothing() throws {
        #expect(try CommandRun(["sleep"], store: try scratch.emptyStore()).output == "No sleep.\n")
        #expect(
            try CommandRun(["sleep", "--json"], store: scratch.store).output
                == "{\"nights\":[],\"averages\":{\"nights\":0,\"stages\":{}},\"totalTimeAsleep\":0}\n")
        let earlier = try CommandRun(["sleep", "--from", "2020", "--to", "2021"], store: Demo.shared.store)
        #expect(earlier.output.hasPrefix("No sleep in this range. The newest data is of 2025-11-"))
        #expect(try CommandRun(["sleep", "--last", "3x"], store: Demo.shared.store).status == 64)
    }
}
