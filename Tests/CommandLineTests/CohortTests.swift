import Foundation
import Testing

@Suite("hk cohort")
struct CohortTests {
    private let scratch = Scratch()

    /// Twelve people, who walk 1,000 to 12,000 steps on one Monday; three also walk on Tuesday.
    private func makePeople() throws -> String {
        let data = scratch.file("people").path
        for index in 1...12 {
            #expect(try run("person", "add", "walker\(index)", "--data", data).status == 0)
            try add(index * 1_000, on: "2025-11-10", to: index, data)
            if index <= 3 { try add(50, on: "2025-11-11", to: index, data) }
        }
        return data
    }

    private func add(_ steps: Int, on day: String, to index: Int, _ data: String) throws {
        let run = try CommandRun(
            ["add", "stepCount", "\(steps)", "count", "--start", "\(day)T08:00", "--end", "\(day)T09:00"],
            store: URL(fileURLWithPath: "\(data)/walker\(index)/health.sqlite"))
        #expect(run.status == 0, "\(run.errors)")
    }

    private func run(_ arguments: String...) throws -> CommandRun {
        try CommandRun(arguments, store: scratch.store)
    }

    @Test("A table, CSV, JSON lines and SQL for psql")
    func formats() throws {
        let data = try makePeople()
        let days = ["--data", data, "--every", "day", "--from", "2025-11-10", "--to", "2025-11-12"]
        let table = try CommandRun(["cohort", "steps"] + days, store: scratch.store)
        #expect(table.status == 0)
        #expect(
            table.output == """
                stepCount, sum of each person per day, in count

                day         people     sum   mean  deviation    p25    p50    p75
                2025-11-10      12  78,000  6,500      3,606  3,750  6,500  9,250

                """)
        #expect(table.errors == "1 interval has figures of fewer than 10 people and no answer.\n")

        let csv = try CommandRun(
            ["cohort", "steps", "--format", "csv", "--minimum", "3", "--quantiles", "0.5"] + days, store: scratch.store)
        #expect(
            csv.output == """
                type,figure,unit,interval,start,end,people,sum,mean,standard_deviation,p50
                stepCount,sum,count,day,2025-11-10,2025-11-11,12,78000.0,6500.0,3605.5512754639894,6500.0
                stepCount,sum,count,day,2025-11-11,2025-11-12,3,150.0,50.0,0.0,50.0

                """)
        #expect(csv.errors == "")

        let lines = try CommandRun(
            ["cohort", "steps", "--format", "jsonl", "--quantiles", "0.5"] + days, store: scratch.store)
        #expect(
            lines.output == #"""
                {"end":"2025-11-11","figure":"sum","interval":"day","mean":6500,"people":12,"quantiles":{"p50":6500},"standardDeviation":3605.5512754639894,"start":"2025-11-10","sum":78000,"type":"stepCount","unit":"count"}

                """#)

        let sql = try CommandRun(
            ["cohort", "steps", "--format", "psql", "--table", "study.steps", "--quantiles", "0.5"] + days,
            store: scratch.store)
        #expect(sql.output.hasPrefix(#"CREATE TABLE IF NOT EXISTS "study"."steps" ("type" text NOT NULL, "#))
        #expect(sql.output.contains(#""people" bigint NOT NULL, "sum" double precision NOT NULL"#))
        #expect(sql.output.hasSuffix("2025-11-10,2025-11-11,12,78000.0,6500.0,3605.5512754639894,6500.0\n\\.\n"))
    }

    @Test("Chosen people, and those who can't be read")
    func people() throws {
        let data = try makePeople()
        let week = [
            "--data", data, "--from", "2025-11-10", "--to", "2025-11-16", "--minimum", "2", "--quantiles", "0.5",
            "--format", "csv",
        ]
        let three = try CommandRun(
            ["cohort", "steps", "--people", "walker1,walker2,walker3"] + week, store: scratch.store)
        #expect(three.output.hasSuffix("week,2025-11-10,2025-11-17,3,6150.0,2050.0,1000.0,2050.0\n"))

        try Data("walker1\nwalker2\n\n".utf8).write(to: scratch.file("list"))
        let list = try CommandRun(
            ["cohort", "steps", "--people", "@\(scratch.file("list").path)"] + week, store: scratch.store)
        #expect(list.output.contains(",2,3100.0,1550.0,"))

        let unknown = try CommandRun(["cohort", "steps", "--people", "walker1,nobody"] + week, store: scratch.store)
        #expect(unknown.status != 0 && unknown.errors == "Error: Person “nobody” not found.\n")

        try Data("not a store".utf8).write(to: URL(fileURLWithPath: "\(data)/walker2/health.sqlite"))
        let damaged = try CommandRun(
            ["cohort", "steps", "--people", "walker1,walker2,walker3"] + week, store: scratch.store)
        #expect(damaged.status == 1)
        #expect(damaged.output.contains(",2,4100.0,2050.0,"))
        #expect(damaged.errors.hasPrefix("walker2: "))
        #expect(
            damaged.errors.hasSuffix("Error: The stores of 1 of 3 people can’t be read. The answer is without them.\n"))
    }

    @Test("Questions that can't be answered are refused in one line")
    func refusals() throws {
        let data = scratch.file("people").path
        #expect(try run("person", "add", "anna", "--data", data).status == 0)
        func message(_ arguments: String...) throws -> String {
            let run = try CommandRun(["cohort"] + arguments + ["--data", data], store: scratch.store)
            #expect(run.status != 0)
            return run.errors
        }
        #expect(try message("steps") == "Error: Give the range of time: --last 1y, or --from and --to.\n")
        #expect(try message("sleep", "--last", "1w").hasPrefix("Error: sleepAnalysis is not a quantity type"))
        #expect(
            try message("steps", "--last", "1w", "--minimum", "1")
                == "Error: The minimum number of people is 2 or more.\n")
        #expect(
            try message("steps", "--last", "1w", "--quantiles", "1").hasPrefix("Error: A quantile is a number above 0"))
        #expect(
            try message("steps", "--last", "1w", "--format", "psql").contains(
                "--format psql and --table belong together."))
        let empty = try run("cohort", "steps", "--last", "1w", "--data", scratch.file("nobody").path)
        #expect(empty.errors.hasPrefix("Error: No people found in "))
    }
}
