import Dispatch
import Foundation
import Synchronization
import Testing

@Suite("hk import")
struct ImportTests {
    private let scratch = Scratch()

    /// The output without its last line, the elapsed time.
    private func table(_ run: CommandRun) -> String {
        run.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast(2).joined(separator: "\n")
    }

    @Test("The summary lists the imported objects by type")
    func closingTable() throws {
        let run = Demo.shared.importRun
        #expect(run.errors == "")
        try Expected.expect(table(run), "import")
        #expect(run.lines.last?.contains(/^[0-9.]+ s, [0-9,]+ MB\/s$/) == true)
    }

    @Test("A zip file, an XML file and a folder give the same store", arguments: ["demo.xml", "demo"])
    func forms(name: String) throws {
        let run = try CommandRun(["import", Demo.shared.file(name).path], store: scratch.store)
        #expect(run.status == 0)
        #expect(table(run) == table(Demo.shared.importRun))
        for query in [
            ["types", "--json"], ["stats", "stepCount", "--every", "day", "--json"],
            ["rings", "--last", "14d", "--json"],
        ] {
            let (here, there) = (
                try CommandRun(query, store: scratch.store), try CommandRun(query, store: Demo.shared.store)
            )
            #expect(here.output == there.output)
        }
    }

    @Test("Importing again adds nothing")
    func again() throws {
        let store = try scratch.demoStore()
        let run = try CommandRun(["import", Demo.shared.file("demo.xml").path], store: store)
        #expect(run.status == 0)
        #expect(run.lines.contains { $0.contains(/^all +0 +3,063 +0$/) })
        let (before, after) = (
            try CommandRun(["types"], store: Demo.shared.store), try CommandRun(["types"], store: store)
        )
        #expect(before.output == after.output)
    }

    @Test("--json has the documented keys and counts")
    func json() throws {
        let first = try CommandRun(["import", Demo.shared.file("demo.zip").path, "--json"], store: scratch.store)
        let answer = try #require(try first.json() as? [String: Any])
        #expect(Set(answer.keys) == ["added", "alreadyThere", "notRead", "skipped", "seconds", "types"])
        #expect(answer["added"] as? Int == 3_063)
        #expect(answer["alreadyThere"] as? Int == 0)
        #expect(answer["skipped"] as? Int == 0)
        #expect((answer["seconds"] as? Double ?? -1) >= 0)
        let types = try #require(answer["types"] as? [String: Int])
        #expect(types["HKQuantityTypeIdentifierStepCount"] == 260)
        #expect(types["HKWorkoutTypeIdentifier"] == 6)
        #expect(types.values.reduce(0, +) == 3_063)
        let second = try CommandRun(["import", Demo.shared.file("demo.zip").path, "--json"], store: scratch.store)
        let again = try #require(try second.json() as? [String: Any])
        #expect(again["added"] as? Int == 0)
        #expect(again["alreadyThere"] as? Int == 3_063)
        #expect((again["types"] as? [String: Int])?.isEmpty == true)
    }

    @Test("Two concurrent imports are serialized")
    func twoAtOnce() throws {
        let store = try scratch.emptyStore()
        let runs = Mutex<[CommandRun]>([])
        DispatchQueue.concurrentPerform(iterations: 2) { _ in
            if let run = try? CommandRun(
                ["import", Demo.shared.file("demo.xml").path, "--json", "--batch-size", "50"], store: store)
            {
                runs.withLock { $0.append(run) }
            }
        }
        let answers = try runs.withLock { $0 }.map { try $0.json() as? [String: Any] ?? [:] }
        #expect(answers.compactMap { $0["added"] as? Int }.sorted() == [0, 3_063])
        #expect(answers.compactMap { $0["alreadyThere"] as? Int }.sorted() == [0, 3_063])
        let (one, other) = (
            try CommandRun(["types"], store: Demo.shared.store), try CommandRun(["types"], store: store)
        )
        #expect(one.output == other.output)
    }

    @Test("A newer archive adds only what is new")
    func newer() throws {
        let elements = (1...3).map { day in
            """
             <Record type="HKQuantityTypeIdentifierStepCount" sourceName="P" unit="count" startDate="2025-11-0\(day) 08:00:00 -0500" endDate="2025-11-0\(day) 08:10:00 -0500" value="100"/>
            """
        }
        let old = try scratch.archive(elements.prefix(2).joined(separator: "\n"), name: "old.xml")
        let new = try scratch.archive(elements.joined(separator: "\n"), name: "new.xml")
        _ = try CommandRun(["import", old.path, "--quiet"], store: scratch.store)
        let run = try CommandRun(["import", new.path, "--json"], store: scratch.store)
        let answer = try #require(try run.json() as? [String: Any])
        #expect(answer["added"] as? Int == 1)
        #expect(answer["alreadyThere"] as? Int == 2)
    }

    @Test("Invalid records are reported by line and don’t stop the import")
    func skips() throws {
        let archive = try scratch.archive(
            """
             <Record type="HKQuantityTypeIdentifierStepCount" sourceName="P" unit="count" startDate="2025-11-01 08:00:00 -0500" endDate="2025-11-01 08:10:00 -0500" value="100"/>
             <Record type="HKQuantityTypeIdentifierStepCount" sourceName="P" unit="count" startDate="yesterday" endDate="2025-11-01 08:10:00 -0500" value="100"/>
             <Record type="HKQuantityTypeIdentifierBodyMass" sourceName="P" unit="kg" startDate="2025-11-01 08:00:00 -0500" endDate="2025-11-01 08:00:00 -0500" value="heavy"/>
             <Record type="HKQuantityTypeIdentifierHeight" sourceName="P" unit="cm" startDate="2025-11-01 08:00:00 -0500" endDate="2025-11-01 08:00:00 -0500" value="172"/>
            """)
        let run = try CommandRun(["import", archive.path], store: scratch.store)
        #expect(run.status == 0)
        #expect(run.lines.contains { $0.contains(/^all +2 +0 +2$/) })
        #expect(run.output.contains("Not understood:\n  line 6: stepCount, "))
        #expect(run.output.contains("  line 7: bodyMass, "))
        // The reason says what is wrong without the measured value.
        #expect(!run.output.contains("heavy"))
    }

    @Test("An archive of which nothing can be read is a failure, with its report")
    func nothingReadable() throws {
        let archive = try scratch.archive(
            """
             <Record type="HKQuantityTypeIdentifierBodyMass" sourceName="P" unit="kg" startDate="2025-11-01 08:00:00 -0500" endDate="2025-11-01 08:00:00 -0500" value="heavy"/>
            """)
        let run = try CommandRun(["import", archive.path], store: scratch.store)
        let message = "Error: Nothing of “\(archive.path)” can be imported: everything in it was skipped (1).\n"
        #expect(run.status == 1 && run.errors == message)
        #expect(run.output.contains("  line 5: bodyMass, "))
        let quiet = try CommandRun(["import", archive.path, "--quiet"], store: scratch.store)
        #expect(quiet.status == 1 && quiet.errors == message && quiet.output == "")
        let empty = try CommandRun(["import", scratch.archive("", name: "empty.xml").path], store: scratch.store)
        #expect(empty.status == 0)
    }

    @Test("--recover imports a truncated archive up to its end")
    func recoversDamagedArchives() throws {
        let whole = try Data(contentsOf: Demo.shared.file("demo.xml"))
        try whole.prefix(whole.count / 2).write(to: scratch.file("half.xml"))
        let run = try CommandRun(
            ["import", scratch.file("half.xml").path, "--recover", "--json"], store: scratch.store)
        let answer = try #require(try run.json() as? [String: Any])
        #expect(run.status == 0 && (answer["added"] as? Int ?? 0) > 500 && answer["skipped"] as? Int == 1)
        _ = try CommandRun(["import", Demo.shared.file("demo.xml").path], store: scratch.store)
        let (one, other) = (
            try CommandRun(["types"], store: Demo.shared.store), try CommandRun(["types"], store: scratch.store)
        )
        #expect(one.output == other.output)
    }

    @Test("--recover imports a zip file that was cut off; without it, the error offers it")
    func recoversACutOffZipFile() throws {
        let whole = try Data(contentsOf: Demo.shared.file("demo.zip"))
        try whole.prefix(whole.count / 2).write(to: scratch.file("half.zip"))
        let refused = try CommandRun(["import", scratch.file("half.zip").path], store: scratch.store)
        #expect(refused.status == 1 && refused.output == "")
        #expect(
            refused.errors.hasSuffix(
                "it has no directory at its end; it may be cut off. To import what can be read, use --recover.\n"
            ))
        // An option that didn't help isn't offered again.
        try whole.prefix(10).write(to: scratch.file("ten.zip"))
        let short = try CommandRun(
            ["import", scratch.file("ten.zip").path, "--recover"], store: scratch.store)
        #expect(short.status == 1 && short.errors.hasSuffix("is damaged: it is too short to have a directory.\n"))
        let run = try CommandRun(
            ["import", scratch.file("half.zip").path, "--recover"], store: scratch.store)
        #expect(
            run.status == 0
                && run.output.contains("the zip file is damaged: it has no directory at its end; it may be cut off"))
        let rest = try CommandRun(["import", Demo.shared.file("demo.zip").path, "--quiet"], store: scratch.store)
        #expect(rest.status == 0)
        let (one, other) = (
            try CommandRun(["types"], store: Demo.shared.store), try CommandRun(["types"], store: scratch.store)
        )
        #expect(one.output == other.output)
    }

    @Test("--quiet prints nothing")
    func quiet() throws {
        let run = try CommandRun(["import", Demo.shared.file("demo.zip").path, "--quiet"], store: scratch.store)
        #expect(run.status == 0)
        #expect(run.output == "")
        #expect(run.errors == "")
    }

    @Test("A truncated archive gives one error line and keeps the complete records")
    func truncated() throws {
        let whole = try Data(contentsOf: Demo.shared.file("demo.xml"))
        for (name, length) in [("half.xml", whole.count / 2), ("almost.xml", whole.count - 5)] {
            try whole.prefix(length).write(to: scratch.file(name))
            let run = try CommandRun(["import", scratch.file(name).path], store: scratch.store)
            #expect(run.status == 1)
            #expect(
                run.errors.hasPrefix(
                    "Error: “\(scratch.file(name).path)” is truncated: it ends at byte \(length), on line "))
            #expect(run.errors.split(separator: "\n").count == 1)
        }
        let rest = try CommandRun(["import", Demo.shared.file("demo.xml").path], store: scratch.store)
        #expect(rest.status == 0)
        #expect(try CommandRun(["doctor"], store: scratch.store).status == 0)
        let (here, there) = (
            try CommandRun(["types"], store: scratch.store), try CommandRun(["types"], store: Demo.shared.store)
        )
        #expect(here.output == there.output)
    }

    @Test(
        "A file that is not an export gives one error line",
        arguments: [
            ("empty", ""), ("text.xml", "dear diary\n"), ("other.xml", "<?xml version=\"1.0\"?>\n<gpx></gpx>\n"),
            ("half.zip", "PK\u{3}\u{4}aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"),
        ])
    func notAnExport(name: String, content: String) throws {
        try Data(content.utf8).write(to: scratch.file(name))
        let run = try CommandRun(["import", scratch.file(name).path], store: scratch.store)
        #expect(run.status == 1)
        #expect(run.output == "")
        #expect(run.errors.hasPrefix("Error: "))
        #expect(run.errors.contains("“\(scratch.file(name).path)”"))
        #expect(run.errors.split(separator: "\n").count == 1)
        #expect(!FileManager.default.fileExists(atPath: scratch.store.path))
    }

    @Test("A missing file, an empty folder and a truncated zip file are reported")
    func nothing() throws {
        let missing = try CommandRun(["import", "/nonexistent.zip"], store: scratch.store)
        #expect(missing.status == 1)
        #expect(
            missing.errors
                == "Error: “/nonexistent.zip” does not exist. Give the path of an export.zip, of its folder or of its XML file.\n"
        )
        try FileManager.default.createDirectory(at: scratch.file("empty"), withIntermediateDirectories: true)
        let empty = try CommandRun(["import", scratch.file("empty").path], store: scratch.store)
        #expect(empty.status == 1)
        #expect(empty.errors.split(separator: "\n").count == 1)
        try Data(contentsOf: Demo.shared.file("demo.zip")).prefix(20_000).write(to: scratch.file("cut.zip"))
        let cut = try CommandRun(["import", scratch.file("cut.zip").path], store: scratch.store)
        #expect(cut.status == 1)
        #expect(cut.errors.contains("“\(scratch.file("cut.zip").path)” is damaged"))
    }
}
