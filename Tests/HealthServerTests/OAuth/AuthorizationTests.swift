import Foundation
import HTTPTypes
import HealthTesting
import Testing

@testable import HealthAccess
@testable import HealthServer

@Suite("Assistants that get a token by OAuth", .timeLimit(.minutes(10)))
struct AuthorizationTests {
    @Test("A client finds out from a 401 where it gets a token", arguments: [nil, "https://health.example.org/"])
    func discovery(publicURL: String?) async throws {
        try await TestServer.with(configure: { $0.publicURL = publicURL.flatMap { URL(string: $0) } }) { server in
            let url = publicURL == nil ? "http://localhost:\(server.port)" : "https://health.example.org"
            let nobody = server.client.with(token: nil)
            let metadata = "/.well-known/oauth-protected-resource"
            let challenge = #"Bearer realm="OpenHealthKit", resource_metadata="\#(url)\#(metadata)/mcp""#
            let refused = try await AssistantMessages.send("{}", nobody)
            #expect(refused.status == 401 && refused.headers["www-authenticate"] == challenge)
            let wrong = try await AssistantMessages.send("{}", nobody.with(token: "ohk_wrong"))
            #expect(wrong.headers["www-authenticate"] == challenge + #", error="invalid_token""#)
            let other = try await nobody.get("/v1/people")
            #expect(other.headers["www-authenticate"] == #"Bearer realm="OpenHealthKit""#, "tokens are for others, too")
            for path in [metadata, metadata + "/mcp"] {
                let resource = try await nobody.get(path).json
                #expect(resource["resource"] as? String == url + "/mcp", "\(path)")
                #expect(resource["authorization_servers"] as? [String] == [url], "\(path)")
            }
            let authorization = try await nobody.get("/.well-known/oauth-authorization-server").json
            #expect(authorization["issuer"] as? String == url)
            for (name, path) in [
                ("authorization", "authorize"), ("token", "token"), ("registration", "register"),
                ("revocation", "revoke"),
            ] {
                #expect(authorization[name + "_endpoint"] as? String == "\(url)/oauth/\(path)")
            }
            for (name, value) in [
                ("code_challenge_methods", "S256"), ("token_endpoint_auth_methods", "none"), ("response_types", "code"),
                ("scopes", "health:read"),
            ] {
                #expect(authorization[name + "_supported"] as? [String] == [value], "\(name)")
            }
            let kinds = ["authorization_code", "refresh_token"]
            #expect(authorization["grant_types_supported"] as? [String] == kinds)
            #expect(authorization["authorization_response_iss_parameter_supported"] as? Bool == true)
            #expect(authorization["client_id_metadata_document_supported"] as? Bool == false)
        }
    }

    @Test("Everyone registers, with redirect URIs that are safe")
    func registration() async throws {
        try await TestServer.with { server in
            let nobody = server.client.with(token: nil)
            let made = try await nobody.post(
                "/oauth/register",
                json: """
                    {"client_name":"Trial","redirect_uris":["editor://callback","http://localhost:3000/callback"],
                    "scope":"openid",
                    "token_endpoint_auth_method":"client_secret_post","grant_types":["refresh_token"]}
                    """)
            #expect(made.status == 201 && made.json["client_name"] as? String == "Trial", "\(made.text)")
            #expect(made.json["redirect_uris"] as? [String] == ["http://localhost:3000/callback"])
            #expect(made.json["grant_types"] as? [String] == ["authorization_code", "refresh_token"])
            #expect(made.json["token_endpoint_auth_method"] as? String == "none" && made.json["client_secret"] == nil)
            for (body, error) in [
                ("{}", "invalid_redirect_uri"), (#"{"redirect_uris":[]}"#, "invalid_redirect_uri"),
                (#"{"redirect_uris":["http://assistant.example/"]}"#, "invalid_redirect_uri"),
                (#"{"redirect_uris":7}"#, "invalid_client_metadata"), ("[", "invalid_client_metadata"),
            ] {
                let refused = try await nobody.post("/oauth/register", json: body)
                #expect(refused.status == 400 && refused.json["error"] as? String == error, "\(body): \(refused.text)")
            }
        }
    }

    @Test("What is wrong before the client is known is shown to the person, and leads nowhere")
    func unknownClients() async throws {
        try await TestServer.with { server in
            let trial = try await TrialClient(server)
            let other = try await TrialClient(server, redirect: "https://other.example/")
            let query = TrialClient.form(trial.parameters)
            let shown = try await trial.http.get("/oauth/authorize?\(query)")
            #expect(shown.status == 303 && shown.headers["location"] == "/#/authorize?\(query)")
            for changes: [String: String?] in [
                ["client_id": nil], ["client_id": "unknown"], ["client_id": other.id], ["redirect_uri": nil],
                ["redirect_uri": "https://other.example/"], ["redirect_uri": TrialClient.redirect + "&more=1"],
            ] {
                let query = TrialClient.form(trial.parameters.mapValues { $0 }.merging(changes) { $1 })
                for (client, path) in [(trial.http, "/oauth/authorize"), (server.client, "/v1/authorization-request")] {
                    let refused = try await client.get("\(path)?\(query)")
                    #expect(refused.status == 400 && refused.code == "invalidParameter", "\(path) \(changes)")
                    #expect(refused.headers["location"] == nil)
                }
            }
            let twice = try await trial.http.get("/oauth/authorize?\(query)&client_id=\(trial.id)")
            #expect(twice.status == 400 && twice.headers["location"] == nil)
            let page = try await trial.http.get("/oauth/authorize?client_id=x", headers: ["Accept": "text/html"])
            #expect(page.status == 400 && page.text.contains("The client is not registered."))
            #expect(page.headers["content-security-policy"]?.contains("frame-ancestors 'none'") == true)
        }
    }

    @Test("A client gets the reason for a refusal when the person says so")
    func refusals() async throws {
        try await TestServer.with { server in
            let trial = try await TrialClient(server)
            #expect(try await trial.ask().json.keys.sorted() == ["client", "host", "isLoopback"])
            for (changes, error): ([String: String?], String) in [
                (["response_type": nil], "invalid_request"), (["response_type": "token"], "unsupported_response_type"),
                (["code_challenge": nil], "invalid_request"), (["code_challenge": "short"], "invalid_request"),
                (["code_challenge_method": nil], "invalid_request"),
                (["code_challenge_method": "plain"], "invalid_request"),
                (["resource": "https://other.example/mcp"], "invalid_target"),
                (["resource": "http://localhost:\(server.port)"], "invalid_target"),
            ] {
                let asked = try await trial.ask(changes)
                #expect(asked.status == 200 && asked.json["error"] != nil, "\(changes): \(asked.text)")
                for isAllowed in [true, false] {
                    let answer = try await trial.decide(
                        changes, #"{"isAllowed":\#(isAllowed),"person":"anna","read":["stepCount"]}"#)
                    #expect(answer["error"] == error && answer["code"] == nil, "\(changes): \(answer)")
                    #expect(answer["state"] == TrialClient.state && answer["kept"] == "1")
                    #expect(answer["iss"] == "http://localhost:\(server.port)")
                }
            }
            let refused = try await trial.decide([:], #"{"isAllowed":false}"#)
            #expect(refused["error"] == "access_denied" && refused["code"] == nil)
            #expect(try await trial.decide(["state": nil])["state"] == nil)
            #expect(try await trial.decide(["resource": nil])["code"] != nil, "clients of 2025-03-26 name none")
        }
    }

    @Test("A decision is a person’s own, and names types that there are")
    func decisions() async throws {
        try await TestServer.with { server in
            let trial = try await TrialClient(server)
            let path = "/v1/authorization-request?\(TrialClient.form(trial.parameters))"
            let allowed = #"{"isAllowed":true,"person":"anna","read":["stepCount"]}"#
            let application = try server.token(read: .all)
            let ben = try server.token(of: "ben", scope: .owner)
            let reader = try server.token(scope: .owner, isReadOnly: true)
            for token in [application, ben, reader] {
                #expect(try await server.client.with(token: token).post(path, json: allowed).status == 403)
            }
            #expect(try await server.client.with(token: application).get(path).status == 403)
            let session = try server.session(of: ["anna"])
            #expect(try await trial.http.post(path, json: allowed, headers: session.headers).status == 200)
            let foreign = session.headers.merging(["Sec-Fetch-Site": "cross-site"]) { $1 }
            #expect(try await trial.http.post(path, json: allowed, headers: foreign).code == "crossSiteRequest")
            let stolen = try await trial.http.post(path, json: allowed, headers: ["Cookie": session.cookie])
            #expect(stolen.code == "crossSiteRequest")
            for (body, status) in [
                (#"{"isAllowed":true,"read":["stepCount"]}"#, 400), ("{}", 400),
                (#"{"isAllowed":true,"person":"anna"}"#, 422), (#"{"isAllowed":true,"person":"anna","read":[]}"#, 422),
                (#"{"isAllowed":true,"person":"anna","read":["nonsense"]}"#, 400),
                (#"{"isAllowed":true,"person":"nobody","read":["stepCount"]}"#, 404),
                (#"{"isAllowed":true,"person":"anna","read":["stepCount"],"expires":"2023-01-01T00:00:00Z"}"#, 422),
            ] {
                let refused = try await server.client.post(path, json: body)
                #expect(refused.status == status, "\(body): \(refused.text)")
            }
        }
    }

    @Test("A token reads what the person has chosen, is listed, and ends when it is revoked")
    func tokens() async throws {
        try await TestServer.with { server in
            try FHIRStore.fill(server.engine())
            let trial = try await TrialClient(server)
            let expires = (TestClock.start + 600).ISO8601Format()
            let made = try await trial.connect(
                #"{"isAllowed":true,"person":"anna","read":["stepCount"],"expires":"\#(expires)"}"#)
            #expect(made.status == 200 && made.headers["cache-control"] == "no-store", "\(made.text)")
            #expect(made.json["token_type"] as? String == "Bearer" && made.json["expires_in"] as? Int == 600)
            let client = server.client.with(token: try #require(made.json["access_token"] as? String))
            let types = AssistantMessages.text(try await AssistantMessages.call("list_types", "{}", client))
            #expect(types.contains("StepCount") && !types.contains("HeartRate"))
            #expect(try await client.get("/v1/people/ben/types").status == 403)
            #expect(try await client.post("/v1/people/anna/samples", json: "{}").status == 403, "it only reads")
            #expect(try await client.get("/v1/tokens").status == 403)
            let all = try await server.client.get("/v1/tokens").json["tokens"] as? [[String: Any]] ?? []
            let token = try #require(all.first { $0["name"] as? String == "Trial" })
            #expect(token["people"] as? [String] == ["anna"] && token["isReadOnly"] as? Bool == true)
            let id = try #require(token["id"] as? String)
            #expect(try await server.client.delete("/v1/tokens/\(id)").status == 204)
            let ended = try await AssistantMessages.send("{}", client)
            #expect(ended.status == 401 && ended.headers["www-authenticate"]?.contains("invalid_token") == true)
        }
    }

    @Test("A code is for the client that has asked for it, and for a minute")
    func codes() async throws {
        try await TestServer.with { server in
            let trial = try await TrialClient(server)
            let other = try await TrialClient(server, redirect: "https://other.example/")
            for (changes, error): ([String: String?], String) in [
                (["code_verifier": TrialClient.verifier + "-"], "invalid_grant"),
                (["code_verifier": nil], "invalid_request"),
                (["redirect_uri": "https://assistant.example/"], "invalid_grant"),
                (["client_id": other.id], "invalid_grant"), (["client_id": nil], "invalid_request"),
                (["code": "unknown"], "invalid_grant"), (["code": nil], "invalid_request"),
                (["resource": "https://other.example/mcp"], "invalid_target"),
                (["grant_type": "refresh_token"], "invalid_request"),
                (["grant_type": "password"], "unsupported_grant_type"), (["grant_type": nil], "invalid_request"),
            ] {
                let refused = try await trial.exchange(try await trial.decide()["code"], changes)
                #expect(refused.status == 400 && refused.json["access_token"] == nil, "\(changes)")
                #expect(refused.json["error"] as? String == error, "\(changes): \(refused.text)")
            }
            // OAuth 2.1 leaves the URI out here, and URL types of clients add a slash to a resource.
            let resource = "http://localhost:\(server.port)/mcp/"
            let short = try await trial.exchange(
                try await trial.decide()["code"], ["redirect_uri": nil, "resource": resource])
            #expect(short.status == 200 && short.json["access_token"] is String, "\(short.text)")
            let json = try await trial.http.post("/oauth/token", json: "{}")
            #expect(json.status == 400 && json.json["error"] as? String == "invalid_request")
            let code = try await trial.decide()["code"]
            server.clock.advance(by: 61)
            #expect(try await trial.exchange(code).json["error"] as? String == "invalid_grant")
            // A guess at the verifier uses the code up.
            let guessed = try await trial.decide()["code"]
            _ = try await trial.exchange(guessed, ["code_verifier": String(repeating: "a", count: 43)])
            #expect(try await trial.exchange(guessed).json["error"] as? String == "invalid_grant")
            #expect(try await trial.connect().status == 200)
        }
    }

    @Test("A code that comes twice ends its token")
    func usedTwice() async throws {
        try await TestServer.with { server in
            let trial = try await TrialClient(server)
            let code = try await trial.decide()["code"]
            let made = try await trial.exchange(code)
            let client = server.client.with(token: try #require(made.json["access_token"] as? String))
            #expect(try await AssistantMessages.send("{}", client).status != 401)
            server.clock.advance(by: 600)
            #expect(try await trial.exchange(code).json["error"] as? String == "invalid_grant")
            #expect(try await AssistantMessages.send("{}", client).status == 401)
        }
    }

    @Test("A client ends its own tokens, and no other", arguments: ["access_token", "refresh_token"])
    func revocation(kind: String) async throws {
        try await TestServer.with { server in
            let trial = try await TrialClient(server)
            let (made, other) = (try await trial.connect(), try await trial.connect())
            let sent = try #require(made.json[kind] as? String)
            for secret in [sent, sent, "unknown", server.ownerToken] {
                #expect(try await trial.send("/oauth/revoke", ["token": secret]).status == 200)
            }
            for (connection, isConnected) in [(made, false), (other, true)] {
                #expect(try await trial.isConnected(connection) == isConnected)
                #expect(try await trial.refresh(connection).status == (isConnected ? 200 : 400))
            }
            #expect(try await server.client.get("/v1/tokens").status == 200)
            #expect(try await trial.send("/oauth/revoke", [:]).status == 400)
        }
    }

    @Test("Guesses at codes count as failures to sign in")
    func guessing() async throws {
        var limits = ServerLimits()
        limits.failuresPerMinute = 3
        try await TestServer.with(limits: limits) { server in
            let trial = try await TrialClient(server)
            for _ in 0..<3 { #expect(try await trial.exchange("unknown").status == 400) }
            #expect(try await trial.exchange("unknown").status == 429)
            #expect(try await trial.connect().status == 200, "a right one passes")
        }
    }
}
