import Foundation
import Testing

@testable import HealthServer

/// Requests that are small and ask for much. The server is a process of its own, whose greatest memory the kernel counts.
@Suite("Bombs in requests", .timeLimit(.minutes(5)))
struct ServerBombTests {
    /// The greatest memory of a process, in megabytes.
    private static func peak(_ process: HKProcess) throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(process.identifier)/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
        return try #require(Int(line.filter(\.isNumber))) >> 10
    }

    private static let paths = [
        "ingest/health-auto-export", "ingest/shortcuts", "sync/batches", "samples", "sql", "imports",
    ]

    /// Starts a server with the store of `anna`, which holds what an archive has, if there is one.
    private static func serve(_ folder: TemporaryServerFolder, archive: String? = nil) async throws -> (process: HKProcess, client: TestClient) {
        let data = ["--data", folder.path + "/people"]
        #expect(try await HKProcess.run(["person", "add", "anna"] + data).status == 0)
        if let archive {
            try Data(archive.utf8).write(to: URL(fileURLWithPath: folder.path + "/export.xml"))
            let run = try await HKProcess.run(
                ["import", folder.path + "/export.xml", "--quiet", "--store", folder.path + "/people/anna/health.sqlite"])
            #expect(run.status == 0, "\(run.lines)")
        }
        let made = try await HKProcess.run(["token", "add", "n", "--owner", "--json"] + data)
        let token = try #require(
            (try JSONSerialization.jsonObject(with: Data((made.lines.first ?? "").utf8)) as? [String: Any])?["token"] as? String)
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
                    "POST", "/v1/people/anna/\(path)", headers: ["Content-Type": "application/json"].merging(headers) { $1 },
                    body: Data(body.utf8)
                ).status
            } catch {
                // The server may end the connection before it has read all of a body that it refuses.
                #expect(try await client.get("/health").status == 200, "\(path)")
                return 400
            }
        }
        let bombs = [
            String(repeating: "[", count: 2 << 20), String(repeating: #"{"a":"#, count: 400_000), #"{"samples":"# + String(repeating: "[", count: 1 << 20),
            "[" + String(repeating: "9", count: 4 << 20) + "]", #"{"query":""# + String(repeating: "x", count: 4 << 20),
            #"{"type":""# + String(repeating: "\\u0000", count: 500_000) + #""}"#, "[" + String(repeating: "[],", count: 1 << 20) + "1]",
            #"{"a":1e"# + String(repeating: "9", count: 1 << 20) + "}",
        ]
        for path in Self.paths {
            for (index, bomb) in bombs.enumerated() {
                let status = try await post(path, bomb)
                #expect((400..<500).contains(status) || path == "imports" && status < 300, "\(path), bomb \(index): \(status)")
            }
            // Bodies are read as they are: what unpacks to a thousand times its size is no JSON.
            let packed = try await client.send(
                "POST", "/v1/people/anna/\(path)", headers: ["Content-Type": "application/json", "Content-Encoding": "gzip"],
                body: Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3] + [UInt8](repeating: 0, count: 1 << 16)))
            #expect((400..<500).contains(packed.status) || path == "imports" && packed.status < 300, "\(path): \(packed.status)")
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

    /// A sample that lasts from the year 1 to 9999, as a broken archive may have: there are five billion minutes in it.
    private static let millennia = """
        <?xml version="1.0" encoding="UTF-8"?>
        <HealthData locale="en_US">
         <ExportDate value="2025-11-16 12:00:00 +0000"/>
         <Me/>
         <Record type="HKQuantityTypeIdentifierStepCount" sourceName="Phone" unit="count" startDate="0001-01-02 00:00:00 +0000" endDate="9999-12-30 00:00:00 +0000" value="7"/>
         <Record type="HKQuantityTypeIdentifierHeartRate" sourceName="Watch" unit="count/min" startDate="0001-01-02 00:00:00 +0000" endDate="9999-12-30 00:00:00 +0000" value="70"/>
         <Record type="HKCategoryTypeIdentifierSleepAnalysis" sourceName="Watch" startDate="0001-01-02 00:00:00 +0000" endDate="9999-12-30 00:00:00 +0000" value="HKCategoryValueSleepAnalysisAsleepCore"/>
        </HealthData>

        """

    @Test("Billions of intervals: of a sample that lasts for millennia, from an anchor far away, and filled")
    func intervals() async throws {
        let folder = try TemporaryServerFolder()
        let (process, client) = try await Self.serve(folder, archive: Self.millennia)
        for query in ["interval=1m", "interval=hour&anchor=0001-01-01", "interval=1m&anchor=9999-12-31", "interval=1m&start=0001-01-01&end=9999-12-31&fill=true"] {
            for type in ["stepCount", "heartRate"] {
                let answer = try await client.get("/v1/people/anna/statistics/collection?type=\(type)&\(query)")
                #expect(answer.status == 400, "\(type) \(query): \(answer.text.prefix(200))")
            }
        }
        let refused = try await client.get("/v1/people/anna/statistics/collection?type=stepCount&interval=1m")
        #expect(refused.status == 400 && refused.code == "invalidParameter", "\(refused.status)")
        let peak = try Self.peak(process)
        print("Greatest memory of a server with billions of intervals: \(peak) MB")
        #expect(peak < 900, "\(peak) MB")
        process.terminate()
        #expect(await process.status() == 0)
        for line in ["stats stepCount --every hour", "stats heartRate --every hour --json"] {
            let run = try await HKProcess.run(
                line.split(separator: " ").map(String.init) + ["--store", folder.path + "/people/anna/health.sqlite"])
            #expect(run.status != 0 && run.lines.contains { $0.hasPrefix("Error: The statistics would have more than") }, "\(line): \(run.lines.prefix(3))")
        }
    }
}
