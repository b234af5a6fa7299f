import Foundation
import Testing

@testable import HealthServer

/// Requests that are small and ask for much. The server is a separate process, whose greatest memory the kernel
/// counts.
@Suite("Bombs in requests", .timeLimit(.minutes(20)))
struct ServerBombTests {
    /// The greatest memory of a process, in megabytes.
    private static func peak(_ process: HKProcess) throws -> Int { try memory(process, "VmHWM:") }

    private static func memory(_ process: HKProcess, _ name: String) throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(process.identifier)/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix(name) })
        return try #require(Int(line.filter(\.isNumber))) >> 10
    }

    private static let paths = [
        "ingest/health-auto-export", "ingest/shortcuts", "sync/batches", "samples", "sql", "imports",
    ]

    /// Starts a server with the store of `anna`, which holds what an archive has, if there is one.
    private static func serve(_ folder: TemporaryServerFolder, archive: String? = nil) async throws -> (
        process: HKProcess, client: TestClient
    ) {
        let data = ["--data", folder.path + "/people"]
        #expect(try await HKProcess.run(["person", "add", "anna"] + data).status == 0)
        if let archive {
            try Data(archive.utf8).write(to: URL(fileURLWithPath: folder.path + "/export.xml"))
            let run = try await HKProcess.run(
                [
                    "import", folder.path + "/export.xml", "--quiet", "--store",
                    folder.path + "/people/anna/health.sqlite",
                ])
            #expect(run.status == 0, "\(run.lines)")
        }
        let made = try await HKProcess.run(["token", "add", "n", "--owner", "--json"] + data)
        let token = try #require(
            (try JSONSerialization.jsonObject(with: Data((made.lines.first ?? "").utf8)) as? [String: Any])?["token"]
                as? String)
        let process = try HKProcess(["serve", "--port", "0", "--json"] + data)
        var lines = process.lines.makeAsyncIterator()
        let answer = try JSONSerialization.jsonObject(with: Data((await lines.next() ?? "").utf8)) as? [String: Any]
        let url = try #require((answer?["url"] as? String).flatMap { URL(string: $0) })
        return (process, TestClient(port: try #require(url.port), token: token))
    }

    @Test func memoryIsBounded() async throws {
        let folder = try TemporaryServerFolder()
        let (process, client) = try await Self.serve(folder)
        defer { withExtendedLifetime(folder) {} }
        func post(_ path: String, _ body: String, headers: [String: String] = [:]) async throws -> Int {
            do {
                return try await client.send(
                    "POST", "/v1/people/anna/\(path)",
                    headers: ["Content-Type": "application/json"].merging(headers) { $1 },
                    body: Data(body.utf8)
                ).status
            } catch {
                // The server may end the connection before it has read all of a body that it refuses.
                #expect(try await client.get("/health").status == 200, "\(path)")
                return 400
            }
        }
        // Another status means that the body didn't get to its reader.
        func isRefused(_ status: Int) -> Bool {
            (400..<500).contains(status) && ![401, 403, 404, 405].contains(status)
        }
        let bombs = [
            String(repeating: "[", count: 2 << 20), String(repeating: #"{"a":"#, count: 400_000),
            #"{"samples":"# + String(repeating: "[", count: 1 << 20),
            "[" + String(repeating: "9", count: 4 << 20) + "]", #"{"query":""# + String(repeating: "x", count: 4 << 20),
            #"{"type":""# + String(repeating: "\\u0000", count: 500_000) + #""}"#,
            "[" + String(repeating: "[],", count: 1 << 20) + "1]",
            #"{"a":1e"# + String(repeating: "9", count: 1 << 20) + "}",
        ]
        for path in Self.paths {
            for (index, bomb) in bombs.enumerated() {
                let status = try await post(path, bomb)
                #expect(
                    isRefused(status) || path == "imports" && status < 300,
                    "\(path), bomb \(index): \(status)")
            }
            // Bodies are read as they are: what unpacks to a thousand times its size isn't JSON.
            let packed = try await client.send(
                "POST", "/v1/people/anna/\(path)",
                headers: ["Content-Type": "application/json", "Content-Encoding": "gzip"],
                body: Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3] + [UInt8](repeating: 0, count: 1 << 16)))
            #expect(
                isRefused(packed.status) || path == "imports" && packed.status < 300,
                "\(path): \(packed.status)")
        }
        for query in [
            "WITH RECURSIVE n(x) AS (SELECT zeroblob(1000000) UNION ALL SELECT x FROM n) SELECT x FROM n ORDER BY random()",
            "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT group_concat(x) FROM n",
        ] {
            #expect(try await post("sql", #"{"query":"\#(query)"}"#) == 400)
        }
        #expect(try await client.get("/health").status == 200)
        let peak = try Self.peak(process)
        #expect(peak < 900, "\(peak) MB")
        process.terminate()
        #expect(await process.status() == 0)
    }

    @Test("A statement of a token takes at most about 100 MB, as JSON, as a table and by an assistant")
    func statements() async throws {
        let folder = try TemporaryServerFolder()
        let (process, client) = try await Self.serve(folder, archive: Self.remote)
        func times(_ count: Int, _ text: String) -> String {
            Array(repeating: text, count: count).joined(separator: ",")
        }
        let text = "WITH m(h) AS MATERIALIZED (SELECT hex(zeroblob(%))) SELECT"
        let statements = [
            text.replacing("%", with: "2000000") + " \(times(500, "h")) FROM m",
            text.replacing("%", with: "120000") + " \(times(500, "h")) FROM m",
            text.replacing("%", with: "60000") + " \(times(300, "h")) FROM m",
            "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT \(times(1_900, "x")) FROM n",
            "WITH RECURSIVE n(x) AS (SELECT zeroblob(200000) UNION ALL SELECT x FROM n) SELECT x FROM n ORDER BY random()",
            "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT median(x), median(-x), median(x * 2) FROM n",
            "SELECT \(times(500, "(SELECT uuid FROM samples ORDER BY start_time LIMIT 1)"))",
            "SELECT \(times(300, "char(1,1,1,1,1,1,1,1,1,1) || replace(hex(zeroblob(60000)), '0', char(1))"))",
        ]
        let arrow = ["Accept": "application/vnd.apache.arrow.stream"]
        _ = try await client.send("POST", "/v1/people/anna/sql", body: Data(#"{"query":"SELECT * FROM samples"}"#.utf8))
        for sql in statements {
            let asked = Data(#"{"query":"\#(sql)"}"#.utf8)
            let call =
                #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"query_sql","arguments":{"query":"\#(sql)"}}}"#
            for (path, headers, body) in [
                ("/v1/people/anna/sql", [:], asked), ("/v1/people/anna/sql", arrow, asked),
                ("/mcp", [:], Data(call.utf8)),
            ] {
                let before = try Self.memory(process, "VmRSS:")
                try Data("5".utf8).write(to: URL(filePath: "/proc/\(process.identifier)/clear_refs"))
                let answer = try await client.send(
                    "POST", path, headers: headers.merging(["Content-Type": "application/json"]) { $1 }, body: body)
                #expect([200, 400].contains(answer.status), "\(path): \(answer.status)")
                let taken = try Self.memory(process, "VmHWM:") - before
                #expect(taken < 150, "\(path), \(headers.isEmpty ? "JSON" : "table"): \(taken) MB, \(sql.prefix(100))")
            }
        }
        process.terminate()
        #expect(await process.status() == 0)
    }

    /// Samples of the years 1 and 9999 of every type that a route computes days from.
    private static let remote: String = {
        let quantities = [
            ("StepCount", "count"), ("ActiveEnergyBurned", "kcal"), ("AppleExerciseTime", "min"),
            ("HeartRate", "count/min"),
            ("DietaryEnergyConsumed", "kcal"),
        ]
        let days = ["0001", "9999"].map { year in
            quantities.map { type, unit in
                #"<Record type="HKQuantityTypeIdentifier\#(type)" sourceName="Phone" unit="\#(unit)" startDate="\#(year)-06-01 08:00:00 +0000" endDate="\#(year)-06-01 08:10:00 +0000" value="7"/>"#
            }.joined() + """
                <Record type="HKCategoryTypeIdentifierSleepAnalysis" sourceName="Watch" startDate="\(year)-06-01 01:00:00 +0000" endDate="\(year)-06-01 07:00:00 +0000" value="HKCategoryValueSleepAnalysisAsleepCore"/>
                <Record type="HKCategoryTypeIdentifierAppleStandHour" sourceName="Watch" startDate="\(year)-06-01 08:00:00 +0000" endDate="\(year)-06-01 08:10:00 +0000" value="HKCategoryValueAppleStandHourStood"/>
                <ActivitySummary dateComponents="\(year)-06-01" activeEnergyBurned="7" activeEnergyBurnedGoal="500" activeEnergyBurnedUnit="kcal"/>
                """
        }
        return
            #"<?xml version="1.0" encoding="UTF-8"?><HealthData locale="en_US"><ExportDate value="2025-11-16 12:00:00 +0000"/><Me/>"#
            + days.joined() + "</HealthData>"
    }()

    @Test("Millions of days: between the first and the last sample, or within one", arguments: [false, true])
    func days(isOneSample: Bool) async throws {
        let folder = try TemporaryServerFolder()
        let (process, client) = try await Self.serve(folder, archive: isOneSample ? Self.millennia : Self.remote)
        let week = "start=2025-11-10&end=2025-11-17"
        for path in [
            "today", "sleep", "activity-summaries?\(week)", "energy-balance?\(week)", "trends?type=stepCount",
            "trends?type=heartRate",
        ] {
            let answer = try await client.get("/v1/people/anna/\(path)")
            #expect(answer.status == 200, "\(path): \(answer.text.prefix(200))")
        }
        // All of it: two intervals, or the answer that there are too many.
        for query in [
            "type=stepCount&interval=day", "type=heartRate&interval=hour", "type=appleStandHour&interval=day",
        ] {
            let answer = try await client.get("/v1/people/anna/statistics?\(query)")
            if isOneSample {
                #expect(
                    answer.status == 400 && answer.code == "invalidParameter", "\(query): \(answer.text.prefix(200))")
            } else {
                #expect((answer.json["statistics"] as? [Any])?.count == 2, "\(query): \(answer.text.prefix(200))")
            }
        }
        // A week of it, with every interval that has data.
        for (query, count) in [
            ("type=stepCount&interval=day", 7), ("type=heartRate&interval=hour", 168),
            ("type=appleStandHour&interval=day", 7),
        ] {
            let answer = try await client.get("/v1/people/anna/statistics?\(query)&\(week)")
            #expect(
                (answer.json["statistics"] as? [Any])?.count == (isOneSample ? count : 0),
                "\(query): \(answer.text.prefix(200))")
        }
        // There are no nights before 1810 or after 2191, and no night lasts for millennia.
        for range in ["", "&\(week)"] {
            let answer = try await client.get("/v1/people/anna/statistics?type=sleepAnalysis&interval=day\(range)")
            #expect(answer.status == 200 && (answer.json["statistics"] as? [Any])?.isEmpty == true, "\(answer.text)")
        }
        for query in [
            "SELECT day FROM daily LIMIT 2", "SELECT day FROM activity_summaries LIMIT 2",
            "SELECT day FROM daily WHERE day = '2025-11-16'",
        ] {
            let answer = try await client.post("/v1/people/anna/sql", json: #"{"query":"\#(query)"}"#)
            #expect(answer.status == 200, "\(query): \(answer.text.prefix(200))")
        }
        let range = #"{"start":"2025-11-10","end":"2025-11-17"}"#
        for (tool, arguments) in [
            ("get_today", "{}"), ("get_highlights", "{}"), ("get_trends", #"{"type":"stepCount"}"#),
            ("get_activity_rings", range),
            ("get_sleep", range),
            ("get_energy_balance", range),
            ("get_statistics", #"{"type":"stepCount","interval":"day","start":"2025-11-10","end":"2025-11-17"}"#),
            ("query_sql", #"{"query":"SELECT day, sum FROM daily LIMIT 2"}"#),
        ] {
            let result = try await AssistantMessages.call(tool, arguments, client)
            #expect(result["isError"] as? Bool == false, "\(tool): \(AssistantMessages.text(result).prefix(200))")
        }
        let peak = try Self.peak(process)
        print("Greatest memory of a server with millions of days: \(peak) MB")
        #expect(peak < 600, "\(peak) MB")
        process.terminate()
        #expect(await process.status() == 0)
    }

    /// A sample that lasts from the year 1 to 9999, as a broken archive may have: there are five billion minutes in it.
    private static let millennia = """
        <?xml version="1.0" encoding="UTF-8"?>
        <HealthData locale="en_US">
         <ExportDate value="2025-11-16 12:00:00 +0000"/>
         <Me/>
         <Record type="HKQuantityTypeIdentifierStepCount" sourceName="Phone" unit="count" startDate="0001-01-02 00:00:00 +0000" endDate="9999-12-30 00:00:00 +0000" value="7"/>
         <Record type="HKQuantityTypeIdentifierHeartRate" sourceName="Watch" unit="count/min" startDate="0001-01-02 00:00:00 +0000" endDate="9999-12-30 00:00:00 +0000" value="70"/>
         <Record type="HKCategoryTypeIdentifierSleepAnalysis" sourceName="Watch" startDate="0001-01-02 00:00:00 +0000" endDate="9999-12-30 00:00:00 +0000" value="HKCategoryValueSleepAnalysisAsleepCore"/>
         <Record type="HKCategoryTypeIdentifierAppleStandHour" sourceName="Watch" startDate="0001-01-02 00:00:00 +0000" endDate="9999-12-30 00:00:00 +0000" value="HKCategoryValueAppleStandHourStood"/>
        </HealthData>

        """

    @Test("Billions of intervals: of a sample that lasts for millennia, from an anchor far away, and filled")
    func intervals() async throws {
        let folder = try TemporaryServerFolder()
        let (process, client) = try await Self.serve(folder, archive: Self.millennia)
        for query in [
            "interval=1m", "interval=hour&anchor=0001-01-01", "interval=1m&anchor=9999-12-31",
            "interval=1m&start=0001-01-01&end=9999-12-31&fill=true",
        ] {
            for type in ["stepCount", "heartRate"] {
                let answer = try await client.get("/v1/people/anna/statistics?type=\(type)&\(query)")
                #expect(answer.status == 400, "\(type) \(query): \(answer.text.prefix(200))")
            }
        }
        let refused = try await client.get("/v1/people/anna/statistics?type=stepCount&interval=1m")
        #expect(refused.status == 400 && refused.code == "invalidParameter", "\(refused.status)")
        let peak = try Self.peak(process)
        print("Greatest memory of a server with billions of intervals: \(peak) MB")
        #expect(peak < 900, "\(peak) MB")
        process.terminate()
        #expect(await process.status() == 0)
        for line in ["stats stepCount --every hour", "stats heartRate --every hour --json"] {
            let run = try await HKProcess.run(
                line.split(separator: " ").map(String.init) + ["--store", folder.path + "/people/anna/health.sqlite"])
            #expect(
                run.status != 0 && run.lines.contains { $0.hasPrefix("Error: The statistics would have about") },
                "\(line): \(run.lines.prefix(3))")
        }
    }
}
