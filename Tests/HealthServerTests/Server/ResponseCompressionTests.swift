import Foundation
import Testing

@testable import HealthServer

@Suite("Compressed answers")
struct ResponseCompressionTests {
    private static let gzip = ["Accept-Encoding": "gzip, deflate, br"]

    @Test(
        "A list of samples is sent in the gzip form to who accepts it, whole and as lines",
        arguments: ["application/json", "application/x-ndjson"])
    func samples(media: String) async throws {
        try await APIFixture.run { api in
            try api.save(
                "heartRate", "count/min", (0..<1_000).map { ("2025-10-01T12:\(10 + $0 % 50):00Z", 0, 60 + Double($0)) })
            let path = APIFixture.root + "samples?type=heartRate&limit=1000"
            let plain = try await api.client.get(path, headers: ["Accept": media])
            #expect(plain.headers["content-encoding"] == nil && plain.headers["vary"] == "Accept-Encoding")
            let compressed = try await api.client.get(path, headers: Self.gzip.merging(["Accept": media]) { $1 })
            #expect(compressed.headers["content-encoding"] == "gzip" && compressed.headers["content-length"] == nil)
            #expect(compressed.body.count < plain.body.count / 4)
            #expect(try DashboardFilesTests.unzipped(compressed.body) == plain.body)
        }
    }

    @Test("Short answers, downloads, and answers to who refuses gzip are sent as they are")
    func uncompressed() async throws {
        try await APIFixture.run { api in
            try api.save("heartRate", "count/min", [("2025-10-01T12:00:00Z", 0, 60)])
            for path in ["samples?type=heartRate&limit=1", "exports?format=ndjson"] {
                let answer = try await api.client.get(APIFixture.root + path, headers: Self.gzip)
                #expect(answer.status == 200 && answer.headers["content-encoding"] == nil, "\(path)")
            }
            let refused = try await api.client.get("/openapi.json", headers: ["Accept-Encoding": "gzip;q=0"])
            #expect(refused.headers["content-encoding"] == nil && refused.headers["vary"] == "Accept-Encoding")
        }
    }
}
