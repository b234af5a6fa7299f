import Foundation
import HealthTesting
import Testing

@testable import HealthServer

@Suite("Browser sessions")
struct SessionTests {
    private static func cookie(_ response: TestResponse) -> String? {
        response.headers["set-cookie"]?.split(separator: ";").first.map(String.init)
    }

    @Test("A sign-in link works once, and the cookie is out of reach of scripts and other sites")
    func link() async throws {
        try await TestServer.with { server async throws in
            let nobody = server.client.with(token: nil)
            let code = try server.core.registry.addSignInCode(people: ["anna"])
            let first = try await nobody.get("/sign-in?code=\(code)")
            #expect(first.status == 303)
            #expect(first.headers["location"] == "/")
            let set = try #require(first.headers["set-cookie"])
            #expect(set.contains("; HttpOnly") && set.contains("; SameSite=Strict") && set.contains("; Path=/"))
            #expect(!set.contains("Secure"))
            let cookie = try #require(Self.cookie(first))
            let session = try await nobody.get("/v1/session", headers: ["Cookie": cookie])
            #expect(session.json["kind"] as? String == "session")
            #expect((session.json["people"] as? [[String: Any]])?.map { $0["person"] as? String } == ["anna"])
            #expect(session.json["isServerOwner"] as? Bool == false)
            let second = try await nobody.get("/sign-in?code=\(code)")
            #expect(second.status == 303 && second.headers["location"] == "/?sign-in=failed")
            #expect(second.headers["set-cookie"] == nil)
            let file = try String(contentsOfFile: server.core.configuration.location.accessFile, encoding: .utf8)
            #expect(!file.contains(code) && !file.contains(cookie.split(separator: "=")[1]))
        }
    }

    @Test("Codes and sessions expire by the server’s clock")
    func expiry() async throws {
        try await TestServer.with { server async throws in
            let nobody = server.client.with(token: nil)
            let code = try server.core.registry.addSignInCode(people: nil)
            server.clock.advance(by: AccessRegistry.codeSeconds)
            #expect(try await nobody.get("/sign-in?code=\(code)").headers["set-cookie"] == nil)
            let session = try server.session()
            #expect(try await nobody.get("/v1/session", headers: ["Cookie": session.cookie]).status == 200)
            server.clock.advance(by: AccessRegistry.sessionSeconds)
            #expect(try await nobody.get("/v1/session", headers: ["Cookie": session.cookie]).status == 401)
        }
    }

    @Test("Signing in with a typed code or an owner token, and signing out")
    func typed() async throws {
        try await TestServer.with { server async throws in
            let nobody = server.client.with(token: nil)
            let application = try server.token()
            #expect(try await nobody.post("/v1/session", json: #"{"token":"\#(application)"}"#).status == 403)
            #expect(try await nobody.post("/v1/session", json: #"{"token":"ohk_x"}"#).status == 401)
            #expect(try await nobody.post("/v1/session", json: #"{}"#).status == 400)
            let token = try server.token(scope: .owner)
            let answer = try await nobody.post("/v1/session", json: #"{"token":"\#(token)"}"#)
            #expect(answer.status == 200)
            let cookie = try #require(Self.cookie(answer))
            let requestToken = try #require(answer.json["csrfToken"] as? String)
            let headers = ["Cookie": cookie, "X-CSRF-Token": requestToken]
            #expect(try await nobody.get("/v1/session", headers: headers).status == 200)
            let out = try await nobody.delete("/v1/session", headers: headers)
            #expect(out.status == 204)
            #expect(out.headers["set-cookie"]?.contains("Max-Age=0") == true)
            #expect(try await nobody.get("/v1/session", headers: headers).status == 401)
        }
    }

    @Test("A session that began with a token ends when the token is revoked")
    func revocation() async throws {
        try await TestServer.with { server async throws in
            let nobody = server.client.with(token: nil)
            let token = try server.token(scope: .owner)
            let cookie = try #require(
                Self.cookie(try await nobody.post("/v1/session", json: #"{"token":"\#(token)"}"#)))
            let id = try #require(try server.core.registry.token(secret: token)?.id)
            try server.core.registry.revokeToken(id)
            #expect(try await nobody.get("/v1/session", headers: ["Cookie": cookie]).status == 401)
        }
    }

    /// What a browser adds to a changing request, and whether it is the server’s own page that sends it.
    private static func requests(port: Int, requestToken: String) -> [([String: String], Bool)] {
        let own = "http://localhost:\(port)"
        return [
            ([:], false), (["X-CSRF-Token": requestToken], true), (["X-CSRF-Token": "wrong"], false),
            (["Origin": own], true), (["Origin": "http://localhost:1"], false), (["Origin": "null"], false),
            (["Origin": "https://evil.example"], false), (["Sec-Fetch-Site": "same-origin"], true),
            (["Sec-Fetch-Site": "cross-site"], false), (["Sec-Fetch-Site": "same-site"], false),
            (["Sec-Fetch-Site": "none"], false), (["Origin": own, "Sec-Fetch-Site": "same-origin"], true),
            (["Origin": "https://evil.example", "X-CSRF-Token": requestToken], false),
            (["Origin": own, "X-CSRF-Token": "wrong"], false),
        ]
    }

    @Test("A changing request with a cookie must come from the server’s own page")
    func crossSite() async throws {
        try await TestServer.with { server async throws in
            let session = try server.session()
            let nobody = server.client.with(token: nil)
            for (fields, isOwn) in Self.requests(port: server.port, requestToken: session.requestToken) {
                let headers = fields.merging(["Cookie": session.cookie]) { $1 }
                let answer = try await nobody.post(
                    "/v1/tokens", json: #"{"name":"x","scope":"owner"}"#, headers: headers)
                #expect(answer.status == (isOwn ? 201 : 403), "\(fields)")
                if !isOwn { #expect(answer.code == "crossSiteRequest") }
                #expect(try await nobody.get("/v1/people", headers: headers).status == 200)
            }
            // A token isn’t sent by a browser on its own.
            let token = try await server.client.post(
                "/v1/tokens", json: #"{"name":"x","scope":"owner"}"#, headers: ["Origin": "https://evil.example"])
            #expect(token.status == 201)
        }
    }
}
