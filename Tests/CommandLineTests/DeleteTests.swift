import Foundation
import Testing

@Suite("hk delete")
struct DeleteTests {
    private let scratch = Scratch()

    private func run(_ arguments: [String]) throws -> CommandRun {
        try CommandRun(["delete"] + arguments, store: scratch.store)
    }

    private func count(_ type: String) throws -> Int {
        try CommandRun(["samples", type, "--limit", "0", "--json"], store: scratch.store).objects().count
    }

    @Test("Shows what would be deleted by type and source, and deletes nothing in a dry run")
    func dryRun() throws {
        _ = try scratch.demoStore()
        let before = try count("stepCount")
        let run = try run(["steps", "bodyMass", "--dry-run"])
        #expect(run.status == 0 && run.errors == "")
        try Expected.expect(run.output, "delete-dry-run")
        #expect(try count("stepCount") == before)
        let answer = try #require(try self.run(["steps", "--dry-run", "--json"]).json() as? [String: Any])
        #expect(Set(answer.keys) == ["deleted", "samples"] && answer["deleted"] as? Int == 0)
        let parts = try #require(answer["samples"] as? [[String: Any]])
        #expect(parts.reduce(0) { $0 + ($1["count"] as? Int ?? 0) } == before)
    }

    @Test("Without a terminal, nothing is deleted unless --yes is given")
    func noTerminal() throws {
        _ = try scratch.demoStore()
        let before = try count("stepCount")
        let refused = try run(["steps"])
        #expect(refused.status == 64)
        #expect(
            refused.errors
                == "Error: Confirmation requires a terminal, so nothing was deleted. Use --yes to delete without confirmation.\n"
        )
        #expect(try count("stepCount") == before)
        let day = try CommandRun(
            ["samples", "steps", "--from", "2025-11-10", "--to", "2025-11-10", "--limit", "0", "--json"],
            store: scratch.store
        ).objects().count
        let deleted = try run(["steps", "--from", "2025-11-10", "--to", "2025-11-10", "--yes"])
        #expect(deleted.status == 0 && deleted.output.hasSuffix("Deleted \(day).\n"))
        #expect(try count("stepCount") == before - day && day > 0)
        #expect(try CommandRun(["doctor"], store: scratch.store).status == 0)
    }

    @Test("Deletes one source of all types")
    func source() throws {
        _ = try scratch.demoStore()
        func steps(_ name: String) throws -> Int {
            try CommandRun(
                ["sql", "SELECT count(*) AS n FROM samples WHERE source = '\(name)'", "--json"], store: scratch.store
            )
            .objects()[0]["n"] as? Int ?? -1
        }
        let names = try CommandRun(
            ["sql", "SELECT DISTINCT source FROM samples", "--json"], store: scratch.store
        ).objects().compactMap { $0["source"] as? String }
        let phone = try #require(names.first { $0.contains("iPhone") })
        let other = try #require(names.first { $0.contains("Watch") })
        let watch = try steps(other)
        #expect(try steps(phone) > 0 && watch > 0)
        let written = phone.lowercased().replacingOccurrences(of: "’", with: "'")
        #expect(try run(["--source", written, "--yes"]).status == 0)
        #expect(try steps(phone) == 0 && steps(other) == watch)
        let unknown = try run(["--source", "Nobody", "--yes"])
        #expect(
            unknown.status == 64
                && unknown.errors.hasPrefix("Error: “Nobody” is not a source of this store. Its sources are "))
    }

    @Test("Deletes samples by UUID: all of those named, or none")
    func uuid() throws {
        func add(_ value: String) throws -> String {
            let run = try CommandRun(["add", "steps", value, "count", "--json"], store: scratch.store)
            return try #require((try run.json() as? [String: Any])?["uuid"] as? String)
        }
        let (first, second) = (try add("1"), try add("2"))
        let unknown = UUID().uuidString
        let refused = try run(["--uuid", first, "--uuid", unknown, "--yes"])
        #expect(refused.status == 64)
        #expect(
            refused.errors == "Error: None of the samples asked for has the UUID \(unknown). Nothing was deleted.\n")
        #expect(try count("stepCount") == 2)
        #expect(try run(["--uuid", first.lowercased(), "--yes"]).status == 0)
        let rest = try CommandRun(["samples", "steps", "--json"], store: scratch.store).objects()
        #expect(rest.map { $0["uuid"] as? String } == [second])
    }

    @Test("Samples that end at midnight stay when the next day is deleted")
    func midnight() throws {
        for (start, end) in [("10T00:00", "11T00:00"), ("11T00:00", "12T00:00"), ("11T00:00", "11T00:00")] {
            let added = try CommandRun(
                ["add", "steps", "100", "--start", "2025-11-\(start)", "--end", "2025-11-\(end)"],
                store: scratch.store)
            #expect(added.status == 0)
        }
        let deleted = try run(["steps", "--from", "2025-11-11", "--to", "2025-11-11", "--yes"])
        #expect(deleted.output.hasSuffix("Deleted 2.\n"))
        let rest = try CommandRun(["samples", "steps", "--json"], store: scratch.store).objects()
        #expect(rest.map { $0["startDate"] as? String } == ["2025-11-10T00:00:00-05:00"])
        let later = try CommandRun(["samples", "steps", "--from", "2025-11-11"], store: scratch.store)
        #expect(later.output.hasPrefix("No samples"))
    }

    @Test("The values of a blood pressure are deleted with it")
    func correlation() throws {
        _ = try CommandRun(["add", "bp", "120/80"], store: scratch.store)
        _ = try CommandRun(["add", "bloodPressureSystolic", "130", "mmHg"], store: scratch.store)
        let run = try run(["bp", "--yes"])
        #expect(run.status == 0 && run.output.hasSuffix("Deleted 3.\n"))
        #expect(try (count("bp"), count("bloodPressureSystolic"), count("bloodPressureDiastolic")) == (0, 1, 0))
    }

    @Test("Says what has to be named, and what isn’t there")
    func mistakes() throws {
        _ = try scratch.emptyStore()
        #expect(try run([]).errors.hasPrefix("Error: Name what to delete: data types, --source or --uuid."))
        #expect(try run(["--uuid", "x"]).errors.hasPrefix("Error: --uuid: “x” is not a UUID."))
        for command in ["delete", "samples", "gaps", "stats"] {
            let run = try CommandRun([command, "blood type"], store: scratch.store)
            #expect(run.status == 64 && run.errors == "Error: “bloodType” has no samples. “hk profile” shows it.\n")
        }
        let nothing = try run(["stepCount", "--yes"])
        #expect(nothing.status == 0 && nothing.output == "No samples found.\n")
        #expect(
            try CommandRun(["delete", "steps"], store: scratch.file("none.sqlite")).errors.hasPrefix(
                "Error: No store found"))
    }
}
