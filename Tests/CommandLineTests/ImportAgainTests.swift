import Foundation
import Testing

@Suite("hk import, repeated")
struct ImportAgainTests {
    private let scratch = Scratch()

    private func record(
        _ day: Int, _ value: String = "100", type: String = "HKQuantityTypeIdentifierStepCount", unit: String = "count"
    ) -> String {
        """
         <Record type="\(type)" sourceName="P" unit="\(unit)" startDate="2025-11-0\(day) 08:00:00 -0500" endDate="2025-11-0\(day) 08:10:00 -0500" value="\(value)"/>
        """
    }

    private func archive(_ days: ClosedRange<Int>, name: String, more: [String] = []) throws -> String {
        try scratch.archive((days.map { record($0) } + more).joined(separator: "\n"), name: name).path
    }

    /// The output without its last line, the elapsed time.
    private func text(_ run: CommandRun) -> String {
        run.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast(2).joined(separator: "\n")
    }

    private func run(_ arguments: String...) throws -> CommandRun {
        try CommandRun(arguments, store: scratch.store)
    }

    @Test("Importing the same archive again reports nothing new")
    func nothingNew() throws {
        let path = try archive(1...3, name: "a.xml")
        _ = try run("import", path, "--quiet")
        for _ in 0..<2 {
            #expect(
                text(try run("import", path)) == """
                    type       added  already there  skipped
                    stepCount                     3
                    all            0              3        0

                    Nothing new: the store already has everything in this archive.

                    """)
        }
    }

    @Test("--mirror removes what is no longer in the archive, but not what was added by hand")
    func mirror() throws {
        let weight = record(1, "70", type: "HKQuantityTypeIdentifierBodyMass", unit: "kg")
        _ = try run("import", archive(1...5, name: "old.xml", more: [weight]), "--quiet")
        _ = try run("add", "stepCount", "77", "count", "--start", "2025-11-15T09:00")
        let newer = try archive(3...6, name: "new.xml")
        let dry = try run("import", newer, "--mirror", "--dry-run")
        let table = """
            type       added  already there  removed  skipped
            stepCount      1              3        2
            bodyMass                               1
            all            1              3        3        0

            """
        #expect(text(dry) == table + "\nThis was a dry run. Nothing was changed.\n")
        #expect(try run("types", "--json").objects().compactMap { $0["count"] as? Int }.reduce(0, +) == 7)
        #expect(text(try run("import", newer, "--mirror")) == table)
        let left = try run("samples", "stepCount", "--limit", "0", "--json").objects()
        #expect(left.compactMap { $0["quantity"] as? Int } == [77, 100, 100, 100, 100])
        #expect(try run("samples", "bodyMass", "--json").objects().isEmpty)
        let again = try run("import", newer, "--mirror", "--json").json() as? [String: Any]
        #expect(again?["removed"] as? Int == 0 && again?["alreadyThere"] as? Int == 4)
        #expect(try run("doctor").status == 0)
    }

    @Test("Without --mirror nothing is removed")
    func newerKeeps() throws {
        _ = try run("import", archive(1...5, name: "old.xml"), "--quiet")
        _ = try run("import", archive(5...6, name: "new.xml"), "--quiet")
        #expect(try run("samples", "stepCount", "--limit", "0", "--json").objects().count == 6)
    }

    @Test("A dry run creates no store")
    func dryRun() throws {
        let run = try run("import", archive(1...3, name: "a.xml"), "--dry-run", "--json")
        #expect((try run.json() as? [String: Any])?["added"] as? Int == 3)
        #expect(!FileManager.default.fileExists(atPath: scratch.store.path))
    }

    @Test("Another person’s archive is rejected unless --any-person is given")
    func anotherPerson() throws {
        _ = try run("import", archive(1...2, name: "a.xml"), "--quiet")
        let other = try archive(3...4, name: "b.xml")
        let text = try String(contentsOfFile: other, encoding: .utf8)
        try text.replacingOccurrences(of: "1987-05-04", with: "1990-05-04").write(
            toFile: other, atomically: true, encoding: .utf8)
        let rejected = try run("import", other)
        #expect(rejected.status == 1 && rejected.output == "")
        #expect(
            rejected.errors
                == "Error: “\(other)” belongs to a different person than the archives imported before: its date of birth differs. Nothing was imported. Use --any-person to import it anyway.\n"
        )
        #expect(try run("samples", "stepCount", "--json").objects().count == 2)
        #expect(try run("import", other, "--any-person", "--quiet").status == 0)
        #expect(try run("samples", "stepCount", "--json").objects().count == 4)
    }

    @Test("A later archive, whose devices have a creation date, adds nothing twice")
    func devices() throws {
        func archive(_ creation: String, _ name: String) throws -> String {
            try scratch.archive(
                """
                 <Record type="HKQuantityTypeIdentifierStepCount" sourceName="P" sourceVersion="10.6.1" device="&lt;&lt;HKDevice: 0x1&gt;, name:Apple Watch, manufacturer:Apple Inc., model:Watch, hardware:Watch6,10, software:10.6.1\(creation)&gt;" unit="count" startDate="2025-11-03 22:30:00 +0000" endDate="2025-11-03 22:40:00 +0000" value="5"/>
                """, name: name
            ).path
        }
        for (creation, name) in [
            ("", "2023.xml"), (", creation date:2024-08-24 17:12:03 +0000", "2024.xml"),
            (", creation date:2025-01-02 08:00:00 +0000", "2025.xml"),
        ] { #expect(try run("import", archive(creation, name), "--quiet").status == 0) }
        let samples = try run("samples", "stepCount", "--json").objects()
        #expect(samples.count == 1 && samples[0]["operatingSystemVersion"] as? String == "10.6.1")
    }

    @Test("The time zone given at import determines the days until another is given")
    func timeZone() throws {
        // The samples are at 23:30 and, on the next day, at 00:30 in Berlin; in New York both are on the same day.
        let late = """
             <Record type="HKQuantityTypeIdentifierStepCount" sourceName="P" unit="count" startDate="2025-11-03 22:30:00 +0000" endDate="2025-11-03 22:40:00 +0000" value="5"/>
             <Record type="HKQuantityTypeIdentifierStepCount" sourceName="P" unit="count" startDate="2025-11-03 23:30:00 +0000" endDate="2025-11-03 23:40:00 +0000" value="7"/>
            """
        let path = try scratch.archive(late).path
        func sums(_ more: String...) throws -> [Int] {
            try CommandRun(["stats", "stepCount", "--every", "day", "--json"] + more, store: scratch.store).objects()
                .compactMap { $0["sumQuantity"] as? Int }
        }
        _ = try run("import", path, "--quiet")
        #expect(try sums() == [12])
        // The archive was imported before, but its new time zone still applies.
        _ = try run("import", path, "--time-zone", "Europe/Berlin", "--quiet")
        #expect(try sums() == [5, 7])
        #expect(try sums("--time-zone", "America/New_York") == [12])
        _ = try run("import", path, "--quiet")
        #expect(try sums() == [5, 7])
        let wrong = try run("import", path, "--time-zone", "Berlin")
        #expect(wrong.status == 64)
        #expect(wrong.errors.hasPrefix("Error: “Berlin” is not a time zone. Use a name like Europe/Berlin."))
    }
}
