import Foundation
import Testing

@testable import HealthServer

@Suite("Sites whose scripts may use the API")
struct AllowedOriginTests {
    private static let site = ["Origin": "https://example.org"]
    private static let question = [
        "Access-Control-Request-Method": "GET", "Access-Control-Request-Headers": "authorization",
    ]

    @Test("An origin is a scheme, a host and perhaps a port, as browsers send it; that of every site isn't one")
    func origins() {
        for origin in ["https://example.org", "http://localhost:3000", "http://192.168.1.7", "https://[::1]:8443"] {
            #expect(AllowedOrigins([origin]) != nil, "\(origin)")
        }
        for wrong in [
            "", "*", "null", "example.org", "https://example.org/", "https://*.example.org", "ftp://example.org",
            "https://a@example.org", "https://Example.org", "https://example.org:",
            "https://example.org, https://a.org", "https://example.org\r\nSet-Cookie: a=b",
        ] {
            #expect(AllowedOrigins([wrong]) == nil, "\(wrong)")
        }
    }

    @Test("A site that is allowed asks before its requests, sends a token, and reads answers and errors")
    func allowed() async throws {
        try await TestServer.with(configure: {
            $0.allowedOrigins = AllowedOrigins(["https://example.org", "http://localhost:3000"])
        }) { server async throws in
            let nobody = server.client.with(token: nil)
            let path = "/v1/people/anna/samples"
            let asked = try await nobody.send("OPTIONS", path, headers: Self.site.merging(Self.question) { $1 })
            #expect(asked.status == 204 && asked.body.isEmpty)
            #expect(asked.headers["access-control-allow-origin"] == "https://example.org")
            #expect(asked.headers["access-control-allow-methods"] == "DELETE, GET, HEAD, POST")
            let fields = asked.headers["access-control-allow-headers"] ?? ""
            #expect(fields.contains("Authorization") && fields.contains("If-None-Match"))
            // Neither the cookie of a session nor its secret.
            #expect(!fields.contains("X-CSRF-Token") && asked.headers["access-control-allow-credentials"] == nil)
            for (path, token, status) in [
                ("/v1/people/anna/types", server.ownerToken, 200), ("/v1/people/anna/types", "ohk_wrong", 401),
                ("/v1/nothing", server.ownerToken, 404), ("/openapi.json", "", 200),
                ("/.well-known/oauth-authorization-server", "", 200), ("/oauth/authorize", "", 400),
            ] {
                let client = token.isEmpty ? nobody : server.client.with(token: token)
                let answer = try await client.get(path, headers: Self.site)
                #expect(answer.status == status, "\(path)")
                #expect(answer.headers["access-control-allow-origin"] == "https://example.org", "\(path)")
                #expect(answer.headers["access-control-expose-headers"]?.contains("ETag") == true, "\(path)")
                #expect(answer.headers["vary"]?.contains("Origin") == true, "\(path)")
            }
            let session = try server.session()
            let other = try await nobody.get("/v1/people", headers: session.headers.merging(Self.site) { $1 })
            #expect(other.headers["access-control-allow-credentials"] == nil)
            // The page's files are for the page.
            #expect(try await nobody.get("/", headers: Self.site).headers["access-control-allow-origin"] == nil)
        }
    }

    @Test("Other sites, and all of them without the option, receive no permission")
    func refused() async throws {
        for allowed in [nil, AllowedOrigins(["https://example.org"])] {
            try await TestServer.with(configure: { $0.allowedOrigins = allowed }) { server async throws in
                let origins =
                    ["https://example.com", "http://example.org", "https://example.org:8443", "null"]
                    + (allowed == nil ? ["https://example.org"] : [])
                for origin in origins {
                    let fields = ["Origin": origin].merging(Self.question) { $1 }
                    let asked = try await server.client.send("OPTIONS", "/v1/people", headers: fields)
                    let answer = try await server.client.get("/v1/people", headers: ["Origin": origin])
                    #expect(asked.status == 405 && answer.status == 200, "\(origin)")
                    for found in [asked, answer] {
                        #expect(!found.headers.keys.contains { $0.hasPrefix("access-control-") }, "\(origin)")
                        #expect(found.headers["vary"]?.contains("Origin") ?? false == (allowed != nil), "\(origin)")
                    }
                }
            }
        }
    }
}
