import Foundation
import Testing

@testable import HealthServer

@Suite("A server on a socket")
struct SmokeTests {
    @Test("Health, people, and problems for what doesn’t exist")
    func basics() async throws {
        try await TestServer.with { server async throws in
            let health = try await server.client.with(token: nil).get("/health")
            #expect(health.status == 200)
            #expect(health.json["status"] as? String == "ok")
            let people = try await server.client.get("/v1/people")
            #expect(people.status == 200)
            #expect(
                (people.json["people"] as? [[String: Any]])?.compactMap { $0["person"] as? String } == ["anna", "ben"])
            let missing = try await server.client.get("/v1/nothing")
            #expect(missing.status == 404)
            #expect(missing.code == "notFound")
            #expect(missing.headers["content-type"] == "application/problem+json")
            let wrong = try await server.client.delete("/v1/people")
            #expect(wrong.status == 405)
            #expect(wrong.headers["allow"] == "GET, HEAD, POST")
        }
    }
}
