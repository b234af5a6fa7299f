import Foundation
import Testing

@Suite("Dates on the command line")
struct RangeTests {
    @Test(
        "An invalid date or period gives one error",
        arguments: [
            (["--from", "2025-13-01"], "--from: “2025-13-01” is not a date"),
            (["--from", "2025-02-30"], "--from: “2025-02-30” is not a date"),
            (["--to", "tomorrowish"], "--to: “tomorrowish” is not a date"),
            (["--from", ""], "--from: “” is not a date"),
            (["--from", "0000-01-01"], "--from: “0000-01-01” is not a date"),
            (["--from", "25-11-10"], "--from: “25-11-10” is not a date"),
            (["--from", "2025-11-10T25:00"], "--from: “2025-11-10T25:00” is not a date"),
            (["--from", "10.11.2025"], "--from: “10.11.2025” is not a date"),
            (["--last", "3x"], "--last: “3x” is not a period"), (["--last", "d"], "--last: “d” is not a period"),
            (["--last", "0d"], "--last: “0d” is not a period"), (["--last", "-3d"], ""),
            (["--from", "2025-02", "--to", "2025-01"], "--from is later than --to."),
            (["--from", "today", "--to", "yesterday"], "--from is later than --to."),
        ])
    func wrong(range: [String], message: String) throws {
        for command in [["samples", "stepCount"], ["stats", "stepCount"], ["rings"], ["sleep"], ["workouts"]] {
            let run = try CommandRun(command + range, store: Demo.shared.store)
            #expect(run.status == 64)
            #expect(run.output == "")
            #expect(run.errors.hasPrefix("Error: \(message)"))
        }
    }

    @Test("--last can’t be combined, and a time zone must exist")
    func combinations() throws {
        for arguments in [["--last", "3d", "--from", "2025"], ["--time-zone", "Mars/Olympus"]] {
            let run = try CommandRun(["samples", "stepCount"] + arguments, store: Demo.shared.store)
            #expect(run.status == 64)
            #expect(run.errors.hasPrefix("Error: "))
            #expect(
                run.errors.contains(
                    arguments[0] == "--last" ? "--last can’t be combined" : "“Mars/Olympus” is not a time zone"))
        }
    }

    @Test(
        "Periods count back from today",
        arguments: [
            ("1d", "2025-11-16"), ("7d", "2025-11-10"), ("1w", "2025-11-10"), ("2w", "2025-11-03"),
            ("1m", "2025-11-03"),
            ("1y", "2025-11-03"),
        ])
    func periods(period: String, first: String) throws {
        let days = try CommandRun(
            ["stats", "stepCount", "--every", "day", "--last", period, "--json"], store: Demo.shared.store
        ).objects()
        // The demo begins on 3 November.
        #expect((days.first?["startDate"] as? String)?.prefix(10) == first[...])
        #expect((days.last?["startDate"] as? String)?.prefix(10) == "2025-11-16")
    }

    @Test("An invalid date in $HEALTHKIT_NOW is reported")
    func environment() throws {
        let run = try CommandRun(["types"], store: Demo.shared.store, now: "noon")
        #expect(run.status == 64)
        #expect(
            run.errors == "Error: $HEALTHKIT_NOW is not a date and time. Use a form like 2025-11-16T12:00:00-05:00.\n")
    }

    @Test("Where the change of the clock skips midnight, a period begins with its day")
    func withoutMidnight() throws {
        let scratch = Scratch()
        _ = try scratch.emptyStore()
        // In Santiago, 2025-09-07 begins at one o’clock.
        for start in ["2025-09-08T00:30", "2025-09-07T01:30", "2025-09-13T09:00"] {
            let added = try CommandRun(
                ["add", "steps", "100", "--start", start], store: scratch.store, timeZone: "America/Santiago")
            #expect(added.status == 0)
        }
        func sum(_ range: [String], now: String) throws -> Double? {
            try CommandRun(
                ["stats", "steps", "--json"] + range, store: scratch.store, timeZone: "America/Santiago", now: now
            ).objects().first?["sumQuantity"] as? Double
        }
        #expect(try sum(["--last", "6d"], now: "2025-09-13T12:00:00-03:00") == 200)
        #expect(try sum(["--last", "7d"], now: "2025-09-13T12:00:00-03:00") == 300)
        #expect(try sum(["--from", "yesterday", "--to", "yesterday"], now: "2025-09-08T12:00:00-03:00") == 100)
        #expect(try sum(["--from", "yesterday", "--to", "today"], now: "2025-09-08T12:00:00-03:00") == 200)
    }

    @Test("A range never meets the previous one that it is compared with")
    func previous() throws {
        let scratch = Scratch()
        _ = try scratch.emptyStore()
        for start in ["2025-11-16T10:00", "2025-11-15T10:00", "2025-11-13T14:00", "2025-11-12T10:00"] {
            #expect(try CommandRun(["add", "steps", "100", "--start", start], store: scratch.store).status == 0)
        }
        func periods(_ last: String) throws -> [[String]] {
            try CommandRun(["stats", "steps", "--last", last, "--compare", "previous"], store: scratch.store).lines
                .dropFirst().prefix(2).map { $0.split(separator: " ").map(String.init) }
        }
        // Three days earlier, because two would end after the range has begun.
        #expect(try periods("49h").map { $0[0] } == ["2025-11-14", "2025-11-11"])
        #expect(try periods("48h").map { $0[0] } == ["2025-11-14", "2025-11-12"])
        #expect(try periods("24h").map { $0[0] } == ["2025-11-15", "2025-11-14"])
        #expect(try periods("12h").map { $0[0] } == ["2025-11-16", "2025-11-15"])
    }
}
