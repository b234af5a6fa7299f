import Foundation
import HealthEngine
import HealthStorage
import HealthTesting
import Testing

@testable import HealthAccess
@testable import HealthServer

@Suite("Tokens")
struct TokenTests {
    @Test("A token is stored as a hash, in its own field or as an API key it authenticates, and a wrong one does not")
    func authentication() async throws {
        try await TestServer.with { server async throws in
            let secret = try server.token(scope: .owner)
            let file = try server.storedAccess()
            #expect(!file.contains(secret) && !file.contains(secret.dropFirst(Secret.tokenPrefix.count)))
            #expect(file.contains(Secret.digest(secret)))
            let nobody = server.client.with(token: nil)
            let fields: [([String: String], Int)] = [
                (["Authorization": "Bearer \(secret)"], 200), (["Authorization": "bearer  \(secret)"], 200),
                (["X-API-Key": secret], 200), (["Authorization": "Bearer \(secret)x"], 401),
                (["Authorization": "Bearer"], 401), (["Authorization": "Basic YTpi"], 401),
                (["X-API-Key": Secret.digest(secret)], 401),
                (["Cookie": "openhealthkit-\(server.port)=\(secret)"], 401), ([:], 401),
            ]
            for (headers, status) in fields {
                let answer = try await nobody.get("/v1/people", headers: headers)
                #expect(answer.status == status, "\(headers.keys)")
            }
        }
    }

    @Test("An expired token stops working, by the server’s clock")
    func expiry() async throws {
        try await TestServer.with { server async throws in
            let secret = try server.token(scope: .owner, expires: server.clock.now + 3_600)
            let client = server.client.with(token: secret)
            #expect(try await client.get("/v1/people").status == 200)
            server.clock.advance(by: 3_599)
            #expect(try await client.get("/v1/people").status == 200)
            server.clock.advance(by: 1)
            let late = try await client.get("/v1/people")
            #expect(late.status == 401 && late.code == "unauthenticated")
        }
    }

    @Test("A token that another process revokes stops working at once, in all servers over the same stores")
    func revocation() async throws {
        let folder = try TemporaryServerFolder()
        try await TestServer.with(folder: folder, people: ["anna"]) { one async throws in
            try await TestServer.with(folder: folder, people: ["anna"]) { two async throws in
                let secret = try one.token(scope: .owner)
                for server in [one, two] {
                    #expect(try await server.client.with(token: secret).get("/v1/people").status == 200)
                }
                let registry = AccessRegistry(location: one.core.configuration.location)
                let id = try #require(try registry.token(secret: secret)?.id)
                try registry.revokeToken(id)
                for server in [one, two] {
                    #expect(try await server.client.with(token: secret).get("/v1/people").status == 401)
                }
            }
        }
    }

    @Test("The last use is recorded")
    func lastUse() async throws {
        try await TestServer.with { server async throws in
            let secret = try server.token(scope: .owner)
            let id = try #require(try server.core.registry.token(secret: secret)?.id)
            server.clock.advance(by: 1_000)
            #expect(try await server.client.with(token: secret).get("/v1/people").status == 200)
            try server.core.registry.flush()
            let other = AccessRegistry(location: server.core.configuration.location)
            #expect(try other.tokens().first { $0.id == id }?.lastUsed == server.clock.now)
        }
    }

    @Test("Permissions that aren’t granted are denied; revoking a token removes its authorization")
    func grants() async throws {
        try await TestServer.with { server async throws in
            let issuer = TokenIssuer(stores: server.core.directory, registry: server.core.registry)
            var request = TokenIssuer.Request(name: "app", scope: .application, people: ["anna"])
            request.grants = TokenGrants(read: .some(["heartRate"]), share: .some(["HKQuantityTypeIdentifierBodyMass"]))
            let (_, token) = try issuer.issue(request)
            let identifier = try #require(token.bundleIdentifier)
            let permissions = try #require(try issuer.permissions(of: token).first)
            #expect(permissions.read == ["HKQuantityTypeIdentifierHeartRate"])
            #expect(permissions.share == ["HKQuantityTypeIdentifierBodyMass"])
            let decisions = try server.engine().authorization.decisions(bundleIdentifier: identifier)
            #expect(decisions.count > 100)
            #expect(decisions.values.allSatisfy { $0.read != .notDetermined && $0.share != .notDetermined })
            try issuer.setGrants(TokenGrants(read: .all), of: token)
            #expect(try issuer.permissions(of: token).first?.share == [])
            #expect(try issuer.permissions(of: token).first?.read.count == decisions.count)
            try issuer.revoke(token.id)
            #expect(try server.engine().authorization.decisions(bundleIdentifier: identifier).isEmpty)
        }
    }

    @Test("A token ends even if the store of its person can’t be opened, and can be revoked again")
    func revocationWithoutStore() async throws {
        struct Stores: PersonStores {
            let isMissing: Bool

            func exists(_ person: String) throws -> Bool { !isMissing }
            func using<Value>(_ person: String, _ work: (HealthEngine) throws -> Value) throws -> Value {
                throw StorageError(.unreachable, "A test.")
            }
            func reading(
                _ people: [String], namespaces: (_ people: [String]) -> [String],
                _ work: (_ person: String, _ engine: HealthEngine) throws -> Void
            ) throws {}
            func close() {}
        }
        try await TestServer.with { server async throws in
            let registry = server.core.registry
            let (secret, token) = try registry.addToken(name: "a", scope: .link, people: ["anna"])
            let session = try registry.addSession(people: ["anna"], token: token)
            let error = #expect(throws: StorageError.self) {
                try TokenIssuer(stores: Stores(isMissing: false), registry: registry).revoke(token.id)
            }
            #expect(error?.kind == .unreachable)
            #expect(try registry.token(secret: secret) == nil)
            #expect(try registry.session(secret: session.secret) == nil)
            #expect(try registry.token(id: token.id) != nil)
            let issuer = TokenIssuer(stores: Stores(isMissing: true), registry: registry)
            #expect(try issuer.revoke(token.id)?.id == token.id)
            #expect(try registry.token(id: token.id) == nil && issuer.revoke(token.id) == nil)
        }
    }

    @Test("A name that isn't a type, and a type that applications can’t write, are rejected")
    func wrongGrants() async throws {
        try await TestServer.with { server async throws in
            #expect(throws: GrantError.self) { try server.token(read: .some(["stepsOfMine"])) }
            #expect(throws: GrantError.self) { try server.token(share: .some(["appleExerciseTime"])) }
            #expect(throws: GrantError.self) { try server.token(share: .some(["bloodPressure"])) }
            #expect(throws: GrantError.self) { try server.token(of: "nobody") }
            #expect(try server.core.registry.tokens().count == 1)
        }
    }

    @Test("Tokens are managed over HTTP: made, shown without the secret, changed, revoked")
    func resource() async throws {
        try await TestServer.with { server async throws in
            let body =
                #"{"name":"Phone","people":["anna"],"read":["stepCount"],"share":"all","expires":"2030-01-01T00:00:00Z"}"#
            let made = try await server.client.post("/v1/tokens", json: body)
            #expect(made.status == 201)
            let secret = try #require(made.json["token"] as? String)
            let id = try #require(made.json["id"] as? String)
            #expect(made.headers["location"] == "/v1/tokens/\(id)")
            let listed = try await server.client.get("/v1/tokens")
            #expect(listed.status == 200)
            #expect(!listed.text.contains(secret))
            #expect(listed.text.contains(#""name":"Phone""#) && listed.json["nextCursor"] == nil)
            let page = try await server.client.get("/v1/tokens?limit=1")
            let cursor = try #require(page.json["nextCursor"] as? String)
            let rest = try await server.client.get("/v1/tokens?cursor=\(cursor)")
            let names = [page, rest].flatMap { $0.json["tokens"] as? [[String: Any]] ?? [] }.map {
                $0["name"] as? String
            }
            #expect(Set(names) == ["owner", "Phone"] && names.count == 2)
            for query in ["limit=0", "cursor=x", "cursor=x_y", "other=1"] {
                #expect(try await server.client.get("/v1/tokens?\(query)").status == 400, "\(query)")
            }
            #expect(try await server.client.with(token: secret).get("/v1/tokens").status == 403)
            let changed = try await server.client.send(
                "PATCH", "/v1/tokens/\(id)", headers: ["Content-Type": "application/json"],
                body: Data(#"{"read":["heartRate"],"share":[]}"#.utf8))
            #expect(changed.status == 200)
            let permissions = (changed.json["permissions"] as? [[String: Any]])?.first
            #expect(permissions?["read"] as? [String] == ["HKQuantityTypeIdentifierHeartRate"])
            #expect(permissions?["share"] as? [String] == [])
            #expect(try await server.client.delete("/v1/tokens/\(id)").status == 204)
            #expect(try await server.client.with(token: secret).get("/v1/people").status == 401)
            #expect(try await server.client.delete("/v1/tokens/\(id)").status == 404)
        }
    }

    @Test("A token without people is of the only person; with several, the error names the member")
    func unnamedPerson() async throws {
        let body = #"{"name":"app","read":["stepCount"]}"#
        try await TestServer.with(folder: try TemporaryServerFolder(), people: ["anna"]) { server in
            let answer = try await server.client.post("/v1/tokens", json: body)
            #expect(answer.status == 201 && answer.json["people"] as? [String] == ["anna"])
        }
        try await TestServer.with(folder: try TemporaryServerFolder(), people: ["anna", "ben"]) { server in
            let answer = try await server.client.post("/v1/tokens", json: body)
            #expect(answer.status == 400 && answer.json["code"] as? String == "invalidParameter")
            #expect(answer.json["detail"] as? String == "Name the person with the member “people”.")
        }
    }

    @Test("A caller who acts as one person sees and creates tokens of that person only")
    func ownTokens() async throws {
        try await TestServer.with { server async throws in
            let anna = server.client.with(token: try server.token(of: "anna", scope: .owner))
            _ = try server.token(of: "ben")
            let listed = try await anna.get("/v1/tokens")
            #expect((listed.json["tokens"] as? [[String: Any]])?.count == 1)
            let other = try await anna.post("/v1/tokens", json: #"{"name":"x","people":["ben"]}"#)
            #expect(other.status == 403 && other.code == "wrongPerson")
            let own = try await anna.post("/v1/tokens", json: #"{"name":"x","scope":"owner"}"#)
            #expect(own.json["people"] as? [String] == ["anna"])
            let ben = try #require(try server.core.registry.tokens().first { $0.people == ["ben"] })
            #expect(try await anna.delete("/v1/tokens/\(ben.id)").status == 404)
            #expect(try await anna.post("/v1/people", json: #"{"person":"carl"}"#).status == 403)
        }
    }
}
