import Foundation
import Testing

@Suite("hk sql")
struct SQLTests {
    @Test(
        "Queries over the demo, printed as tables",
        arguments: [
            ("steps", "SELECT day, sum(value) AS steps FROM step_count GROUP BY day ORDER BY day DESC LIMIT 5"),
            (
                "sleep",
                "SELECT value_name, count(*) AS parts, round(sum(duration) / 3600, 1) AS hours FROM sleep_analysis GROUP BY value_name ORDER BY hours DESC"
            ),
            (
                "workouts",
                "SELECT day, activity, round(duration / 60) AS minutes, distance_m, energy_kcal FROM workouts"
            ),
            ("pressure", "SELECT start_date, systolic, diastolic, unit FROM blood_pressure"),
            ("daily", "SELECT day, sum, unit FROM daily WHERE type = 'stepCount' AND day >= '2025-11-13'"),
            ("rings", "SELECT day, move_kcal, exercise_min, stand_hours FROM activity_summaries LIMIT 3"),
            ("types", "SELECT type, kind, count, unit FROM types ORDER BY count DESC LIMIT 6"),
            (
                "heart-in-workouts",
                "SELECT w.day, w.activity, count(*) AS beats, round(avg(convert(h.value, h.unit, 'count/min'))) AS rate FROM workouts w JOIN heart_rate h ON h.start_time BETWEEN w.start_time AND w.end_time GROUP BY w.sequence"
            ),
        ])
    func table(name: String, statement: String) throws {
        let run = try CommandRun(["sql", statement], store: Demo.shared.store)
        #expect(run.status == 0)
        #expect(run.errors == "")
        try Expected.expect(run.output, "sql-\(name)")
    }

    @Test("--schema lists tables, columns and functions")
    func schema() throws {
        let run = try CommandRun(["sql", "--schema"], store: Demo.shared.store)
        #expect(run.status == 0)
        try Expected.expect(run.output, "sql-schema")
        let json = try CommandRun(["sql", "--schema", "--json"], store: Demo.shared.store).json() as? [String: Any]
        #expect((json?["tables"] as? [Any])?.isEmpty == false)
    }

    @Test("Rows that are streamed look like those whose widths were measured")
    func longTable() throws {
        let statement = """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2500)
            SELECT i, '' AS empty, 'a' || i AS text, NULL AS absent FROM n
            """
        let run = try CommandRun(["sql", statement], store: Demo.shared.store)
        try #require(run.lines.count == 2_501)
        #expect(run.lines.allSatisfy { $0.last != " " })
        #expect(run.lines[1_000] == "1000         a1000" && run.lines[2_500] == "2500         a2500")
        #expect(run.lines[5] == "   5         a5")
    }

    @Test("CSV, JSON and NDJSON have the same content")
    func formats() throws {
        let statement = "SELECT day, sum(value) AS steps FROM step_count GROUP BY day LIMIT 2"
        func output(_ format: String) throws -> String {
            try CommandRun(["sql", statement, "--format", format], store: Demo.shared.store).output
        }
        let rows = try CommandRun(["sql", statement, "--json"], store: Demo.shared.store).objects()
        #expect(rows.count == 2)
        let day = try #require(rows[0]["day"] as? String)
        let steps = try #require(rows[0]["steps"] as? Int)
        #expect(try output("csv").hasPrefix("day,steps\r\n\(day),\(steps)\r\n"))
        #expect(try output("ndjson").hasPrefix("{\"day\":\"\(day)\",\"steps\":\(steps)}\n"))
    }

    @Test("An invalid or writing statement fails with status 1 and SQLite’s message")
    func errors() throws {
        for (statement, message) in [
            ("SELECT nosuch FROM samples", "Error: no such column: nosuch.\n"),
            ("SELEC", "Error: near \"SELEC\": syntax error.\n"),
            ("DELETE FROM samples", "Error: table samples may not be modified.\n"),
            ("ATTACH 'x.sqlite' AS x", "Error: SQL statements can only read: ATTACH is not allowed.\n"),
        ] {
            let run = try CommandRun(["sql", statement], store: Demo.shared.store)
            #expect(run.status == 1)
            #expect(run.errors == message)
            #expect(run.output == "")
        }
    }

    @Test("A text or blob has at most 64 MiB")
    func largeValues() throws {
        let largest = try CommandRun(
            ["sql", "SELECT length(zeroblob(67108864)) AS n", "--format", "csv"], store: Demo.shared.store)
        #expect(largest.output == "n\r\n67108864\r\n")
        for statement in [
            "SELECT length(zeroblob(67108865))",
            "WITH RECURSIVE a(x) AS (SELECT 'a' UNION ALL SELECT x || x FROM a) SELECT length(x) FROM a",
        ] {
            let run = try CommandRun(["sql", statement], store: Demo.shared.store)
            #expect(run.status == 1 && run.output == "")
            #expect(run.errors == "Error: string or blob too big.\n")
        }
    }

    @Test("A table that doesn’t exist, but is what a type is called, leads to its view")
    func missingTable() throws {
        for (name, hint) in [
            ("steps", " Did you mean step_count?"), ("stepCount", " Did you mean step_count?"), ("zzz", ""),
        ] {
            let run = try CommandRun(["sql", "SELECT * FROM \(name)"], store: Demo.shared.store)
            #expect(run.status == 1 && run.output == "")
            #expect(run.errors == "Error: no such table: \(name)\(hint.isEmpty ? "." : ".\(hint)")\n")
        }
    }

    @Test(
        "Days in UTC and names that aren’t types are reported, and the statement runs",
        arguments: [
            (
                "SELECT date(start_date) FROM step_count LIMIT 1", "America/New_York",
                "Warning: date(start_date) is in UTC. Use the column day or local_date(start_date) for local days, and local(start_time) for local times.\n"
            ), ("SELECT date(start_date) FROM step_count LIMIT 1", "UTC", ""),
            ("SELECT local_date(start_date) FROM step_count LIMIT 1", "America/New_York", ""),
            (
                "SELECT count(*) FROM samples WHERE type = 'steps'", "UTC",
                "Warning: “steps” is not the short name of a type, so nothing matches it. Use type = 'stepCount'.\n"
            ),
            (
                "SELECT count(*) FROM samples WHERE type IN ('stepCount', 'zzz')", "UTC",
                "Warning: “zzz” is not the short name of a type, so nothing matches it. SELECT type FROM types lists the types in the store.\n"
            ),
        ])
    func warnings(statement: String, zone: String, message: String) throws {
        let run = try CommandRun(["sql", statement, "--time-zone", zone], store: Demo.shared.store)
        #expect(run.status == 0)
        #expect(run.errors == message)
        #expect(!run.output.isEmpty)
    }

    @Test("Days and dates follow the time zone")
    func zones() throws {
        func first(_ zone: String) throws -> String {
            try CommandRun(
                [
                    "sql", "SELECT start_date, day FROM step_count ORDER BY start_time LIMIT 1", "--format", "csv",
                    "--time-zone", zone,
                ],
                store: Demo.shared.store
            ).output
        }
        #expect(try first("America/New_York") == "start_date,day\r\n2025-11-03T07:50:58-05:00,2025-11-03\r\n")
        #expect(try first("Pacific/Auckland") == "start_date,day\r\n2025-11-04T01:50:58+13:00,2025-11-04\r\n")
        let wrong = try CommandRun(["sql", "SELECT 1", "--time-zone", "Mars"], store: Demo.shared.store)
        #expect(wrong.status == 64)
    }

    @Test("Without a statement, reads from standard input and runs several statements in order")
    func input() throws {
        let process = CommandRun.process(["sql", "--format", "csv"], store: Demo.shared.store)
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        input.fileHandleForWriting.write(Data("SELECT 1 AS a; -- a remark\nSELECT 2 AS b;".utf8))
        try input.fileHandleForWriting.close()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(text == "a\r\n1\r\nb\r\n2\r\n")
        #expect(try CommandRun(["sql"], store: Demo.shared.store).status == 64)
    }
}
