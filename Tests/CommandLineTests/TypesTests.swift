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
        let always: Set = ["type", "name", "kind", "category", "count", "startDate", "endDate", "isShareable"]
        let ofQuantities: Set = ["unit", "preferredUnit", "aggregationStyle"]
        for type in types {
            let own: Set<String> =
                switch type["kind"] as? String {
                case "quantity": ofQuantities
                case "category": ["values"]
                default: []
                }
            #expect(Set(type.keys) == always.union(own))
        }
        let steps = try #require(types.first { $0["type"] as? String == "HKQuantityTypeIdentifierStepCount" })
        #expect(steps["count"] as? Int == 260 && steps["category"] as? String == "activity")
        #expect((steps["startDate"] as? String)?.contains(/^2025-11-03T\d\d:\d\d:\d\d-05:00$/) == true)
        let berlin = try CommandRun(["types", "--json"], store: Demo.shared.store, timeZone: "Europe/Berlin").objects()
        #expect((berlin[0]["endDate"] as? String)?.hasSuffix("+01:00") == true)
        #expect(types.reduce(0) { $0 + ($1["count"] as? Int ?? 0) } == 3_063)
    }

    @Test(
        "Activity summaries keep their days in every time zone",
        arguments: ["America/New_York", "Europe/Berlin", "Asia/Tokyo"])
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
        let types = try CommandRun(["types", "--json"], store: scratch.store).objects().compactMap {
            $0["type"] as? String
        }
        #expect(Set(types) == ["HKQuantityTypeIdentifierMoonlight", "HKCategoryTypeIdentifierHiccups"])
        for name in ["moonlight", "HKQuantityTypeIdentifierMoonlight"] {
            let sample = try #require(
                try CommandRun(["samples", name, "--json"], store: scratch.store).objects().first)
            #expect(sample["quantity"] as? Int == 3)
        }
        #expect(try CommandRun(["samples", "hiccups", "--json"], store: scratch.store).objects().count == 1)
        let stats = try CommandRun(["stats", "moonlight"], store: scratch.store)
        #expect(stats.status == 0 && stats.lines.first?.contains("average") == true, "\(stats.errors)")
    }

    @Test(
        "Common names, words in any spelling and parts of names lead to the type",
        arguments: [
            ("steps", "StepCount"), ("weight", "BodyMass"), ("hr", "HeartRate"), ("calories", "ActiveEnergyBurned"),
            ("Heart rate", "HeartRate"), ("resting-heart-rate", "RestingHeartRate"), ("step_counts", "StepCount"),
            ("fitness vo2", nil),
            ("vo2", "VO2Max"), ("STEPCOUNT", "StepCount"), ("resting hr", "RestingHeartRate"),
            ("floors", "FlightsClimbed"),
        ])
    func names(name: String, type: String?) throws {
        let run = try CommandRun(["samples", name, "--limit", "1", "--json"], store: Demo.shared.store)
        #expect(run.status == (type == nil ? 64 : 0))
        guard let type else { return }
        #expect(try run.objects().first?["type"] as? String == "HKQuantityTypeIdentifier" + type)
    }

    @Test("A name that several types share is answered with them")
    func shared() throws {
        #expect(try CommandRun(["samples", "sleep", "--limit", "1"], store: Demo.shared.store).status == 0)
        #expect(try CommandRun(["samples", "workouts", "--limit", "1"], store: Demo.shared.store).status == 0)
        let run = try CommandRun(["samples", "mass"], store: Demo.shared.store)
        #expect(run.status == 64)
        #expect(
            run.errors
                == "Error: “mass” is not a data type. Did you mean bodyMass (5 samples), leanBodyMass, bodyMassIndex?\n"
        )
    }

    @Test(
        "A typing error in a name or in what a type is called is answered with the type",
        arguments: [
            ("stpes", "stepCount"), ("weigth", "bodyMass"), ("slep", "sleepAnalysis"), ("stepcnt", "stepCount"),
            ("hart-rate", "heartRate"),
        ])
    func typingErrors(name: String, type: String) throws {
        let run = try CommandRun(["samples", name], store: Demo.shared.store)
        #expect(run.status == 64)
        #expect(run.errors.hasPrefix("Error: “\(name)” is not a data type. Did you mean \(type)"))
    }

    @Test(
        "A type of several words without quotation marks is answered with them",
        arguments: [
            ("stats heart rate", "hk stats \"heart rate\""),
            ("stats --last 7d resting heart rate", "hk stats --last 7d \"resting heart rate\""),
            ("samples blood pressure --limit 1", "hk samples \"blood pressure\""),
            ("stats sleep --with resting heart rate", "hk stats sleep --with \"resting heart rate\""),
            ("gaps heart rate", "hk gaps \"heart rate\""), ("watch heart rate --once", "hk watch \"heart rate\""),
            ("add heart rate 60 count/min", "hk add \"heart rate\""),
            ("delete heart rate --dry-run", "hk delete \"heart rate\""),
            ("export a.csv --type heart rate", "hk export a.csv --type \"heart rate\""),
            ("sources --type body mass index", "hk sources --type \"body mass index\""),
        ])
    func severalWords(line: String, command: String) throws {
        let run = try CommandRun(line.components(separatedBy: " "), store: Demo.shared.store)
        #expect(run.status == 64)
        #expect(run.errors.hasSuffix("Write the type in quotation marks: \(command).\n"), "\(run.errors)")
        // Other mistakes are answered as before.
        let other = try CommandRun(["stats", "steps", "often"], store: Demo.shared.store)
        #expect(other.status == 64 && other.errors.contains("often") && !other.errors.contains("quotation"))
    }

    @Test("Completions are the types of the store")
    func completions() throws {
        let store = Demo.shared.store
        func completed(_ words: [String], _ store: URL) throws -> [String] {
            try CommandRun(["---completion"] + words, store: store).lines
        }
        let types = try completed(["samples", "--", "positional@0", "2", "0", "hk", "samples", ""], store)
        #expect(types.count == 36 && types.first == "activeEnergyBurned" && types.contains("vo2Max"))
        #expect(try completed(["export", "--", "--type", "3", "0", "hk", "export", "--type", ""], store) == types)
        let list = try completed(
            ["authorize", "--", "--read", "4", "10", "hk", "authorize", "a.b", "--read", "stepCount,"], store)
        #expect(list.contains("stepCount,heartRate") && list.count == 36)
        let all = try completed(["stats", "--", "positional@0", "2", "0", "hk", "stats", ""], scratch.store)
        #expect(all.count > 150)
        #expect(
            try completed(
                ["stats", "--", "positional@0", "4", "0", "hk", "stats", "--store", store.path, ""], scratch.store)
                == types)
    }

    @Test("An empty store suggests how to fill it")
    func empty() throws {
        let run = try CommandRun(["types"], store: scratch.emptyStore())
        #expect(
            run.output
                == "The store is empty. Fill it with “hk import export.zip”, or look around with “hk --demo types”.\n")
        #expect(
            try CommandRun(["types", "--json"], store: scratch.store).output == #"{"types":[],"count":0}"# + "\n")
    }

    @Test("--store overrides the environment, and missing folders are created")
    func storeOption() throws {
        let store = scratch.file("a/b/c.sqlite")
        // What reads doesn't create.
        let read = try CommandRun(["profile", "--store", store.path], store: scratch.store)
        #expect(read.status == 64 && !FileManager.default.fileExists(atPath: scratch.file("a").path))
        #expect(
            try CommandRun(["profile", "--sex", "female", "--store", store.path], store: scratch.store).status == 0)
        #expect(FileManager.default.fileExists(atPath: store.path))
        #expect(!FileManager.default.fileExists(atPath: scratch.store.path))
    }
}
