import Foundation
import Testing

@Suite("hk export")
struct ExportTests {
    private let scratch = Scratch()

    private func export(_ arguments: [String], store: URL = Demo.shared.store) throws -> CommandRun {
        try CommandRun(["export"] + arguments, store: store, folder: scratch.folder)
    }

    /// The elements of a file, one per line.
    private func elements(_ url: URL) throws -> [String] {
        let text = try String(contentsOf: url, encoding: .utf8)
        // Device addresses differ from archive to archive.
        return text.replacing(/HKDevice: 0x[0-9a-f]+/, with: "HKDevice: 0x")
            .split(separator: "\n").drop { !$0.hasPrefix("<HealthData") }.map(String.init).sorted()
    }

    @Test("The summary lists the exported objects by type")
    func closingTable() throws {
        let run = try export(["out.xml"])
        #expect(run.status == 0 && run.errors == "")
        let lines = run.output.split(separator: "\n", omittingEmptySubsequences: false)
        try Expected.expect(lines.dropLast(2).joined(separator: "\n"), "export")
        #expect(lines.dropLast().last?.contains(/^[0-9.]+ s, [0-9,.]+ MB\/s$/) == true)
    }

    @Test("An imported archive is exported unchanged, in every form", arguments: ["out.xml", "out.zip", "out", "-"])
    func roundTrip(name: String) throws {
        let run = try export([name, "--quiet"])
        #expect(run.status == 0 && run.errors == "")
        var path = scratch.file(name).path
        if name == "-" {
            path = scratch.file("piped.xml").path
            try Data(run.output.utf8).write(to: URL(fileURLWithPath: path))
        } else {
            #expect(run.output == "")
        }
        if name.hasSuffix("xml") || name == "-" {
            #expect(try elements(URL(fileURLWithPath: path)) == elements(Demo.shared.file("demo.xml")))
        }
        let back = try CommandRun(["import", path, "--json"], store: scratch.store)
        #expect((try back.json() as? [String: Any])?["added"] as? Int == 3_063)
        for query in [
            ["types", "--json"], ["stats", "stepCount", "--every", "day", "--json"],
            ["rings", "--last", "14d", "--json"],
        ] {
            let (copy, original) = (
                try CommandRun(query, store: scratch.store), try CommandRun(query, store: Demo.shared.store)
            )
            #expect(copy.output == original.output)
        }
    }

    @Test("Nothing is replaced without --force, and no partial file remains")
    func force() throws {
        #expect(try export(["out.zip", "--quiet"]).status == 0)
        let again = try export(["out.zip"])
        #expect(again.status == 1 && again.output == "")
        #expect(again.errors == "Error: “out.zip” already exists. Use --force to replace it.\n")
        #expect(try export(["out.zip", "--force", "--quiet"]).status == 0)
        let nowhere = try export(["no/such/folder/out.xml"])
        #expect(nowhere.status == 1)
        #expect(nowhere.errors == "Error: “no/such/folder/out.xml” cannot be written: No such file or directory.\n")
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.folder.path) == ["out.zip"])
    }

    @Test("--type, --since and --until select what is exported")
    func chosen() throws {
        let run = try export(
            [
                "out.xml", "--type", "stepCount", "--type", "workout", "--since", "2025-11-10", "--until", "2025-11-11",
                "--json",
            ])
        #expect(run.status == 0)
        let answer = try #require(try run.json() as? [String: Any])
        #expect(
            Set(answer.keys) == [
                "path", "written", "leftOut", "supplemented", "completed", "types", "bytes", "xmlBytes",
                "auxiliaryFiles",
                "seconds",
            ])
        let types = try #require(answer["types"] as? [String: Int])
        #expect(Set(types.keys) == ["HKQuantityTypeIdentifierStepCount", "HKWorkoutTypeIdentifier"])
        let there = try CommandRun(
            ["samples", "stepCount", "--from", "2025-11-10", "--to", "2025-11-11", "--limit", "0", "--json"],
            store: Demo.shared.store)
        let starts = try there.objects().compactMap { $0["startDate"] as? String }
        #expect(
            types["HKQuantityTypeIdentifierStepCount"]
                == starts.filter { $0 >= "2025-11-10" && $0 < "2025-11-12" }.count)
    }

    @Test("Invalid arguments are reported before anything is written")
    func mistakes() throws {
        for (arguments, message) in [
            (["out.xml", "--type", "stepCuont"], "Error: “stepCuont” is not a data type. Did you mean stepCount?\n"),
            (
                ["out.xml", "--since", "someday"],
                "Error: --since: “someday” is not a date. Use a form like 2024-01-31, 2024-01, 2024, today or 2024-01-31T08:30.\n"
            ),
            (["out.xml", "--since", "2025-02", "--until", "2025-01"], "Error: --since is later than --until.\n"),
        ] {
            let run = try export(arguments)
            #expect(run.status != 0 && run.output == "")
            #expect(run.errors == message)
        }
        #expect(
            try export(["out.xml", "--time-zone", "Mars/Olympus"]).errors.hasPrefix(
                "Error: “Mars/Olympus” is not a time zone"))
        let nothing = try export(["out.xml"], store: scratch.file("none.sqlite"))
        #expect(
            nothing.errors
                == "Error: No store found at “\(scratch.file("none.sqlite").path)”. Use “hk import” to create one, or “hk --demo types” to look around.\n"
        )
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.folder.path) == [])
    }

    @Test("Content that the archive format can’t express goes into a supplement, unless --no-supplement is given")
    func supplement() throws {
        let store = scratch.file("own.sqlite")
        for arguments in [
            ["add", "bodyMass", "70.5", "kg", "--start", "2025-11-16T08:30"],
            ["add", "stepCount", "120", "count", "--start", "2025-11-16T09:00"],
        ] {
            let run = try CommandRun(arguments, store: store)
            #expect(run.status == 0, "\(run.errors)")
        }
        let run = try export(["out"], store: store)
        #expect(run.status == 0 && run.errors == "")
        let lines = run.output.split(separator: "\n", omittingEmptySubsequences: false)
        try Expected.expect(lines.dropLast(3).joined(separator: "\n"), "export-supplement")
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: scratch.file("out/apple_health_export").path).sorted()
                == [".openhealthkit-export", "export.xml", "supplement.ndjson"])
        let back = try CommandRun(["import", "out", "--quiet"], store: scratch.store, folder: scratch.folder)
        #expect(back.status == 0 && back.output == "" && back.errors == "")
        let query = [
            "sql", "SELECT type, start_date, value, unit, source, bundle_identifier, uuid FROM samples ORDER BY type",
        ]
        let (original, copy) = (try CommandRun(query, store: store), try CommandRun(query, store: scratch.store))
        #expect(copy.output == original.output && copy.output.contains("08:30"))

        let alone = try export(["alone", "--no-supplement", "--json"], store: store)
        let answer = try #require(try alone.json() as? [String: Any])
        #expect(answer["completed"] as? Int == 0 && answer["written"] as? Int == 2)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: scratch.file("alone/apple_health_export").path).sorted()
                == [".openhealthkit-export", "export.xml"])
        // Data that came from an iPhone’s archive needs none.
        #expect(try export(["demo", "--quiet"]).status == 0)
        #expect(
            !FileManager.default.fileExists(atPath: scratch.file("demo/apple_health_export/supplement.ndjson").path))
    }

    @Test("Dates are written in the requested time zone")
    func timeZone() throws {
        _ = try export(["out.xml", "--time-zone", "Asia/Tokyo", "--type", "workout", "--quiet"])
        let text = try String(contentsOf: scratch.file("out.xml"), encoding: .utf8)
        #expect(text.contains("<ExportDate value=\"2025-11-17 02:00:00 +0900\"/>"))
        #expect(!text.contains("-0500"))
    }
}
