import Foundation
import GRDB
import Testing

@Suite("hk export --format")
struct ExportFormatTests {
    private let scratch = Scratch()

    private func export(_ arguments: [String], store: URL = Demo.shared.store) throws -> CommandRun {
        try CommandRun(["export"] + arguments, store: store, folder: scratch.folder)
    }

    /// The text with its UUIDs masked, because they differ from store to store.
    private func plain(_ text: String) -> String {
        text.replacing(/[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}/, with: "UUID")
    }

    private func text(_ name: String) throws -> String {
        plain(try String(contentsOf: scratch.file(name), encoding: .utf8))
    }

    /// The first lines of a text.
    private func head(_ text: String, _ count: Int = 4) -> String {
        text.replacingOccurrences(of: "\r\n", with: "\n").split(separator: "\n", omittingEmptySubsequences: false)
            .prefix(count).joined(separator: "\n")
    }

    private var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: scratch.folder.path).sorted() }
    }

    @Test("The summary lists the exported objects by kind", arguments: ["csv", "ndjson", "sqlite", "fhir"])
    func closingTable(format: String) throws {
        let run = try export(["out", "--format", format])
        #expect(run.status == 0 && run.errors == "")
        try Expected.expect(run.output, "export-\(format)")
        #expect(try names == ["out"])
    }

    @Test("csv: one file per type, with a header line")
    func csv() throws {
        #expect(try export(["out", "--format", "csv", "--quiet"]).output == "")
        let files = try FileManager.default.contentsOfDirectory(atPath: scratch.file("out").path)
            .filter { !$0.hasPrefix(".") }.sorted()
        try Expected.expect(files.joined(separator: "\n") + "\n", "export-csv-files")
        let excerpts = try ["stepCount", "sleepAnalysis", "workouts", "blood_pressure", "characteristics"]
            .filter { files.contains($0 + ".csv") }.map { "== \($0)\n" + head(try text("out/\($0).csv")) }
        try Expected.expect(excerpts.joined(separator: "\n") + "\n", "export-csv-heads")
        // One line per sample in the store.
        let steps = try CommandRun(["sql", "SELECT count(*) AS n FROM step_count", "--json"], store: Demo.shared.store)
            .objects()
        #expect(try text("out/stepCount.csv").split(separator: "\r\n").count == (steps[0]["n"] as? Int ?? 0) + 1)
    }

    /// Types that this version doesn't know, one a quantity and one a category, can have the same short name.
    @Test("Two types with one name are both exported", arguments: ["csv", "sqlite"])
    func sharedNames(format: String) throws {
        func record(_ kind: String, _ rest: String) -> String {
            let dates = "startDate=\"2025-11-01 08:00:00 -0500\" endDate=\"2025-11-01 08:10:00 -0500\""
            return " <Record type=\"HK\(kind)TypeIdentifierFutureThing\" sourceName=\"P\" \(rest) \(dates)/>"
        }
        let archive = try scratch.archive(
            [record("Quantity", "unit=\"count\" value=\"7\""), record("Category", "value=\"1\"")].joined(
                separator: "\n"))
        _ = try CommandRun(["import", archive.path, "--quiet"], store: scratch.store)
        let run = try export(["out", "--format", format], store: scratch.store)
        #expect(run.status == 0 && run.errors == "")
        if format == "csv" {
            #expect(try text("out/futureThing.csv").split(separator: "\r\n").count == 2)
            #expect(try text("out/futureThing_2.csv").split(separator: "\r\n").count == 2)
        } else {
            let file = try DatabaseQueue(path: scratch.file("out").path)
            let counts = try file.read {
                try Int.fetchAll($0, sql: "SELECT count(*) FROM types UNION ALL SELECT count(*) FROM samples")
            }
            #expect(counts == [2, 2])
        }
    }

    @Test("ndjson: one object per line, identical in a file and on standard output")
    func ndjson() throws {
        #expect(try export(["out.ndjson", "--format", "ndjson", "--quiet"]).output == "")
        let piped = try export(["-", "--format", "ndjson"])
        #expect(piped.status == 0 && piped.errors == "")
        #expect(piped.output == (try String(contentsOf: scratch.file("out.ndjson"), encoding: .utf8)))
        var first: [String: String] = [:]
        for line in plain(piped.output).split(separator: "\n") {
            let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            let kind = try #require(object["kind"] as? String)
            if first[kind] == nil { first[kind] = String(line) }
        }
        try Expected.expect(first.sorted { $0.key < $1.key }.map { $0.value + "\n" }.joined(), "export-ndjson-kinds")
    }

    @Test("sqlite: plain tables with the same answers as hk sql")
    func sqlite() throws {
        #expect(try export(["out.db", "--format", "sqlite", "--quiet"]).output == "")
        var configuration = Configuration()
        configuration.readonly = true
        let database = try DatabaseQueue(path: scratch.file("out.db").path, configuration: configuration)
        for statement in [
            "SELECT count(*) AS a, sum(value) AS b FROM samples WHERE type = 'stepCount'",
            "SELECT count(*) AS a, round(sum(duration)) AS b FROM workouts",
            "SELECT count(*) AS a, count(DISTINCT type) AS b FROM samples",
        ] {
            let (a, b) = try database.read { database in
                let row = try #require(try Row.fetchOne(database, sql: statement))
                return (row["a"] as Double, row["b"] as Double)
            }
            let answer = try CommandRun(["sql", statement, "--json"], store: Demo.shared.store).objects()[0]
            #expect((answer["a"] as? NSNumber)?.doubleValue == a && a > 0)
            #expect((answer["b"] as? NSNumber).map { abs($0.doubleValue - b) < 1e-6 * abs(b) } == true)
        }
        let names = try database.read {
            try String.fetchAll(
                $0, sql: "SELECT type || ' ' || name FROM sqlite_master WHERE name NOT LIKE 'sqlite_%' ORDER BY 1")
        }
        try Expected.expect(names.joined(separator: "\n") + "\n", "export-sqlite-schema")
        #expect(try database.read { try String.fetchOne($0, sql: "PRAGMA integrity_check") } == "ok")
    }

    @Test("fhir: bundles of resources, the patient first")
    func fhir() throws {
        #expect(
            try export(["out", "--format", "fhir", "--type", "bodyMass", "--type", "stepCount", "--quiet"]).output == ""
        )
        let files = try FileManager.default.contentsOfDirectory(atPath: scratch.file("out").path)
            .filter { !$0.hasPrefix(".") }.sorted()
        let file = try #require(files.first)
        let data = try Data(contentsOf: scratch.file("out/\(file)"))
        let bundle = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        #expect(bundle["resourceType"] as? String == "Bundle")
        let entries = try #require(bundle["entry"] as? [[String: Any]])
        let resources = entries.compactMap { $0["resource"] as? [String: Any] }
        #expect(resources.first?["resourceType"] as? String == "Patient")
        let excerpt = try resources.prefix(2).map { resource in
            plain(
                String(
                    decoding: try JSONSerialization.data(
                        withJSONObject: resource, options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]),
                    as: UTF8.self))
        }
        try Expected.expect(
            files.joined(separator: "\n") + "\n" + excerpt.joined(separator: "\n") + "\n", "export-fhir-resources")
    }

    @Test("--json reports the same counts as the table", arguments: ["csv", "ndjson", "sqlite", "fhir"])
    func json(format: String) throws {
        let run = try export(["out", "--format", format, "--json"])
        let answer = try #require(try run.json() as? [String: Any])
        #expect(
            Set(answer.keys) == ["path", "written", "files", "kinds", "leftOut"] && answer["path"] as? String == "out")
        let kinds = try #require(answer["kinds"] as? [String: Int])
        #expect(kinds.values.reduce(0, +) == answer["written"] as? Int)
    }

    @Test(
        "A failed export leaves no files",
        arguments: ["csv", "ndjson", "sqlite", "fhir"])
    func failures(format: String) throws {
        let nowhere = try export(["no/such/out", "--format", format])
        #expect(nowhere.status == 1 && nowhere.output == "")
        try Expected.expect(nowhere.errors, "export-\(format)-nowhere")
        #expect(try names == [])

        let nothing = try export(["more", "--format", format], store: scratch.file("none.sqlite"))
        #expect(
            nothing.status != 0
                && nothing.errors
                    == "Error: No store found at “\(scratch.file("none.sqlite").path)”. Use “hk import” to create one, or “hk --demo types” to look around.\n"
        )
        let range = try export(["more", "--format", format, "--since", "2025-02", "--until", "2025-01"])
        #expect(range.status != 0 && range.errors == "Error: --since is later than --until.\n")
        let type = try export(["more", "--format", format, "--type", "stepCuont"])
        #expect(type.status != 0 && type.errors == "Error: “stepCuont” is not a data type. Did you mean stepCount?\n")
        #expect(try names == [])
    }

    @Test("A folder that isn’t writable is reported by name", arguments: ["csv", "ndjson", "sqlite", "fhir"])
    func unwritable(format: String) throws {
        // Even root can’t create files in /proc.
        let run = try export(["/proc/out", "--format", format])
        #expect(run.status == 1 && run.output == "")
        try Expected.expect(run.errors, "export-\(format)-unwritable")
    }

    @Test(
        "Formats of several files, or of a database, can’t go to standard output", arguments: ["csv", "sqlite", "fhir"])
    func standardOutput(format: String) throws {
        let run = try export(["-", "--format", format])
        #expect(run.status != 0 && run.output == "")
        #expect(run.errors == "Error: The format \(format) needs a path: it can’t be written to standard output.\n")
    }

    @Test("health-connect: a zip file that is imported again, and distinguished from an archive")
    func healthConnect() throws {
        let run = try export(["out.zip", "--format", "health-connect"])
        #expect(run.status == 0 && run.errors == "")
        try Expected.expect(run.output, "export-health-connect")
        let again = try CommandRun(
            ["import", scratch.file("out.zip").path, "--json"], store: scratch.store, folder: scratch.folder)
        #expect(again.status == 0 && again.errors == "")
        let steps = try CommandRun(["sql", "SELECT sum(value) AS n FROM step_count", "--json"], store: scratch.store)
        let own = try CommandRun(["sql", "SELECT sum(value) AS n FROM step_count", "--json"], store: Demo.shared.store)
        #expect(steps.output == own.output && steps.status == 0)
        let other = try export(["out.db", "--format", "health-connect"])
        #expect(other.status == 64 && other.output == "")
        #expect(other.errors == "Error: Health Connect imports a zip file. Choose a name that ends in .zip.\n")
        let taken = try export(["out.zip", "--format", "health-connect"])
        #expect(taken.errors == "Error: “out.zip” already exists. Use --force to replace it.\n")
        #expect(try export(["out.zip", "--format", "health-connect", "--force", "--quiet"]).status == 0)
        #expect(try names.filter { !$0.hasPrefix("health.sqlite") } == ["out.zip"])
    }

    @Test("seed: a line for each sample of what apps may write, after one with the types")
    func seed() throws {
        #expect(try export(["person.seed", "--type", "stepCount", "--type", "workout", "--quiet"]).status == 0)
        let lines = try text("person.seed").split(separator: "\n")
        #expect(
            lines[0] == #"{"format":"openhealthkit.seed","version":1,"#
                + #""types":["HKQuantityTypeIdentifierStepCount","HKWorkoutTypeIdentifier"]}"#)
        let counts = try ["step_count", "workouts"].map { table in
            try CommandRun(["sql", "SELECT count(*) AS n FROM \(table)", "--json"], store: Demo.shared.store)
                .objects()[0]["n"] as? Int ?? 0
        }
        #expect(counts.allSatisfy { $0 > 0 } && lines.count == 1 + counts.reduce(0, +))
        for line in lines.dropFirst() {
            let sample = try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            #expect(sample["uuid"] != nil && sample["startDate"] != nil && sample["sequence"] != nil)
        }
        // What only the system writes is counted.
        let exercise = try export(["exercise.seed", "--type", "appleExerciseTime"])
        #expect(exercise.status == 0 && exercise.output.contains("appleExerciseTime"))
    }

    @Test("An unknown format is reported with the available ones")
    func unknown() throws {
        let run = try export(["out", "--format", "parquet"])
        #expect(run.status != 0 && run.output == "")
        try Expected.expect(run.errors, "export-format-unknown")
        #expect(try names == [])
    }
}
