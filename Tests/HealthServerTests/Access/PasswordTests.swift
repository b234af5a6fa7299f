import Foundation
import HealthTesting
import Testing

@testable import HealthAccess
@testable import HealthServer

@Suite("Passwords", .timeLimit(.minutes(10)))
struct PasswordTests {
    private static let password = "four words nobody expects"

    private static func signIn(
        _ server: TestServer, _ password: String, person: String? = nil, headers: [String: String] = [:]
    ) async throws -> TestResponse {
        let body = try JSONEncoder().encode(["password": password, "person": person].compactMapValues(\.self))
        return try await server.client.with(token: nil).post(
            "/v1/session", json: String(decoding: body, as: UTF8.self), headers: headers)
    }

    /// A hash that takes little time to compare with: without optimization, one of full cost takes seconds.
    private static func hash(_ password: String) throws -> PasswordHash { try PasswordHash(password, rounds: 2) }

    /// The cookies and the secret that an answer sets.
    private static func fields(_ response: TestResponse) throws -> [String: String] {
        // Several fields of one name are joined by commas; there is none in a value here.
        let cookies = (response.headers["set-cookie"] ?? "").split(separator: ",").compactMap {
            $0.split(separator: ";").first
        }
        return [
            "Cookie": cookies.map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: "; "),
            "X-CSRF-Token": try #require(response.json["csrfToken"] as? String),
        ]
    }

    @Test("A second device signs in with the password, of which nothing is stored")
    func signsIn() async throws {
        try await TestServer.with { server in
            try server.core.registry.setPassword(Self.hash(Self.password), of: "anna")
            #expect(try await Self.signIn(server, Self.password).status == 401, "the owner has none")
            #expect(try await Self.signIn(server, "not \(Self.password)", person: "anna").status == 401)
            #expect(try await Self.signIn(server, "", person: "anna").status == 401)
            #expect(try await Self.signIn(server, Self.password, person: "ben").status == 401)
            let answer = try await Self.signIn(server, Self.password, person: "anna")
            #expect(answer.status == 200)
            #expect((answer.json["people"] as? [[String: Any]])?.map { $0["person"] as? String } == ["anna"])
            #expect(answer.json["isServerOwner"] as? Bool == false && answer.json["hasPassword"] as? Bool == true)
            let fields = try Self.fields(answer)
            let nobody = server.client.with(token: nil)
            #expect(try await nobody.get("/v1/people/anna/types", headers: fields).status == 200)
            #expect(try await nobody.get("/v1/people/ben/types", headers: fields).status == 403)
            let file = try server.storedAccess()
            #expect(!file.contains(Self.password) && !file.contains(Secret.digest(Self.password)))
            #expect(!file.contains(Data(Self.password.utf8).base64EncodedString()))
            for pair in (fields["Cookie"] ?? "").split(separator: "; ") {
                #expect(!file.contains(pair.split(separator: "=").last ?? "?"))
            }
            // Changed elsewhere, it ends its sessions.
            try server.core.registry.setPassword(Self.hash(Self.password + "!"), of: "anna")
            #expect(try await nobody.get("/v1/people/anna/types", headers: fields).status == 401)
            #expect(try await Self.signIn(server, Self.password, person: "anna").status == 401)
        }
    }

    @Test("After some wrong ones, no more are looked at, but sessions, tokens, links and known browsers pass")
    func guessing() async throws {
        var limits = ServerLimits()
        limits.failuresPerMinute = 3
        try await TestServer.with(limits: limits) { server in
            try server.core.registry.setPassword(Self.hash(Self.password), of: nil)
            let known = try Self.fields(try await Self.signIn(server, Self.password))
            for _ in 0..<5 {
                #expect(try await Self.signIn(server, Self.password).status == 200, "successes don’t count")
            }
            for _ in 0..<3 { #expect(try await Self.signIn(server, "wrong password").status == 401) }
            let late = try await Self.signIn(server, Self.password)
            #expect(late.status == 429 && late.headers["retry-after"] != nil)
            let nobody = server.client.with(token: nil)
            #expect(try await nobody.get("/v1/session", headers: known).status == 200)
            #expect(try await server.client.get("/v1/people").status == 200)
            let code = try server.core.registry.addSignInCode(people: nil)
            #expect(try await nobody.post("/v1/session", json: #"{"code":"\#(code)"}"#).status == 200)
            // A browser that has signed in before has a separate limit.
            let cookie = ["Cookie": known["Cookie"] ?? ""]
            #expect(try await Self.signIn(server, Self.password, headers: cookie).status == 200)
            for _ in 0..<3 { #expect(try await Self.signIn(server, "wrong password", headers: cookie).status == 401) }
            #expect(try await Self.signIn(server, Self.password, headers: cookie).status == 429)
            let forged = ["Cookie": "openhealthkit-\(server.port)-device=\(Secret.make())"]
            #expect(try await Self.signIn(server, Self.password, headers: forged).status == 429)
            server.clock.advance(by: 60)
            #expect(try await Self.signIn(server, Self.password).status == 200)
        }
    }

    @Test("Another site can neither try passwords nor use up the attempts")
    func crossSite() async throws {
        var limits = ServerLimits()
        limits.failuresPerMinute = 2
        try await TestServer.with(limits: limits) { server in
            try server.core.registry.setPassword(Self.hash(Self.password), of: nil)
            for fields in [
                ["Sec-Fetch-Site": "cross-site"], ["Sec-Fetch-Site": "same-site"], ["Origin": "https://evil.example"],
                ["Origin": "null"], ["Origin": "http://localhost:1"],
            ] {
                for password in ["wrong password", Self.password] {
                    let answer = try await Self.signIn(server, password, headers: fields)
                    #expect(answer.status == 403 && answer.code == "crossSiteRequest", "\(fields)")
                    #expect(answer.headers["set-cookie"] == nil)
                }
            }
            let own = ["Origin": "http://localhost:\(server.port)", "Sec-Fetch-Site": "same-origin"]
            #expect(try await Self.signIn(server, Self.password, headers: own).status == 200)
        }
    }

    @Test("A password is set, changed with the present one, and removed, on behalf of the person")
    func settings() async throws {
        try await TestServer.with { server in
            func put(_ json: String, _ client: TestClient, _ headers: [String: String] = [:]) async throws -> Int {
                let fields = headers.merging(["Content-Type": "application/json"]) { $1 }
                return try await client.send("PUT", "/v1/password", headers: fields, body: Data(json.utf8)).status
            }
            let nobody = server.client.with(token: nil)
            let session = try server.session(of: ["anna"])
            #expect(try await put(#"{"password":"short"}"#, nobody, session.headers) == 422)
            #expect(try await put("{}", nobody, session.headers) == 400)
            #expect(try await put(#"{"password":"\#(Self.password)"}"#, nobody, ["Cookie": session.cookie]) == 403)
            #expect(try await put(#"{"password":"\#(Self.password)"}"#, nobody) == 401)
            #expect(try await put(#"{"password":"\#(Self.password)"}"#, nobody, session.headers) == 204)
            let own = try Self.fields(try await Self.signIn(server, Self.password, person: "anna"))
            #expect(try await put(#"{"password":"\#(Self.password)2"}"#, nobody, own) == 403, "without the present one")
            let change = #"{"password":"\#(Self.password)2","current":"\#(Self.password)"}"#
            #expect(try await put(change, nobody, own) == 204)
            #expect(try await nobody.get("/v1/session", headers: own).status == 200, "who changes it stays signed in")
            #expect(try await put(#"{"password":null,"current":"\#(Self.password)"}"#, nobody, own) == 403)
            #expect(try await put(#"{"password":null,"current":"\#(Self.password)2"}"#, nobody, own) == 204)
            #expect(try await Self.signIn(server, Self.password + "2", person: "anna").status == 401)
            for token in [
                try server.token(), try server.token(scope: .owner, isReadOnly: true), try server.token(scope: .sync),
            ] {
                let answer = try await put(#"{"password":"\#(Self.password)"}"#, server.client.with(token: token))
                #expect(answer == 403)
            }
        }
    }
}
