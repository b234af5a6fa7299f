import Foundation
import HealthTesting
import Testing

@testable import HealthAccess
@testable import HealthServer

@Suite("Refresh tokens of assistants’ clients", .timeLimit(.minutes(10)))
struct RefreshTokenTests {
    @Test("An access token is for an hour; each exchange makes another pair, and all are one token in the list")
    func rotation() async throws {
        try await TestServer.with { server in
            let trial = try await TrialClient(server)
            var last = try await trial.connect()
            for _ in 0..<3 {
                #expect(last.json["expires_in"] as? Int == 3_600 && last.json["scope"] as? String == "health:read")
                server.clock.advance(by: 3_599)
                #expect(try await trial.isConnected(last))
                server.clock.advance(by: 1)
                #expect(try await !trial.isConnected(last))
                let next = try await trial.refresh(last)
                #expect(next.status == 200 && next.headers["cache-control"] == "no-store", "\(next.text)")
                for kind in ["access_token", "refresh_token"] {
                    #expect(next.json[kind] as? String != last.json[kind] as? String)
                }
                #expect(try await trial.isConnected(next))
                last = next
            }
            let list = try await server.client.get("/v1/tokens").json["tokens"] as? [[String: Any]] ?? []
            let own = list.filter { $0["name"] as? String == "Trial" }
            #expect(own.count == 1 && own.first?["lastUsed"] is String && own.first?["expires"] == nil)
            let file = try server.storedAccess()
            for kind in ["access_token", "refresh_token"] {
                #expect(!file.contains(try #require(last.json[kind] as? String)))
            }
            let bearer = server.client.with(token: last.json["refresh_token"] as? String)
            #expect(try await AssistantMessages.send("{}", bearer).status == 401, "it reads nothing")
        }
    }

    @Test("A refresh token that comes twice ends all that it has led to, and nothing else")
    func reuse() async throws {
        try await TestServer.with { server in
            let trial = try await TrialClient(server)
            let (first, other) = (try await trial.connect(), try await trial.connect())
            let second = try await trial.refresh(first)
            let third = try await trial.refresh(second)
            for made in [first, second, third] { #expect(try await trial.isConnected(made)) }
            let stolen = try await trial.refresh(first)
            #expect(stolen.status == 400 && stolen.json["error"] as? String == "invalid_grant", "\(stolen.text)")
            for made in [first, second, third] {
                #expect(try await !trial.isConnected(made))
                #expect(try await trial.refresh(made).json["error"] as? String == "invalid_grant")
            }
            #expect(try await trial.isConnected(other))
            #expect(try await trial.refresh(other).status == 200)
            let list = try await server.client.get("/v1/tokens").json["tokens"] as? [[String: Any]] ?? []
            #expect(list.filter { $0["name"] as? String == "Trial" }.count == 1)
        }
    }

    @Test("It ends with its token, when the person has said, and after 90 days without use")
    func ends() async throws {
        try await TestServer.with { server in
            let trial = try await TrialClient(server)
            let expires = (TestClock.start + 5_400).ISO8601Format()
            let short = try await trial.refresh(
                try await trial.connect(
                    #"{"isAllowed":true,"person":"anna","read":["stepCount"],"expires":"\#(expires)"}"#))
            server.clock.advance(by: 3_600)
            let last = try await trial.refresh(short)
            #expect(last.json["expires_in"] as? Int == 1_800, "\(last.text)")
            server.clock.advance(by: 1_800)
            #expect(try await !trial.isConnected(last))
            #expect(try await trial.refresh(last).status == 400)
            let revoked = try await trial.connect()
            let list = try await server.client.get("/v1/tokens").json["tokens"] as? [[String: Any]] ?? []
            let id = try #require(list.last?["id"] as? String)
            #expect(try await server.client.delete("/v1/tokens/\(id)").status == 204)
            #expect(try await !trial.isConnected(revoked))
            #expect(try await trial.refresh(revoked).status == 400)
            let (used, unused) = (try await trial.connect(), try await trial.connect())
            server.clock.advance(by: 89 * 86_400)
            let next = try await trial.refresh(used)
            server.clock.advance(by: 86_400)
            try server.core.registry.flush()
            #expect(try await trial.refresh(unused).json["error"] as? String == "invalid_grant")
            #expect(try await trial.refresh(next).status == 200)
        }
    }

    @Test("It is for the client and the endpoint that it was made for, and guesses count as failures")
    func mistakes() async throws {
        var limits = ServerLimits()
        limits.failuresPerMinute = 3
        try await TestServer.with(limits: limits) { server in
            let trial = try await TrialClient(server)
            let other = try await TrialClient(server, redirect: "https://other.example/")
            let made = try await trial.connect()
            for (changes, error): ([String: String?], String) in [
                (["client_id": other.id], "invalid_grant"), (["client_id": nil], "invalid_request"),
                (["refresh_token": made.json["access_token"] as? String], "invalid_grant"),
                (["refresh_token": server.ownerToken], "invalid_grant"), (["refresh_token": nil], "invalid_request"),
                (["resource": "https://other.example/mcp"], "invalid_target"),
            ] {
                let refused = try await trial.refresh(made, changes)
                #expect(refused.status == 400 && refused.json["access_token"] == nil, "\(changes)")
                #expect(refused.json["error"] as? String == error, "\(changes): \(refused.text)")
            }
            #expect(try await trial.refresh(made, ["refresh_token": "unknown"]).status == 429)
            #expect(try await trial.refresh(made).status == 200, "a right one passes, and mistakes used nothing up")
        }
    }
}
