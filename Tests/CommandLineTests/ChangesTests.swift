import Foundation
import ProcessTestSupport
import Testing

@Suite("hk changes")
struct ChangesTests {
    private let scratch = Scratch()

    private func run(_ arguments: String..., at time: String = "2025-11-16T12:00") throws -> CommandRun {
        try CommandRun(arguments, store: scratch.store, now: time + ":00-05:00")
    }

    /// A store with changes of three days.
    private func fill() throws {
        for (arguments, time) in [
            (["stepCount", "500", "count", "--start", "2025-11-14T08:00"], "2025-11-14T09:00"),
            (["bodyMass", "70", "kg"], "2025-11-15T10:20"), (["heartRate", "61", "count/min"], "2025-11-15T10:40"),
        ] {
            let run = try CommandRun(["add"] + arguments, store: scratch.store, now: time + ":00-05:00")
            #expect(run.status == 0, "\(run.errors)")
        }
        #expect(try run("delete", "stepCount", "--yes", at: "2025-11-16T11:00").status == 0)
    }

    @Test("Additions and deletions by the time of the change, with numbers by type")
    func text() throws {
        try fill()
        let run = try run("changes")
        #expect(run.status == 0 && run.errors == "")
        let deletion = "- 2025-11-14 08:00  stepCount  UUID\n"
        #expect(
            run.output.replacing(/[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}/, with: "UUID") == """
                + 2025-11-15 10:20  bodyMass  70 kg  hk
                + 2025-11-15 10:40  heartRate  61 count/min  hk
                \(deletion)
                type       added  deleted
                bodyMass       1
                heartRate      1
                stepCount               1
                all            2        1

                Since 2025-11-15.

                """)
        for since in ["2025-11-16", "today", "12h", "1h", "2025-11-16T11:00"] {
            #expect(try self.run("changes", "--since", since).lines.first?.hasPrefix("- 2025-11-14 08:00") == true)
        }
        #expect(
            try self.run("changes", "--since", "2025-11-16T11:15").output == "No changes since 2025-11-16 11:15.\n")
        #expect(try self.run("changes", "weight", "--since", "7d").lines.filter { $0.hasPrefix("+") }.count == 1)
    }

    @Test("--json has what was added as hk samples does, and what was deleted")
    func json() throws {
        try fill()
        let answer = try #require(try run("changes", "--since", "2025-11-01", "--json").json() as? [String: Any])
        #expect(Set(answer.keys) == ["added", "deleted", "types", "since", "hasMore"])
        #expect(answer["since"] as? String == "2025-11-01T00:00:00-04:00" && answer["hasMore"] as? Bool == false)
        let added = try #require(answer["added"] as? [[String: Any]])
        let mass = try #require(try run("samples", "bodyMass", "--json").objects().first)
        #expect(added.count == 2 && added[0] as NSDictionary == mass as NSDictionary)
        let deleted = try #require(answer["deleted"] as? [[String: Any]])
        #expect(deleted.count == 1 && deleted[0]["type"] as? String == "HKQuantityTypeIdentifierStepCount")
        let types = try #require(answer["types"] as? [[String: Any]])
        #expect(types.map { $0["added"] as? Int } == [1, 1, 0] && types.map { $0["deleted"] as? Int } == [0, 0, 1])
    }

    @Test("An import is a change of its own time, and --limit cuts the list but not the numbers")
    func imported() throws {
        let run = try CommandRun(["changes", "--since", "today", "--json"], store: Demo.shared.store)
        let answer = try #require(try run.json() as? [String: Any])
        #expect((answer["added"] as? [Any])?.count == 10 && answer["hasMore"] as? Bool == true)
        let types = try #require(answer["types"] as? [[String: Any]])
        // All but the activity summaries, which aren't samples.
        #expect(types.reduce(0) { $0 + ($1["added"] as? Int ?? 0) } == 3_063 - 14)
        let whole = try CommandRun(["changes", "--since", "today", "--limit", "0", "--json"], store: Demo.shared.store)
        let all = try #require(try whole.json() as? [String: Any])
        #expect((all["added"] as? [Any])?.count == 3_063 - 14 && all["hasMore"] as? Bool == false)
        let text = try CommandRun(["changes", "bloodPressure", "--limit", "2"], store: Demo.shared.store)
        #expect(text.lines[0].hasSuffix("bloodPressure  117/79 mmHg  Health"))
        #expect(text.lines[2] == "… 1 more: --limit 0 lists all.")
    }

    @Test("Invalid arguments are reported")
    func mistakes() throws {
        _ = try scratch.emptyStore()
        for (arguments, message) in [
            (["--since", "tomorrowish"], "Error: --since: “tomorrowish” is not a date."),
            (["--since", "2025-11-17"], "Error: --since is in the future.\n"),
            (["dateOfBirth"], "Error: “dateOfBirth” has no samples.\n"),
        ] {
            let run = try CommandRun(["changes"] + arguments, store: scratch.store)
            #expect(run.status == 64 && run.output == "" && run.errors.hasPrefix(message), "\(run.errors)")
        }
        #expect(try run("changes").output == "No changes since 2025-11-15.\n")
    }
}
