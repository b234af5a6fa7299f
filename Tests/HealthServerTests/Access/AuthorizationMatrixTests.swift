import Foundation
import HTTPTypes
import HealthEngine
import HealthModel
import HealthImport
import HealthTesting
import Testing

@testable import HealthAccess
@testable import HealthServer

@Suite("Every route checks who asks", .timeLimit(.minutes(15)))
struct AuthorizationMatrixTests {
    /// The name of the source of everything that is stored: an answer that contains it shows health data.
    private static let marker = "MarkerSource"

    private static func path(_ route: RouteDescription, person: String) -> String {
        var path = route.template.replacing("{person}", with: person)
        path = path.replacing("{uuid}", with: "5B1C1A0E-0000-4000-8000-000000000000").replacing(
            "**", with: "styles/tokens.css")
        path.replace(/\{[a-zA-Z]+\}/, with: "unknown")
        return route.template == "/mcp" ? "/mcp?person=\(person)" : path
    }

    private static func send(
        _ route: RouteDescription, person: String = "anna", _ client: TestClient
    ) async throws -> TestResponse {
        let body = SameOrigin.isSafe(route.method) ? nil : Data("{}".utf8)
        let headers = body == nil ? [:] : ["Content-Type": "application/json"]
        let stream = try await client.open(
            route.method.rawValue, path(route, person: person), headers: headers, body: body)
        var all = Data()
        if stream.headers["content-type"]?.hasPrefix("text/event-stream") != true {
            for try await part in stream.body { all.append(part) }
        }
        await stream.close()
        return TestResponse(status: stream.status, headers: stream.headers, body: all)
    }

    /// The routes of the server.
    private static func routes(_ core: ServerCore) -> [RouteDescription] {
        Routes.router(core).list.routes
    }

    /// Whether an answer has a code. FHIR has an OperationOutcome of its own instead.
    private static func code(_ answer: TestResponse, is code: String, _ route: RouteDescription) -> Bool {
        route.template.hasPrefix("/fhir/") ? answer.text.contains("OperationOutcome") : answer.code == code
    }

    private static func store(_ server: TestServer, of person: String = "anna") throws {
        let source = SourceRecord(bundleIdentifier: "com.example.marker", name: marker)
        let caller = Caller(revision: SourceRevisionRecord(source: source), permission: .owner)
        let start = TestClock.start.timeIntervalSinceReferenceDate
        let samples = [
            SampleRecord(
                type: try #require(TypeCatalog.description(for: "HKQuantityTypeIdentifierStepCount")).code,
                start: start,
                end: start + 60, value: 4_242, unit: "count"),
            SampleRecord(
                type: try #require(TypeCatalog.description(for: "HKQuantityTypeIdentifierHeartRate")).code,
                start: start,
                end: start, value: 61, unit: "count/min"),
        ]
        _ = try server.engine(of: person).save(samples.map { .sample($0) }, as: caller)
    }

    @Test("Without a token, with a wrong one, or with one for another person")
    func strangers() async throws {
        try await TestServer.with { server async throws in
            try Self.store(server)
            let other = try server.token(of: "ben", scope: .owner)
            let routes = Self.routes(server.core)
            #expect(routes.count { $0.requirement == .person } >= 10)
            for route in routes {
                let name = "\(route.method.rawValue) \(route.template)"
                let nobody = try await Self.send(route, server.client.with(token: nil))
                #expect(!nobody.text.contains(Self.marker), "\(name)")
                if route.requirement == .nothing {
                    #expect(nobody.status < 500, "\(name)")
                } else {
                    #expect(
                        nobody.status == 401 && Self.code(nobody, is: "unauthenticated", route),
                        "\(name): \(nobody.status)")
                    #expect(nobody.headers["www-authenticate"]?.hasPrefix("Bearer") == true, "\(name)")
                }
                guard route.requirement == .person else { continue }
                let stranger = try await Self.send(route, server.client.with(token: other))
                #expect(
                    stranger.status == 403 && Self.code(stranger, is: "wrongPerson", route),
                    "\(name): \(stranger.status)")
                let absent = try await Self.send(route, person: "nobody", server.client.with(token: other))
                #expect(
                    absent.status == 403 && Self.code(absent, is: "wrongPerson", route), "\(name): \(absent.status)")
            }
        }
    }

    @Test("A person who doesn’t exist is not found by the owner of the server, and hidden from everyone else")
    func absentPeople() async throws {
        try await TestServer.with { server async throws in
            let other = server.client.with(token: try server.token(of: "ben", scope: .owner))
            for route in Self.routes(server.core) where route.requirement == .person {
                let name = "\(route.method.rawValue) \(route.template)"
                let found = try await Self.send(route, person: "nobody", server.client)
                #expect(found.status == 404 && Self.code(found, is: "notFound", route), "\(name): \(found.status)")
                let hidden = try await Self.send(route, person: "nobody", other)
                #expect(hidden.status == 403 && Self.code(hidden, is: "wrongPerson", route), "\(name)")
            }
        }
    }

    @Test("With a token that permits nothing, or only reading")
    func insufficient() async throws {
        try await TestServer.with { server async throws in
            try Self.store(server)
            let nothing = try server.token()
            let reader = try server.token(scope: .owner, isReadOnly: true)
            for route in Self.routes(server.core) where route.requirement == .person {
                let name = "\(route.method.rawValue) \(route.template)"
                let denied = try await Self.send(route, server.client.with(token: nothing))
                #expect(!denied.text.contains(Self.marker) && !denied.text.contains("4242"), "\(name)")
                #expect(denied.status < 500, "\(name): \(denied.status)")
                if !Routes.isOpenToApplications(route.method, route.template) {
                    #expect(denied.status == 403 && denied.code == "forbidden", "\(name): \(denied.status)")
                }
                let read = try await Self.send(route, server.client.with(token: reader))
                let isChange = !SameOrigin.isSafe(route.method) && !Routes.readingPosts.contains(route.template)
                #expect((read.code == "forbidden") == isChange, "\(name): \(read.status)")
            }
            let stored = try server.engine().typeOverview(as: .person)
            let count = stored.map(\.count).reduce(0, +)
            #expect(count == 2)
        }
    }

    @Test("As the person, every route answers")
    func owner() async throws {
        try await TestServer.with { server async throws in
            try Self.store(server)
            let token = try server.token(scope: .owner)
            let session = try server.session(of: ["anna"])
            for route in Self.routes(server.core) where route.requirement == .person {
                let name = "\(route.method.rawValue) \(route.template)"
                let answer = try await Self.send(route, server.client.with(token: token))
                #expect(
                    ![401, 403, 405].contains(answer.status) && answer.status < 500,
                    "\(name): \(answer.status) \(answer.text)")
                guard route.method == .get, !route.template.hasSuffix("/events") else { continue }
                let page = try await server.client.with(token: nil).get(
                    Self.path(route, person: "anna"), headers: session.headers)
                #expect(page.status == answer.status, "\(name): \(page.status)")
            }
        }
    }

    @Test("A correlation is granted with the types of its members, without which it is nothing")
    func correlations() async throws {
        try await TestServer.with { server async throws in
            let owner = try server.client.with(token: server.token(scope: .owner))
            let saved = try await owner.post(
                "/v1/people/anna/samples",
                json: """
                    {"samples":[{"type":"bloodPressure","startDate":"2023-03-08T10:00:00Z","objects":[
                    {"type":"bloodPressureSystolic","quantity":121,"unit":"mmHg"},
                    {"type":"bloodPressureDiastolic","quantity":79,"unit":"mmHg"}]}]}
                    """)
            #expect((200...201).contains(saved.status), "\(saved.text)")
            let reader = try server.client.with(token: server.token(read: .some(["bloodPressure"])))
            let read = try await reader.get("/v1/people/anna/samples?type=bloodPressure")
            #expect(read.text.contains("121") && read.text.contains("79"), "\(read.text)")
            let issuer = TokenIssuer(stores: server.core.directory, registry: server.core.registry)
            var request = TokenIssuer.Request(name: "kitchen", scope: .application, people: ["anna"])
            request.grants = TokenGrants(read: .some(["food"]))
            let granted = try issuer.permissions(of: issuer.issue(request).token)
            #expect(granted[0].read.count > 30 && granted[0].read.contains("HKQuantityTypeIdentifierDietaryProtein"))
            #expect(!granted[0].read.contains("HKQuantityTypeIdentifierBodyMass") && granted[0].share.isEmpty)
        }
    }

    @Test("A granted type is answered, another one is silently empty, and writing it is an error")
    func grants() async throws {
        try await TestServer.with { server async throws in
            try Self.store(server)
            let token = try server.token(read: .some(["stepCount"]), share: .some(["bodyMass"]))
            let client = server.client.with(token: token)
            let steps = try await client.get("/v1/people/anna/samples?type=stepCount")
            #expect(steps.status == 200)
            #expect((steps.json["samples"] as? [Any])?.count == 1)
            let rate = try await client.get("/v1/people/anna/samples?type=heartRate")
            #expect(rate.status == 200)
            #expect((rate.json["samples"] as? [Any])?.isEmpty == true)
            func body(_ type: String, _ unit: String) -> String {
                #"{"samples":[{"type":"\#(type)","startDate":"2023-03-08T10:00:00Z","endDate":"2023-03-08T10:00:00Z","quantity":70,"unit":"\#(unit)"}]}"#
            }
            let denied = try await client.post(
                "/v1/people/anna/samples", json: body("HKQuantityTypeIdentifierHeartRate", "count/min"))
            #expect(denied.status == 403 && denied.code == "authorizationDenied", "\(denied.text)")
            let saved = try await client.post(
                "/v1/people/anna/samples", json: body("HKQuantityTypeIdentifierBodyMass", "kg"))
            #expect((200...201).contains(saved.status), "\(saved.text)")
        }
    }
}
