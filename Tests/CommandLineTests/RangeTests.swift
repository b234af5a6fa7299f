import Foundation
import Testing

@Suite("Dates on the command line")
struct RangeTests {
    @Test(
        "Wrong dates and spans are one sentence",
        arguments: [
            (["--from", "2025-13-01"], "--from “2025-13-01” is no date"), (["--from", "2025-02-30"], "--from “2025-02-30” is no date"),
            (["--to", "tomorrowish"], "--to “tomorrowish” is no date"), (["--from", ""], "--from “” is no date"),
            (["--from", "2025-11-10T25:00"], "--from “2025-11-10T25:00” is no date"), (["--from", "10.11.2025"], "--from “10.11.2025” is no date"),
            (["--last", "3x"], "--last “3x” is no span"), (["--last", "d"], "--last “d” is no span"),
            (["--last", "0d"], "--last “0d” is no span"), (["--last", "-3d"], ""),
            (["--from", "2025-02", "--to", "2025-01"], "--from lies after --to."),
            (["--from", "today", "--to", "yesterday"], "--from lies after --to."),
        ])
    func wrong(range: [String], sentence: String) throws {
        for command in [["samples", "stepCount"], ["stats", "stepCount"], ["rings"]] {
            let run = try CommandRun(command + range, store: Demo.shared.store)
            #expect(run.status == 64)
            #expect(run.output == "")
            #expect(run.errors.hasPrefix("Error: \(sentence)"))
        }
    }

    @Test("--last stands alone, and a time zone must exist")
    func combinations() throws {
        for arguments in [["--last", "3d", "--from", "2025"], ["--time-zone", "Mars/Olympus"]] {
            let run = try CommandRun(["samples", "stepCount"] + arguments, store: Demo.shared.store)
            #expect(run.status == 64)
            #expect(run.errors.hasPrefix("Error: "))
            #expect(run.errors.contains(arguments[0] == "--last" ? "--last stands alone" : "“Mars/Olympus” is no time zone"))
        }
    }

    @Test(
        "Spans count back from today",
        arguments: [
            ("1d", "2025-11-16"), ("7d", "2025-11-10"), ("1w", "2025-11-10"), ("2w", "2025-11-03"), ("1m", "2025-11-03"),
            ("1y", "2025-11-03"),
        ])
    func spans(span: String, first: String) throws {
        let days = try CommandRun(
            ["stats", "stepCount", "--every", "day", "--last", span, "--json"], store: Demo.shared.store
        ).objects()
        // The demo begins on 3 November.
        #expect((days.first?["startDate"] as? String)?.prefix(10) == first[...])
        #expect((days.last?["startDate"] as? String)?.prefix(10) == "2025-11-16")
    }

    @Test("An instant that is none in the environment is told")
    func environment() throws {
        let run = try CommandRun(["types"], store: Demo.shared.store, now: "noon")
        #expect(run.status == 64)
        #expect(run.errors == "Error: $HEALTHKIT_NOW is no instant; it is wanted like 2025-11-16T12:00:00-05:00.\n")
    }
}
