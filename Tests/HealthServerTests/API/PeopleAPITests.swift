import Foundation
import HealthTesting
import Testing

@testable import HealthAccess
@testable import HealthServer

@Suite("People and tokens are changed")
struct PeopleAPITests {
    private static func patch(_ path: String, _ json: String, _ client: TestClient) async throws -> TestResponse {
        try await client.send("PATCH", path, headers: ["Content-Type": "application/json"], body: Data(json.utf8))
    }

    @Test(
        "A person is renamed by the person and the owner of the server, on servers of one and of many",
        arguments: [true, false])
    func rename(isOnly: Bool) async throws {
        let folder = try TemporaryServerFolder()
        let person = isOnly ? "me" : "anna"
        try await TestServer.with(folder: folder, people: isOnly ? nil : ["anna", "ben"]) { server in
            let path = "/v1/people/\(person)"
            let answer = try await Self.patch(path, #"{"name":" Anna Berg "}"#, server.client)
            #expect(answer.status == 200 && answer.json["name"] as? String == "Anna Berg")
            for name in ["", "  ", String(repeating: "x", count: 101), #"a\u0000b"#] {
                #expect(try await Self.patch(path, #"{"name":"\#(name)"}"#, server.client).status == 422, "\(name)")
            }
            #expect(try await Self.patch("/v1/people/nobody", #"{"name":"x"}"#, server.client).status == 404)
            let own = server.client.with(token: try server.token(of: person, scope: .owner))
            #expect(try await Self.patch(path, #"{"name":"Änne"}"#, own).status == 200)
            for token in [
                try server.token(of: person), try server.token(of: person, scope: .owner, isReadOnly: true),
                isOnly ? nil : try server.token(of: "ben", scope: .owner),
            ].compactMap(\.self) {
                #expect(try await Self.patch(path, #"{"name":"x"}"#, server.client.with(token: token)).status == 403)
            }
        }
        try await TestServer.with(folder: folder, people: isOnly ? nil : ["anna", "ben"]) { server in
            let names = try await server.client.get("/v1/people").list("people").map { $0["name"] as? String }
            #expect(names == (isOnly ? ["Änne"] : ["Änne", "ben"]))
        }
    }

    @Test("People are listed in pages and found by a part of their names; a session has the first page")
    func pages() async throws {
        let names = (0..<103).map { String(format: "p%03d", $0) }
        try await TestServer.with(people: names) { server in
            #expect(
                try await Self.patch("/v1/people/p101", #"{"name":"Änne Berg"}"#, server.client).status == 200)
            func people(_ query: String, _ client: TestClient) async throws -> [String] {
                let answer = try await client.get("/v1/people\(query)")
                let people = answer.list("people").compactMap { $0["person"] as? String }
                // The cursor at the end, if there is one.
                return people + [answer.json["nextCursor"] as? String].compactMap { $0.map { "→\($0)" } }
            }
            let first = try await people("", server.client)
            #expect(first == names.prefix(100) + ["→p099"])
            #expect(try await people("?cursor=p099", server.client) == Array(names.suffix(3)))
            #expect(try await people("?limit=2&cursor=p000", server.client) == ["p001", "p002", "→p002"])
            #expect(try await people("?limit=103", server.client) == names)
            for text in ["berg", "%C3%A4NNE", "P101"] {
                #expect(try await people("?search=\(text)", server.client) == ["p101"], "\(text)")
            }
            #expect(try await people("?search=p10&limit=1", server.client) == ["p100", "→p100"])
            #expect(try await people("?people=p102,nobody,p001", server.client) == ["p001", "p102"])
            let own = server.client.with(token: try server.token(of: "p050", scope: .owner))
            #expect(try await people("", own) == ["p050"])
            #expect(try await people("?people=p050,p051", own) == ["p050"])
            #expect(try await people("?search=p051", own) == [])
            for query in ["?limit=0", "?limit=1001", "?name=x"] {
                #expect(try await server.client.get("/v1/people\(query)").status == 400, "\(query)")
            }
            let session = try await server.client.get("/v1/session")
            #expect(session.list("people").count == 100 && session.json["nextCursor"] as? String == "p099")
            #expect(try await own.get("/v1/session").json["nextCursor"] == nil)
        }
    }

    @Test("A person’s identifier may be percent-encoded in a path, and a new person’s name is checked")
    func encodedPerson() async throws {
        try await TestServer.with { server in
            let body = #"{"person":"eve@example.org","name":"Eve"}"#
            #expect(try await server.client.post("/v1/people", json: body).status == 201)
            for person in ["eve@example.org", "eve%40example.org", "%65ve@example%2Eorg"] {
                #expect(try await server.client.get("/v1/people/\(person)/types").status == 200, "\(person)")
            }
            #expect(try await server.client.get("/v1/people/eve%FFexample/types").status == 404)
            #expect(try await Self.patch("/v1/people/eve%40example.org", #"{"name":"E"}"#, server.client).status == 200)
            let fhir = try await server.client.get("/fhir/R4/people/eve%40example.org/Patient")
            #expect(fhir.status == 200)
            let unnamed = try await server.client.post("/v1/people", json: #"{"person":"joe","name":"a\nb"}"#)
            #expect(unnamed.status == 422)
        }
    }

    @Test("The OpenAPI description has the server's own rule for identifiers of people")
    func identifierPattern() async throws {
        let schema = try #require(OpenAPIDocument.schemas["NewPerson"])
        let text = try #require(schema.firstMatch(of: /"pattern":"([^"]+)"/)).output.1
        let pattern = try Regex(String(text))
        for name in ["anna", "Anna", "eve@example.org", "0.a_b-c", String(repeating: "x", count: 64)] {
            #expect(PersonIdentifier.isValid(name) && name.wholeMatch(of: pattern) != nil, "\(name)")
        }
        for name in ["", ".a", "@a", "a b", "ä", String(repeating: "x", count: 65)] {
            #expect(!PersonIdentifier.isValid(name) && name.wholeMatch(of: pattern) == nil, "\(name)")
        }
    }

    @Test("A token’s name, end and types change; what is left out stays")
    func token() async throws {
        try await TestServer.with { server in
            let made = try await server.client.post(
                "/v1/tokens",
                json: #"{"name":"a","people":["anna"],"read":["heartRate"],"expires":"2101-01-01T00:00:00Z"}"#)
            let (id, secret) = (
                try #require(made.json["id"] as? String), try #require(made.json["token"] as? String)
            )
            let renamed = try await Self.patch("/v1/tokens/\(id)", #"{"name":"b"}"#, server.client)
            #expect(renamed.json["name"] as? String == "b" && renamed.json["expires"] is String)
            let permissions = (renamed.json["permissions"] as? [[String: Any]])?.first
            #expect(permissions?["read"] as? [String] == ["HKQuantityTypeIdentifierHeartRate"])
            let endless = try await Self.patch(
                "/v1/tokens/\(id)", #"{"expires":null,"read":["stepCount"]}"#, server.client)
            #expect(
                endless.json["expires"] == nil && endless.text.contains("StepCount")
                    && !endless.text.contains("HeartRate"))
            let day = "2025-01-01T00:00:00Z"
            for (since, found) in [("\"\(day)\"", day), ("null", nil)] as [(String, String?)] {
                let limited = try await Self.patch("/v1/tokens/\(id)", #"{"since":\#(since)}"#, server.client)
                let own = (limited.json["permissions"] as? [[String: Any]])?.first
                #expect(own?["since"] as? String == found && limited.text.contains("StepCount"))
            }
            #expect(try await Self.patch("/v1/tokens/\(id)", #"{"name":""}"#, server.client).status == 422)
            let end = ISO8601DateFormatter().string(from: server.clock.now + 60)
            #expect(try await Self.patch("/v1/tokens/\(id)", #"{"expires":"\#(end)"}"#, server.client).status == 200)
            server.clock.advance(by: 61)
            #expect(try await server.client.with(token: secret).get("/v1/people").status == 401)
        }
    }

    @Test("A link stays one, and ends earlier also where it is open")
    func link() async throws {
        try await TestServer.with { server in
            func date(_ seconds: TimeInterval) -> String {
                ISO8601DateFormatter().string(from: server.clock.now + seconds)
            }
            let made = try await server.client.post(
                "/v1/tokens",
                json:
                    #"{"name":"a","scope":"link","people":["anna"],"read":["heartRate"],"expires":"\#(date(86_400))"}"#)
            let (id, secret) = (
                try #require(made.json["id"] as? String), try #require(made.json["token"] as? String)
            )
            for change in [
                #"{"expires":null}"#, #"{"share":["bodyMass"]}"#, #"{"read":[]}"#,
                #"{"expires":"2101-01-01T00:00:00Z"}"#,
            ] {
                #expect(try await Self.patch("/v1/tokens/\(id)", change, server.client).status == 422, "\(change)")
            }
            let nobody = server.client.with(token: nil)
            let open = try await nobody.post("/v1/session", json: #"{"link":"\#(secret)"}"#)
            let fields = [
                "Cookie": open.headers["set-cookie"]?.split(separator: ";").first.map(String.init) ?? "",
                "X-CSRF-Token": open.json["csrfToken"] as? String ?? "",
            ]
            #expect(
                try await Self.patch("/v1/tokens/\(id)", #"{"expires":"\#(date(60))"}"#, server.client).status == 200)
            #expect(try await nobody.get("/v1/session", headers: fields).status == 200)
            server.clock.advance(by: 61)
            #expect(try await nobody.get("/v1/session", headers: fields).status == 401)
        }
    }
}
