import Foundation
import Testing

@Suite("Periods, and old archives")
struct PeriodTests {
    private let scratch = Scratch()

    private func output(_ arguments: String..., now: String = CommandRun.now) throws -> String {
        let run = try CommandRun(arguments, store: Demo.shared.store, now: now)
        #expect(run.status == 0, "\(run.errors)")
        return run.output
    }

    @Test("A period that is only partly in the range is marked, in tables, charts and JSON")
    func cut() throws {
        let years = try output("stats", "steps", "--every", "year", "--last", "5d")
        #expect(years.contains("2025 from 2025-11-12  "))
        let weeks = try output("stats", "steps", "--every", "week", "--from", "2025-11-05", "--to", "2025-11-12")
        #expect(weeks.contains("week of 2025-11-03 from 2025-11-05  "))
        #expect(weeks.contains("week of 2025-11-10 until 2025-11-12  "))
        #expect(
            try output("stats", "steps", "--every", "month", "--last", "9d", "--chart").contains(
                "2025-11 from 2025-11-08"))
        #expect(try output("stats", "sleep", "--every", "month", "--last", "9d").contains("2025-11 from 2025-11-08"))
        #expect(
            try output("stats", "steps", "--every", "day", "--from", "2025-11-10T12:00").contains(
                "from 2025-11-10 12:00"))
        #expect(
            try output("stats", "steps", "--every", "year", "--last", "5d", "--json").contains(
                #""endDate":"2026-01-01T00:00:00-05:00","from":"2025-11-12T00:00:00-05:00","sumQuantity""#))
        #expect(try output("workouts", "--weekly", "--from", "2025-11-05").contains("2025-11-03 from 2025-11-05"))
    }

    @Test("A complete period isn't marked, nor is the current one")
    func whole() throws {
        for range in [["--from", "2025-11"], ["--from", "2025-11-03", "--to", "2025-11-09"], ["--last", "14d"], []] {
            let text = try CommandRun(["stats", "steps", "--every", "week"] + range, store: Demo.shared.store).output
            #expect(!text.contains("until"))
            #expect(!text.contains("from"))
        }
    }

    @Test("Workouts by month")
    func months() throws {
        let text = try output("workouts", "--every", "month")
        #expect(text.hasPrefix("month "))
        #expect(text.contains("2025-11 "))
        #expect(try CommandRun(["workouts", "--every", "hour"], store: Demo.shared.store).status == 64)
    }

    @Test(
        "An old archive doesn’t look empty", arguments: ["sleep", "rings", "samples steps", "stats steps", "workouts"])
    func old(command: String) throws {
        let later = "2031-03-01T12:00:00-05:00"
        var arguments = command.split(separator: " ").map(String.init)
        if !["sleep", "rings"].contains(command) { arguments += ["--last", "30d"] }
        let run = try CommandRun(arguments, store: Demo.shared.store, now: later)
        #expect(run.status == 0)
        let found = try #require(
            run.output.firstMatch(of: /in this range. The newest data is of (2025-11-\d\d): (.+) shows it.\n/))
        let words = command.split(separator: " ").map(String.init) + found.2.split(separator: " ").map(String.init)
        let shown = try CommandRun(words, store: Demo.shared.store, now: later).output
        #expect(shown.contains("2025-11-") && !shown.contains("shows it"))
    }

    @Test("Another day than today", arguments: ["today", "energy", "highlights"])
    func day(command: String) throws {
        let later = "2031-03-01T12:00:00-05:00"
        let text = try output(command, now: later)
        #expect(text.hasSuffix("\nNo data of this day. The newest data is of 2025-11-16: --day 2025-11-16 shows it.\n"))
        func words(_ text: String) -> [Substring] { text.split { $0.isWhitespace } }
        let earlier = words(try output(command, "--day", "2025-11-15", now: later))
        let then = words(try output(command, now: "2025-11-15T23:59:59-05:00"))
        // The balance of another day isn’t called that of today.
        #expect(earlier == then.map { $0 == "today" && command == "energy" ? "2025-11-15" : $0 })
        #expect(try CommandRun([command, "--day", "2032"], store: Demo.shared.store, now: later).status == 64)
    }

    @Test("A store without data says no more")
    func empty() throws {
        let store = try scratch.emptyStore()
        #expect(try CommandRun(["sleep"], store: store).output == "No sleep.\n")
        #expect(try CommandRun(["samples", "steps"], store: store).output == "No samples.\n")
        #expect(try CommandRun(["workouts"], store: store).output == "No workouts.\n")
    }

    @Test("Samples are printed as JSON page by page, in the order of the table")
    func stream() throws {
        for order in [[], ["--ascending"]] {
            let all = try CommandRun(
                ["samples", "heartRate", "--limit", "0", "--json"] + order, store: Demo.shared.store)
            let starts = try all.objects().compactMap { $0["startDate"] as? String }
            #expect(starts.count > 300)
            #expect(starts == (order.isEmpty ? starts.sorted(by: >) : starts.sorted()))
            let some = try CommandRun(
                ["samples", "heartRate", "--limit", "3", "--json"] + order, store: Demo.shared.store)
            #expect(try some.objects().compactMap { $0["startDate"] as? String } == Array(starts.prefix(3)))
        }
        let none = try CommandRun(
            ["samples", "heartRate", "--from", "1999", "--to", "1999", "--json"], store: Demo.shared.store)
        #expect(none.output == #"{"samples":[]}"# + "\n")
    }

    @Test("Names of the Health app, and activities by common words")
    func names() throws {
        #expect(try output("stats", "blood oxygen").contains("average (%)"))
        #expect(try output("stats", "Exercise Minutes").contains("sum (min)"))
        #expect(try output("workouts", "--activity", "run").contains("running"))
        #expect(try output("workouts", "--activity", "run") == (try output("workouts", "--activity", "running")))
    }
}
