import Foundation
import HealthTesting
import Testing

@testable import HealthAccess
@testable import HealthServer

@Suite struct DemoStoresTests {
    private static let path = "/v1/people/_demo"

    @Test("A session that acts as a person has a fictional one beside, of whom nothing stays")
    func demoStandsBesideTheStore() async throws {
        try await TestServer.with(people: nil) { server in
            let types = try await server.client.get("\(Self.path)/types?timeZone=Pacific/Auckland")
            #expect(types.json["count"] as? Int ?? 0 > 50_000)
            // The person lives where the browser is.
            let nights = try await server.client.get("\(Self.path)/samples?type=sleepAnalysis&limit=1")
            let metadata = (nights.json["samples"] as? [[String: Any]])?.first?["metadata"] as? [String: Any]
            #expect(metadata?["HKTimeZone"] as? String == "Pacific/Auckland", "\(nights.json)")
            // What is written is there, in this demo only, and the own store stays empty.
            let weight = #"{"type":"bodyMass","startDate":"2026-02-01T03:03:03Z","quantity":61,"unit":"kg"}"#
            let posted = try await server.client.post("\(Self.path)/samples", json: "{\"samples\":[\(weight)]}")
            #expect(posted.status == 200)
            let weights = "/samples?type=bodyMass&start=2026-02-01T03:03:02Z&end=2026-02-01T03:03:04Z"
            let saved = try await server.client.get(Self.path + weights)
            #expect((saved.json["samples"] as? [Any])?.count == 1)
            #expect(try await server.client.get("/v1/people/me/types").json["count"] as? Int == 0)
            let other = try server.client.with(token: server.token(of: "me", scope: .owner))
            let theirs = try await other.get(Self.path + weights)
            #expect((theirs.json["samples"] as? [Any])?.count == 0)
            let webhook = #"{"application":"org.example.site","url":"https://example.org/","types":["stepCount"]}"#
            #expect(try await server.client.post("\(Self.path)/webhooks", json: webhook).status == 403)
            let folders = server.core.demos.folders
            #expect(folders.count == 2 && folders.allSatisfy(FileManager.default.fileExists(atPath:)))
            server.clock.advance(by: server.core.configuration.limits.storeIdleSeconds)
            server.core.tidy(isMinute: true)
            #expect(server.core.demos.folders == [])
            #expect(!folders.contains(where: FileManager.default.fileExists(atPath:)))
        }
    }

    @Test("What a server that was killed has left of fictional people is removed at the start")
    func leftovers() async throws {
        let folder = try TemporaryServerFolder()
        let left = StoreLocation.store(folder.path + "/health.sqlite").serverFolder + "/demos/left"
        try FileManager.default.createDirectory(
            atPath: left, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try await TestServer.with(folder: folder, people: nil) { _ in
            #expect(!FileManager.default.fileExists(atPath: left))
        }
    }

    @Test("An application, a link and somebody unknown have no fictional person")
    func demoIsForPeople() async throws {
        try await TestServer.with { server in
            for scope in [.application, .link, .sync] as [Credential.Scope] {
                let token = try server.token(scope: scope, read: .some(["stepCount"]), expires: server.clock.now + 60)
                let answer = try await server.client.with(token: token).get("\(Self.path)/types")
                #expect(answer.status == 403, "\(scope)")
            }
            #expect(try await server.client.with(token: nil).get("\(Self.path)/types").status == 401)
            #expect(server.core.demos.folders == [])
        }
    }
}
