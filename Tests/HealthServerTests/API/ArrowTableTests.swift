import Foundation
import HealthEngine
import HealthModel
import Testing

@testable import HealthServer

@Suite("Answers as Arrow tables", .serialized)
struct ArrowTableTests {
    private static let accept = ["Accept": "application/vnd.apache.arrow.stream"]
    /// A message of the format begins with these bytes; after the last one, only its size follows, which is 0.
    private static let beginning = Data([0xFF, 0xFF, 0xFF, 0xFF])

    @Test(
        "Samples, questions and SQL are a stream of messages",
        arguments: [
            "samples?type=heartRate", "samples?type=heartRate&columns=value,source&limit=2", "samples?type=bodyMass",
            "statistics?type=heartRate&interval=hour", "types", "sql",
        ])
    func stream(path: String) async throws {
        try await APIFixture.run { api in
            try api.save(
                "heartRate", "count/min", [("2025-05-01T08:00:00Z", 0, 60), ("2025-05-01T09:00:00Z", 0, 70)])
            let url = APIFixture.root + path
            let answer =
                try await path == "sql"
                ? api.client.post(
                    url, json: #"{"query": "SELECT value, source FROM heart_rate"}"#, headers: Self.accept)
                : api.client.get(url, headers: Self.accept)
            #expect(answer.status == 200, "\(answer.text)")
            #expect(answer.headers["content-type"] == "application/vnd.apache.arrow.stream")
            #expect(answer.body.prefix(4) == Self.beginning)
            #expect(answer.body.suffix(8) == Self.beginning + Data(count: 4))
            #expect(answer.body.count % 8 == 0)
            if path.hasPrefix("samples") {
                #expect(answer.text.contains("start_date") != path.contains("columns"))
            }
        }
    }

    @Test("Errors are JSON, and come before the table")
    func errors() async throws {
        try await APIFixture.run { api in
            for query in [
                "type=hartRate", "type=workout", "type=heartRate&sort=startDate", "type=heartRate&columns=values",
                "type=heartRate&unit=kg",
            ] {
                let answer = try await api.client.get(APIFixture.root + "samples?" + query, headers: Self.accept)
                #expect(answer.status == 400 && answer.code == "invalidParameter", "\(query): \(answer.text)")
            }
            // Columns are those of tables only.
            #expect(try await api.get("samples?type=heartRate&columns=value").status == 400)
            for (query, reason) in [
                ("SELEC", "syntax"), ("SELECT 1; SELECT 2", "one statement"),
                (
                    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 70000) SELECT CASE WHEN i < 69999 THEN i ELSE 'text' END AS v FROM n",
                    "CAST"
                ),
            ] {
                let answer = try await api.client.post(
                    APIFixture.root + "sql", json: #"{"query": "\#(query)"}"#, headers: Self.accept)
                #expect(answer.status == 400 && answer.code == "invalidSQL", "\(query): \(answer.text.prefix(200))")
                #expect(answer.text.contains(reason), "\(answer.text.prefix(200))")
            }
        }
    }
}

@Suite("Answers as CSV", .serialized)
struct CSVTableTests {
    private static let accept = ["Accept": "text/csv"]

    private static func fill(_ api: APIFixture) throws {
        let metadata = Metadata([.init(key: "HKFoodType", value: .string("a \"b\", c"))])
        try api.save("heartRate", "count/min", [("2025-05-01T08:00:00.250Z", 0, 60.5)], metadata: metadata)
        try api.save("heartRate", "count/min", [("2025-05-01T09:00:00Z", 60, 70)])
        try api.save("stepCount", "count", [("2025-05-01T08:00:00Z", 60, 10), ("2025-05-02T08:00:00Z", 60, 20)])
        try api.engine.save(
            [try APIFixture.night("2025-05-01T22:00:00Z", 7, 4)], as: APIFixture.app("watch"))
    }

    @Test("Samples have the columns of tables: instants with an offset, the unit, metadata as JSON")
    func samples() async throws {
        try await APIFixture.run { api in
            try Self.fill(api)
            let columns = "start_date,end_date,value,source,metadata"
            let answer = try await api.client.get(
                APIFixture.root + "samples?type=heartRate&timeZone=Europe/Berlin&columns=\(columns)",
                headers: Self.accept)
            #expect(answer.status == 200 && answer.headers["content-type"] == "text/csv; charset=utf-8")
            #expect(
                answer.text.components(separatedBy: "\r\n") == [
                    "start_date,end_date,value (count/min),source,metadata",
                    "2025-05-01T10:00:00.250+02:00,2025-05-01T10:00:00.250+02:00,60.5,watch,\"{\"\"HKFoodType\"\":\"\"a \\\"\"b\\\"\", c\"\"}\"",
                    "2025-05-01T11:00:00+02:00,2025-05-01T11:01:00+02:00,70,watch,", "",
                ])
            let nights = try await api.client.get(
                APIFixture.root + "samples?type=sleepAnalysis&columns=type,value,unit,uuid", headers: Self.accept)
            let lines = nights.text.components(separatedBy: "\r\n")
            #expect(lines[0] == "type,value,unit,uuid" && lines.count == 3)
            #expect(lines[1].contains(/^sleepAnalysis,asleepDeep,,[0-9A-F-]{36}$/), "\(lines[1])")
        }
    }

    @Test("Questions and SQL are the rows of their tables")
    func questions() async throws {
        try await APIFixture.run { api in
            try Self.fill(api)
            func table(_ path: String) async throws -> [[String: String]] {
                let answer = try await api.client.get(APIFixture.root + path, headers: Self.accept)
                #expect(answer.status == 200, "\(path): \(answer.text)")
                let lines = answer.text.components(separatedBy: "\r\n").filter { !$0.isEmpty }
                    .map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
                return lines.dropFirst().map { Dictionary(zip(lines[0], $0)) { first, _ in first } }
            }
            let days = try await table("statistics?type=stepCount&interval=day&unit=count")
            #expect(days.map { $0["sum"] } == ["10", "20"] && days.first?["unit"] == "count", "\(days)")
            #expect(days.first?["start_date"]?.hasPrefix("2025-05-01T00:00:00") == true, "\(days)")
            #expect(try await table("types").count >= 3)
            for path in ["sleep?start=2025-05-02", "activity-summaries", "workouts", "trends?type=stepCount", "cycles"]
            {
                _ = try await table(path)
            }
            let rows = try await api.client.post(
                APIFixture.root + "sql", json: #"{"query": "SELECT 1 AS a, 'x,y' AS b, NULL AS c"}"#,
                headers: Self.accept)
            #expect(rows.text == "a,b,c\r\n1,\"x,y\",\r\n", "\(rows.text)")
        }
    }

    @Test("Clients that accept JSON as well get what they got before, unless they prefer CSV")
    func negotiation() async throws {
        try await APIFixture.run { api in
            try Self.fill(api)
            let arrow = "application/vnd.apache.arrow.stream"
            for (accept, type) in [
                ("text/csv", "text/csv"), ("text/csv, */*", "text/csv"), ("Text/CSV; q=0.5, */*;q=0.1", "text/csv"),
                ("application/json, text/csv", "application/json"), ("text/csv;q=0, */*", "application/json"),
                ("text/csv;q=0.5, application/json", "application/json"), ("*/*", "application/json"),
                ("application/json", "application/json"), ("text/html, */*", "application/json"),
                ("text/csv;q=0.5, application/*", "application/json"), ("text/csv;q=0.5, */*", "application/json"),
                ("\(arrow);q=0.5, application/json", "application/json"), ("\(arrow), application/json", arrow),
                ("\(arrow);q=0.5, */*;q=0.1", arrow), ("\(arrow);q=0.5, text/csv", "text/csv"),
            ] {
                let answer = try await api.client.get(
                    APIFixture.root + "statistics?type=stepCount", headers: ["Accept": accept])
                #expect(answer.headers["content-type"]?.hasPrefix(type) == true, "\(accept)")
                // A cache keeps the forms apart.
                #expect(answer.headers["vary"] == "Accept" || type == "application/json", "\(accept)")
            }
        }
    }

    @Test("Clients that accept CSV alone are refused what isn't a table, before anything is done")
    func refusal() async throws {
        try await APIFixture.run { api in
            try Self.fill(api)
            for path in ["characteristics", "electrocardiograms", "sources", "changes", "exports?format=csv"] {
                let answer = try await api.client.get(APIFixture.root + path, headers: Self.accept)
                #expect(answer.status == 406 && answer.code == "notAcceptable", "\(path): \(answer.text)")
                #expect(answer.headers["content-type"] == "application/problem+json")
            }
            #expect(try await api.client.get("/v1/tokens", headers: Self.accept).status == 406)
            let both = ["Accept": "text/csv, application/json"]
            #expect(try await api.client.get(APIFixture.root + "characteristics", headers: both).status == 200)
            let deletion = try await api.client.delete(
                APIFixture.root + "samples?type=stepCount", headers: Self.accept)
            #expect(deletion.status == 406)
            let left = try await api.get("samples?type=stepCount")
            #expect(left.list("samples").count == 2)
            // The token is checked before.
            let nobody = try await api.client.with(token: nil).get(
                APIFixture.root + "characteristics", headers: Self.accept)
            #expect(nobody.status == 401)
        }
    }
}
