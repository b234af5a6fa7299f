import Foundation
import HealthTesting
import Synchronization
import Testing

@testable import HealthAccess
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
            // Programs that show a preview of a link follow it, and antivirus programs ask for its head.
            for method in ["GET", "HEAD", "GET"] {
                let followed = try await nobody.send(method, "/sign-in?code=\(code)")
                #expect(followed.status == 303 && followed.headers["set-cookie"] == nil)
                #expect(followed.headers["location"] == "/#/code/\(code)")
            }
            for other in ["", "a%20b", "%0D%0Ax", "%3Cscript%3E", "%C3%A9"] {
                let refused = try await nobody.get("/sign-in?code=\(other)")
                #expect(refused.headers["location"] == "/?sign-in=failed")
            }
            let first = try await nobody.post("/v1/session", json: #"{"code":"\#(code)"}"#)
            let set = try #require(first.headers["set-cookie"])
            #expect(set.contains("; HttpOnly") && set.contains("; SameSite=Strict") && set.contains("; Path=/"))
            #expect(!set.contains("Secure"))
            let cookie = try #require(Self.cookie(first))
            #expect(cookie.hasPrefix("openhealthkit-\(server.port)="))
            let secret = try #require(first.json["csrfToken"] as? String)
            let session = try await nobody.get("/v1/session", headers: ["Cookie": cookie, "X-CSRF-Token": secret])
            #expect(session.json["kind"] as? String == "session")
            #expect((session.json["people"] as? [[String: Any]])?.map { $0["person"] as? String } == ["anna"])
            #expect(session.json["isServerOwner"] as? Bool == false)
            let second = try await nobody.post("/v1/session", json: #"{"code":"\#(code)"}"#)
            #expect(second.status == 401 && second.headers["set-cookie"] == nil)
            let file = try server.storedAccess()
            #expect(!file.contains(code) && !file.contains(cookie.split(separator: "=")[1]))
        }
    }

    @Test("Codes and sessions expire by the server’s clock")
    func expiry() async throws {
        try await TestServer.with { server async throws in
            let nobody = server.client.with(token: nil)
            let code = try server.core.registry.addSignInCode(people: nil)
            server.clock.advance(by: AccessRegistry.codeSeconds)
            #expect(try await nobody.post("/v1/session", json: #"{"code":"\#(code)"}"#).status == 401)
            let session = try server.session()
            #expect(try await nobody.get("/v1/session", headers: session.headers).status == 200)
            server.clock.advance(by: AccessRegistry.sessionSeconds)
            #expect(try await nobody.get("/v1/session", headers: session.headers).status == 401)
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

    @Test("Signed-in browsers are listed by what they are, and each can be signed out by whom it acts for")
    func browsers() async throws {
        try await TestServer.with { server async throws in
            let nobody = server.client.with(token: nil)
            func signIn(_ people: [String]?, _ agent: String) async throws -> [String: String] {
                let code = try server.core.registry.addSignInCode(people: people)
                let answer = try await nobody.post(
                    "/v1/session", json: #"{"code":"\#(code)"}"#, headers: ["User-Agent": agent])
                return [
                    "Cookie": try #require(Self.cookie(answer)),
                    "X-CSRF-Token": try #require(answer.json["csrfToken"] as? String),
                ]
            }
            func list(_ headers: [String: String]) async throws -> [[String: Any]] {
                try await nobody.get("/v1/sessions", headers: headers).json["sessions"] as? [[String: Any]] ?? []
            }
            let phone = try await signIn(
                ["anna"], "Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) Version/26.0 Safari/604.1")
            let desk = try await signIn(
                ["anna"], "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0")
            let other = try await signIn(["bob"], "curl/8")
            let owner = try await signIn(nil, "Mozilla/5.0 (Windows NT 10.0) Chrome/140.0 Safari/537.36 Edg/140.0")
            let own = try await list(desk)
            let names = own.map { $0["name"] as? String }.sorted { ($0 ?? "") < ($1 ?? "") }
            #expect(names == ["Firefox on Linux", "Safari on iPhone"])
            #expect(own.filter { $0["isOwn"] as? Bool == true }.map { $0["name"] as? String } == ["Firefox on Linux"])
            #expect(try await list(other).count == 1)
            #expect(
                Set(try await list(owner).compactMap { $0["name"] as? String }).isSuperset(of: [
                    "browser", "Edge on Windows",
                ]))
            let id = try #require(own.first { $0["isOwn"] as? Bool == false }?["id"] as? String)
            #expect(try await nobody.delete("/v1/sessions/\(id)", headers: other).status == 404)
            #expect(try await nobody.get("/v1/session", headers: phone).status == 200)
            #expect(try await nobody.delete("/v1/sessions/\(id)", headers: desk).status == 204)
            #expect(try await nobody.get("/v1/session", headers: phone).status == 401)
            // Applications and links see none.
            let application = try server.client.with(token: server.token())
            #expect(try await application.get("/v1/sessions").status == 403)
            #expect(try await nobody.get("/v1/sessions").status == 401)
        }
    }

    @Test("Signing out ends the streams of open tabs at once, also when another program does it")
    func streams() async throws {
        let limiter = StreamLimiter(maximum: 10, maximumPerIdentity: 10)
        let ended = Mutex<[String]>([])
        let leases = try ["a", "a", "b"].map { id in
            var identity = Identity.local(isReadOnly: false)
            identity.id = id
            let lease = try limiter.open(for: identity)
            lease.onEnd { ended.withLock { $0.append(id) } }
            return lease
        }
        #expect(limiter.identities == ["a", "b"])
        limiter.end(of: "a")
        limiter.end(of: "a")
        #expect(ended.withLock { $0 } == ["a", "a"])
        withExtendedLifetime(leases) {}
        try await TestServer.with { server async throws in
            // The log of requests, which can't be written.
            try FileManager.default.createDirectory(
                atPath: server.core.configuration.location.auditLog, withIntermediateDirectories: false)
            for isElsewhere in [false, true] {
                let session = try server.session()
                let stream = Task {
                    try await server.client.with(token: nil).get("/v1/people/anna/events", headers: session.headers)
                }
                while server.core.streams.identities.isEmpty { await Task.yield() }
                let id = try #require(server.core.streams.identities.first)
                if isElsewhere {
                    try server.core.registry.endSession(id)
                    server.core.tidy(isMinute: false)
                } else {
                    let out = try await server.client.with(token: nil).delete("/v1/session", headers: session.headers)
                    #expect(out.status == 204)
                }
                // The answer is complete only when its stream has ended.
                let answer = try await stream.value
                // Or a session that has ended before its stream has begun is refused.
                #expect(answer.status == 401 || answer.text.contains("event: ready"))
                while !server.core.streams.identities.isEmpty { await Task.yield() }
            }
        }
    }

    @Test("A session that began with a token ends when the token is revoked")
    func revocation() async throws {
        try await TestServer.with { server async throws in
            let nobody = server.client.with(token: nil)
            let token = try server.token(scope: .owner)
            let answer = try await nobody.post("/v1/session", json: #"{"token":"\#(token)"}"#)
            let headers = [
                "Cookie": try #require(Self.cookie(answer)),
                "X-CSRF-Token": try #require(answer.json["csrfToken"] as? String),
            ]
            #expect(try await nobody.get("/v1/session", headers: headers).status == 200)
            let id = try #require(try server.core.registry.token(secret: token)?.id)
            try server.core.registry.revokeToken(id)
            #expect(try await nobody.get("/v1/session", headers: headers).status == 401)
        }
    }

    @Test("A cookie alone, which every server of this machine receives, is worth nothing")
    func receivedCookie() async throws {
        try await TestServer.with { server async throws in
            let (session, other) = (try server.session(), try server.session())
            let nobody = server.client.with(token: nil)
            for secret in [nil, "", "wrong", session.secret, other.headers["X-CSRF-Token"]] {
                var headers = [
                    "Cookie": session.cookie, "Origin": "http://localhost:\(server.port)",
                    "Sec-Fetch-Site": "same-origin",
                ]
                headers["X-CSRF-Token"] = secret
                for path in [
                    "/v1/session", "/v1/people", "/v1/people/anna/types", "/v1/people/anna/events", "/v1/tokens",
                ] {
                    let answer = try await nobody.get(path, headers: headers)
                    #expect(answer.status == 401 && !answer.text.contains(session.headers["X-CSRF-Token"] ?? "?"))
                }
                let made = try await nobody.post("/v1/tokens", json: #"{"name":"x","scope":"owner"}"#, headers: headers)
                #expect(made.status == 403 && made.code == "crossSiteRequest")
                // Its owner, whose browser has lost the secret, can sign in again.
                let again = try await nobody.post(
                    "/v1/session", json: #"{"token":"\#(server.ownerToken)"}"#, headers: headers)
                #expect(again.status == 200)
            }
        }
    }

    @Test("Servers on several ports of a machine, or behind a proxy, have separate cookies")
    func names() {
        for (authority, isSecure, name) in [
            ("localhost:8080", false, "openhealthkit-8080"), ("127.0.0.1:8081", false, "openhealthkit-8081"),
            ("[::1]:8080", false, "openhealthkit-8080"), ("localhost", false, "openhealthkit-80"),
            ("[::1]", false, "openhealthkit-80"), ("health.example.org", true, "__Host-openhealthkit-443"),
            ("health.example.org:8443", true, "__Host-openhealthkit-8443"), ("x:=;", false, "openhealthkit-80"),
        ] { #expect(SessionCookie(isSecure: isSecure, authority: authority).name == name) }
    }

    /// The headers that a browser adds to a changing request, and whether it is the server’s own page that sends it.
    private static func requests(port: Int, requestToken: String?) -> [([String: String], Bool)] {
        let own = "http://localhost:\(port)"
        let fields: [([String: String], Bool)] = [
            ([:], true), (["Origin": own], true), (["Origin": "http://localhost:1"], false),
            (["Origin": "null"], false), (["Origin": "https://evil.example"], false),
            (["Sec-Fetch-Site": "same-origin"], true), (["Sec-Fetch-Site": "cross-site"], false),
            (["Sec-Fetch-Site": "same-site"], false), (["Sec-Fetch-Site": "none"], false),
            (["Origin": own, "Sec-Fetch-Site": "same-origin"], true),
        ]
        return [nil, "wrong", requestToken].flatMap { secret in
            fields.map { fields, isOwn in
                (fields.merging(secret.map { ["X-CSRF-Token": $0] } ?? [:]) { $1 }, isOwn && secret == requestToken)
            }
        }
    }

    @Test("A changing request with a cookie must come from the server’s own page")
    func crossSite() async throws {
        try await TestServer.with { server async throws in
            let session = try server.session()
            let nobody = server.client.with(token: nil)
            let secret = session.headers["X-CSRF-Token"]
            for (fields, isOwn) in Self.requests(port: server.port, requestToken: secret) {
                let headers = fields.merging(["Cookie": session.cookie]) { $1 }
                let answer = try await nobody.post(
                    "/v1/tokens", json: #"{"name":"x","scope":"owner"}"#, headers: headers)
                #expect(answer.status == (isOwn ? 201 : 403), "\(fields)")
                if !isOwn { #expect(answer.code == "crossSiteRequest") }
                // Answers can't be read by another site.
                let read = try await nobody.get("/v1/people", headers: headers)
                #expect(read.status == (fields["X-CSRF-Token"] == secret ? 200 : 401))
            }
            // A token isn’t sent by a browser on its own.
            let token = try await server.client.post(
                "/v1/tokens", json: #"{"name":"x","scope":"owner"}"#, headers: ["Origin": "https://evil.example"])
            #expect(token.status == 201)
        }
    }
}
