import Foundation
import Testing

@testable import HealthServer

@Suite("The map below routes")
struct MapTilesTests {
    @Test("A map is a URL of tiles, whose origin alone the policy allows")
    func templates() throws {
        for (template, origin) in [
            ("https://tiles.example.org/{z}/{x}/{y}.png", "https://tiles.example.org"),
            ("http://127.0.0.1:8081/a/{z}/{x}/{y}@2x.png?key=1", "http://127.0.0.1:8081"),
        ] {
            #expect(MapTiles(template: template)?.origin == origin)
        }
        for wrong in [
            "", "tiles.example.org/{z}/{x}/{y}.png", "https://tiles.example.org/{z}/{x}.png", "ftp://a/{z}/{x}/{y}",
            "https://{z}.example.org/{x}/{y}.png", "https://a@example.org/{z}/{x}/{y}.png", "https:///{z}/{x}/{y}.png",
            "https://a;script-src *.example.org/{z}/{x}/{y}.png", "javascript:{z}{x}{y}", "https://*/{z}/{x}/{y}",
        ] {
            #expect(MapTiles(template: wrong) == nil, "\(wrong)")
        }
    }

    @Test("Without a map, the page loads nothing of others; with one, its images")
    func policy() async throws {
        try await TestServer.with { server in
            let policy = try await server.client.get("/").headers["content-security-policy"] ?? ""
            #expect(policy.contains("img-src 'self' data: blob:;"))
            #expect(try await server.client.get("/v1/session").json["mapTiles"] == nil)
        }
        let template = "https://tiles.example.org/{z}/{x}/{y}.png"
        try await TestServer.with(configure: {
            $0.mapTiles = MapTiles(template: template, attribution: "© Example")
        }) { server in
            let policy = try await server.client.get("/").headers["content-security-policy"] ?? ""
            #expect(policy.contains("img-src 'self' data: blob: https://tiles.example.org;"))
            #expect(policy.components(separatedBy: "example.org").count == 2)
            let session = try await server.client.get("/v1/session").json
            #expect(session["mapTiles"] as? String == template && session["mapAttribution"] as? String == "© Example")
        }
    }
}
