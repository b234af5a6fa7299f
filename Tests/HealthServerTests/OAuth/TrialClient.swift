import Foundation
import HealthAccess
import Testing

@testable import HealthServer

/// The client of an assistant that asks a test server for a token, step by step.
struct TrialClient {
    static let redirect = "https://assistant.example/callback?kept=1"
    static let verifier = String(repeating: "fictional-verifier-", count: 3)
    /// A state that arrives unchanged only if it is encoded.
    static let state = "a+b/c&d=é %"

    let server: TestServer
    let id: String
    /// Without a token.
    let http: TestClient

    init(_ server: TestServer, redirect: String = redirect) async throws {
        self.server = server
        http = server.client.with(token: nil)
        let answer = try await http.post(
            "/oauth/register", json: #"{"client_name":"Trial","redirect_uris":["\#(redirect)"]}"#)
        id = try #require(answer.json["client_id"] as? String, "\(answer.text)")
    }

    /// The parameters of a request for authorization.
    var parameters: [String: String] {
        [
            "response_type": "code", "client_id": id, "redirect_uri": Self.redirect, "state": Self.state,
            "code_challenge": AuthorizationCodes.challenge(of: Self.verifier), "code_challenge_method": "S256",
            "resource": "http://localhost:\(server.port)/mcp",
        ]
    }

    static func form(_ parameters: [String: String?]) -> String {
        parameters.sorted { $0.key < $1.key }.compactMap { name, value in
            value.map { "\(name)=\(APIDispatcher.encoded($0))" }
        }.joined(separator: "&")
    }

    /// The page’s request when a browser arrives; with other parameters in place of some, or without them.
    func ask(_ changes: [String: String?] = [:]) async throws -> TestResponse {
        try await server.client.get("/v1/authorization-request?\(query(changes))")
    }

    /// The parameters with which the browser returns after a decision.
    func decide(
        _ changes: [String: String?] = [:],
        _ decision: String = #"{"isAllowed":true,"person":"anna","read":["stepCount"]}"#
    ) async throws -> [String: String] {
        let answer = try await server.client.post("/v1/authorization-request?\(query(changes))", json: decision)
        let location = try #require(answer.json["location"] as? String, "\(answer.text)")
        #expect(location.hasPrefix((changes["redirect_uri"] ?? Self.redirect) ?? ""))
        let items = URLComponents(string: location)?.queryItems ?? []
        return Dictionary(items.map { ($0.name, $0.value ?? "") }) { one, other in one + "," + other }
    }

    /// Exchanges a code for a token.
    func exchange(_ code: String?, _ changes: [String: String?] = [:]) async throws -> TestResponse {
        let form: [String: String?] = [
            "grant_type": "authorization_code", "code": code, "client_id": id, "redirect_uri": Self.redirect,
            "code_verifier": Self.verifier, "resource": "http://localhost:\(server.port)/mcp",
        ]
        return try await send("/oauth/token", form.merging(changes) { $1 })
    }

    /// Exchanges the refresh token of an answer for the next tokens.
    func refresh(_ answer: TestResponse, _ changes: [String: String?] = [:]) async throws -> TestResponse {
        let form: [String: String?] = [
            "grant_type": "refresh_token", "refresh_token": answer.json["refresh_token"] as? String, "client_id": id,
            "resource": "http://localhost:\(server.port)/mcp",
        ]
        return try await send("/oauth/token", form.merging(changes) { $1 })
    }

    /// Returns whether the access token of an answer is valid.
    func isConnected(_ answer: TestResponse) async throws -> Bool {
        let token = try #require(answer.json["access_token"] as? String)
        return try await AssistantMessages.send("{}", http.with(token: token)).status != 401
    }

    func send(_ path: String, _ form: [String: String?]) async throws -> TestResponse {
        try await http.send(
            "POST", path, headers: ["Content-Type": "application/x-www-form-urlencoded"],
            body: Data(Self.form(form).utf8))
    }

    /// A token that the person has agreed to, of the owner of the server.
    func connect(
        _ decision: String = #"{"isAllowed":true,"person":"anna","read":["stepCount"]}"#
    ) async throws -> TestResponse {
        try await exchange(try await decide([:], decision)["code"])
    }

    private func query(_ changes: [String: String?]) -> String {
        Self.form(parameters.mapValues { $0 }.merging(changes) { $1 })
    }
}
