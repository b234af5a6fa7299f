import Foundation
import HTTPTypes
import HealthEngine
import HealthModel
import HealthTesting
import Testing

@testable import HealthAccess
@testable import HealthServer

@Suite("Links for the family or a doctor", .timeLimit(.minutes(10)))
struct LinkTests {
    /// Makes a link that shows heart rates for a day.
    private static func make(_ server: TestServer, more: String = "") async throws -> (secret: String, id: String) {
        let expires = ISO8601DateFormatter().string(from: server.clock.now + 86_400)
        let answer = try await server.client.post(
            "/v1/tokens",
            json:
                #"{"name":"Dr. Berg","scope":"link","people":["anna"],"read":["heartRate"],"expires":"\#(expires)"\#(more)}"#
        )
        #expect(answer.status == 201 && answer.json["isReadOnly"] as? Bool == true, "\(answer.text)")
        return (try #require(answer.json["token"] as? String), try #require(answer.json["id"] as? String))
    }

    /// Opens a link, and returns the fields of the browser's requests.
    private static func open(_ secret: String, _ server: TestServer) async throws -> (TestResponse, [String: String]) {
        let answer = try await server.client.with(token: nil).post("/v1/session", json: #"{"link":"\#(secret)"}"#)
        let cookie = answer.headers["set-cookie"]?.split(separator: ";").first.map(String.init) ?? ""
        return (answer, ["Cookie": cookie, "X-CSRF-Token": answer.json["csrfToken"] as? String ?? ""])
    }

    private static func store(_ server: TestServer) throws {
        for (identifier, name, value, unit) in [
            ("HKQuantityTypeIdentifierStepCount", "StepMarker", 4_242.0, "count"),
            ("HKQuantityTypeIdentifierHeartRate", "HeartMarker", 61.0, "count/min"),
        ] {
            let source = SourceRecord(bundleIdentifier: "com.example.\(name)", name: name)
            let caller = Caller(revision: SourceRevisionRecord(source: source), permission: .owner)
            let type = try #require(TypeCatalog.description(for: identifier)).code
            let start = TestClock.start.timeIntervalSinceReferenceDate - 60
            _ = try server.engine().save(
                [.sample(SampleRecord(type: type, start: start, end: start, value: value, unit: unit))], as: caller)
        }
    }

    @Test("It shows the chosen types in any number of browsers, and nothing else on any route")
    func onlyChosenTypes() async throws {
        try await TestServer.with { server in
            try Self.store(server)
            let (secret, _) = try await Self.make(server)
            let nobody = server.client.with(token: nil)
            for _ in 0..<2 {
                let (answer, fields) = try await Self.open(secret, server)
                #expect(answer.status == 200 && !answer.text.contains("Dr. Berg"))
                #expect(answer.json["isOwner"] as? Bool == false && answer.json["isReadOnly"] as? Bool == true)
                #expect(answer.json["linkExpires"] is String)
                let types = try await nobody.get("/v1/people/anna/types", headers: fields)
                #expect(types.text.contains("HeartRate") && !types.text.contains("StepCount"))
                let hearts = try await nobody.get("/v1/people/anna/samples?type=heartRate", headers: fields)
                #expect(hearts.text.contains("HeartMarker"))
                let steps = try await nobody.get("/v1/people/anna/samples?type=stepCount", headers: fields)
                #expect(steps.status == 200 && !steps.text.contains("StepMarker"))
                #expect(try await nobody.get("/v1/people/ben/types", headers: fields).status == 403)
            }
            let (_, fields) = try await Self.open(secret, server)
            for route in Routes.router(server.core).list.routes where route.requirement != .nothing {
                let path = route.template.replacing("{person}", with: "anna").replacing(
                    "{uuid}", with: UUID().uuidString
                )
                .replacing(/\{[a-zA-Z]+\}/, with: "unknown")
                let isRead = SameOrigin.isSafe(route.method)
                guard !path.hasSuffix("/events") else { continue }
                let answer = try await nobody.send(
                    route.method.rawValue, path,
                    headers: isRead ? fields : fields.merging(["Content-Type": "application/json"]) { $1 },
                    body: isRead ? nil : Data("{}".utf8))
                let name = "\(route.method.rawValue) \(route.template)"
                #expect(!answer.text.contains("StepMarker") && !answer.text.contains("4242"), "\(name)")
                #expect(isRead || answer.status == 403 || answer.status == 404, "\(name): \(answer.status)")
                let isClosed =
                    route.template.hasPrefix("/fhir/") || route.template == "/mcp" || route.template.hasSuffix("/sql")
                    || route.template.hasPrefix("/v1/tokens") || route.template.hasSuffix("/goals")
                if isClosed { #expect(answer.status == 403, "\(name): \(answer.status)") }
            }
        }
    }

    @Test("It ends when it expires or is revoked, also in browsers that have opened it")
    func ends() async throws {
        try await TestServer.with { server in
            let nobody = server.client.with(token: nil)
            let (secret, id) = try await Self.make(server)
            let (_, fields) = try await Self.open(secret, server)
            #expect(try await nobody.get("/v1/session", headers: fields).status == 200)
            #expect(try await server.client.delete("/v1/tokens/\(id)").status == 204)
            #expect(try await nobody.get("/v1/session", headers: fields).status == 401)
            #expect(try await Self.open(secret, server).0.status == 401)
            let (other, _) = try await Self.make(server)
            let (_, later) = try await Self.open(other, server)
            server.clock.advance(by: 86_401)
            #expect(try await nobody.get("/v1/session", headers: later).status == 401)
            #expect(try await Self.open(other, server).0.status == 401)
            let file = try server.storedAccess()
            #expect(!file.contains(other) && !file.contains(other.dropFirst(Secret.tokenPrefix.count)))
        }
    }

    @Test("A link without types, an end or a person, or that writes, isn’t made; other tokens don’t open as one")
    func refused() async throws {
        try await TestServer.with { server in
            let day = ISO8601DateFormatter().string(from: server.clock.now + 86_400)
            let past = ISO8601DateFormatter().string(from: server.clock.now - 1)
            for members in [
                #""people":["anna"],"expires":"\#(day)""#, #""people":["anna"],"read":["heartRate"]"#,
                #""people":["anna"],"read":["heartRate"],"expires":"\#(past)""#,
                #""people":["anna"],"read":["heartRate"],"expires":"2101-01-01T00:00:00Z""#,
                #""people":["anna","ben"],"read":["heartRate"],"expires":"\#(day)""#,
                #""people":["anna"],"read":["heartRate"],"share":["bodyMass"],"expires":"\#(day)""#,
            ] {
                let answer = try await server.client.post(
                    "/v1/tokens", json: #"{"name":"x","scope":"link",\#(members)}"#)
                #expect(answer.status == 422, "\(members)")
            }
            for token in [server.ownerToken, try server.token(read: .all), "ohk_x", ""] {
                #expect(try await Self.open(token, server).0.status == 401)
            }
            let (secret, _) = try await Self.make(server)
            let session = try await server.client.with(token: nil).post("/v1/session", json: #"{"token":"\#(secret)"}"#)
            #expect(session.status == 403, "a link doesn’t sign in as the person")
        }
    }
}
