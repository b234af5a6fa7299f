import Foundation
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
