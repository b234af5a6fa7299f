import Foundation
import HealthEngine
import HealthModel
import HealthStorage
import HealthStorageSQLite
import HealthTesting
import HTTPTypes
import Hummingbird
import Testing

@testable import HealthDaemon
@testable import HealthAccess
@testable import HealthServer

/// The lock of a daemon.
private final class HeldLock: Sendable {
    let lock: DaemonLock

    init(path: String) throws { lock = try DaemonLock(path: path) }
}

/// Accepts calls of webhooks on this machine.
private final class WebhookReceiver: Sendable {
    private let calls: AsyncStream<Data>
    private let sender: AsyncStream<Data>.Continuation

    init() { (calls, sender) = AsyncStream.makeStream() }

    /// Listens while a test runs, which gets the port.
    func run(_ body: (Int) async throws -> Void) async throws {
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        let router = Router()
        router.post("/") { [sender] request, _ in
            var request = request
            sender.yield(Data(try await request.collectBody(upTo: 1 << 20).readableBytesView))
            return HTTPResponse.Status.noContent
        }
        let application = Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in port.yield(channel.localAddress?.port ?? 0) })
        let running = Task { try await application.run() }
        defer { running.cancel() }
        var iterator = ports.makeAsyncIterator()
        try await body(try #require(await iterator.next()))
    }

    /// The next call, as JSON.
    func next() async throws -> [String: Any]? {
        for await body in calls { return try JSONSerialization.jsonObject(with: body) as? [String: Any] }
        return nil
    }
}

@Suite("Webhooks over HTTP", .timeLimit(.minutes(20)))
struct WebhooksAPITests {
    private let folder = NSTemporaryDirectory() + "webhooks-\(UUID().uuidString)"

    private func run(allowsPrivate: Bool = true, _ body: (TestServer) async throws -> Void) async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await TestServer.with { configuration in
            configuration.webhookFolder = folder
            configuration.allowsPrivateWebhooks = allowsPrivate
        } _: {
            try await body($0)
        }
    }

    private static let path = "/v1/people/anna/webhooks"

    private static func client(_ server: TestServer, _ token: String) -> TestClient {
        TestClient(port: server.port, token: token, isSecure: false)
    }

    @Test("A token registers a webhook for types that it may read, and gets the key once")
    func register() async throws {
        try await run { server in
            let token = try server.token(read: .some(["stepCount", "heartRate"]), bundleIdentifier: "org.example.site")
            func send(_ method: String, _ path: String = "", _ body: String? = nil, as token: String) async throws
                -> TestResponse
            {
                try await Self.client(server, token).send(
                    method, Self.path + path, headers: body == nil ? [:] : ["Content-Type": "application/json"],
                    body: body.map { Data($0.utf8) })
            }
            let url = #""url":"http://127.0.0.1:1/health""#
            let refused = try await send("POST", "", "{\(url),\"types\":[\"bodyMass\"]}", as: token)
            #expect(refused.status == 403)
            let made = try await send("POST", "", "{\(url),\"frequency\":\"hourly\"}", as: token)
            #expect(made.status == 201, "\(made.text)")
            let answer = made.json
            let secret = try #require(answer["secret"] as? String)
            #expect(secret.hasPrefix("whsec_") && Data(base64Encoded: String(secret.dropFirst(6)))?.count == 32)
            let types = (answer["types"] as? [[String: Any]])?.compactMap { $0["type"] as? String }
            #expect(types == ["HKQuantityTypeIdentifierHeartRate", "HKQuantityTypeIdentifierStepCount"])
            let listed = try await send("GET", as: token)
            #expect(listed.text.contains("hourly") && !listed.text.contains("whsec_"))
            // Another application doesn't see it.
            let other = try server.token(read: .all, bundleIdentifier: "org.example.other")
            let others = try await send("GET", as: other)
            #expect((others.json["webhooks"] as? [Any])?.isEmpty == true, "\(others.text)")
            #expect(try await send("POST", "/org.example.site/test", as: other).status == 404)
            #expect(try await send("DELETE", "/org.example.site", as: other).status == 404)
            // A daemon may call it.
            let engine = try server.engine()
            let target = try #require(try engine.backgroundDelivery.application("org.example.site")?.target)
            let targets = ConfirmedTargets(folder: folder, store: engine.identity().uuid)
            #expect(targets.contains(target, of: "org.example.site"))
            // No process listens there.
            let tested = try await send("POST", "/org.example.site/test", as: token)
            #expect(tested.status == 200 && tested.text.contains(#""isAcknowledged":false"#))
            // The server calls it for changes as well.
            #expect(tested.json["isDelivering"] as? Bool == true)
            let log = try await send("GET", "/org.example.site/attempts", as: token)
            #expect(log.text.contains(#""attempt":0"#) && log.text.contains("can’t be reached"))
            #expect(!log.text.contains("StepCount"))
            // What can't be called says why, but not where the key is.
            let keyFile = targets.secretFile(of: "org.example.site")
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: keyFile)
            let readable = try await send("POST", "/org.example.site/test", as: token).text
            #expect(readable.contains("The file with the webhook’s key must be readable"), "\(readable)")
            #expect(try await !send("GET", "/org.example.site/attempts", as: token).text.contains("webhooks-"))
            // A copy of the store on another machine calls nothing.
            targets.remove(target, of: "org.example.site")
            let copied = try await send("POST", "/org.example.site/test", as: token)
            #expect(copied.status == 409 && copied.text.contains("registered elsewhere"), "\(copied.text)")
            try targets.confirm(target, of: "org.example.site")
            #expect(try await send("POST", "/org.example.site/resume", as: token).status == 200)
            #expect(try await send("DELETE", "/org.example.site", as: token).status == 204)
            #expect(try engine.backgroundDelivery.application("org.example.site") == nil)
            #expect(!targets.contains(target, of: "org.example.site"))
        }
    }

    @Test("The server calls webhooks by itself, gives way to a daemon, and continues after it")
    func delivers() async throws {
        let receiver = WebhookReceiver()
        try await receiver.run { port in
            try await run { server in
                let body =
                    #"{"application":"org.example.site","url":"http://127.0.0.1:\#(port)/","types":["stepCount"]}"#
                #expect(server.core.webhooks.people.isEmpty)
                let made = try await server.client.post(Self.path, json: body)
                #expect(made.status == 201, "\(made.text)")
                #expect(server.core.webhooks.people == ["anna"])
                func save() throws {
                    let steps = try #require(TypeCatalog.description(for: "HKQuantityTypeIdentifierStepCount"))
                    let now = server.clock.now.timeIntervalSinceReferenceDate
                    let sample = SampleRecord(type: steps.code, start: now, end: now, value: 1, unit: "count")
                    try server.engine().save([.sample(sample)], as: .person)
                }
                try save()
                let call = try #require(try await receiver.next())
                #expect(call["type"] as? String == "health.changed")
                // A daemon waits until the server has left the store to it.
                let store = try #require(server.core.configuration.location.storePath(of: "anna"))
                let path = DaemonLock.path(ofStore: SQLiteStorage.pathOfFile(at: store))
                var daemon: HeldLock? = try await server.core.pool.run { try HeldLock(path: path) }
                #expect(server.core.webhooks.people.isEmpty)
                func isDelivering() async throws -> Bool? {
                    try await server.client.get(Self.path).json["isDelivering"] as? Bool
                }
                #expect(try await isDelivering() == true)
                #expect(server.core.webhooks.people.isEmpty && daemon != nil)
                try save()
                // What changed meanwhile is delivered when the daemon has ended.
                daemon = nil
                #expect(try await isDelivering() == true)
                #expect(server.core.webhooks.people == ["anna"])
                let last = try #require(try await receiver.next())
                #expect(last["type"] as? String == "health.changed")
            }
        }
    }

    @Test("A server that can’t register webhooks delivers none, and one that has stopped holds no lock")
    func ended() async throws {
        let folder = try TemporaryServerFolder()
        let keys = folder.path + "/keys"
        let lock = DaemonLock.path(ofStore: folder.path + "/health.sqlite")
        let body = #"{"application":"org.example.site","url":"http://127.0.0.1:1/","types":["stepCount"]}"#
        try await TestServer.with(folder: folder, people: nil) {
            ($0.webhookFolder, $0.allowsPrivateWebhooks) = (keys, true)
        } _: { server in
            let made = try await server.client.post("/v1/people/me/webhooks", json: body)
            #expect(made.status == 201 && DaemonLock.isHeld(path: lock), "\(made.text)")
        }
        #expect(!DaemonLock.isHeld(path: lock))
        try await TestServer.with(folder: folder, people: nil) { server in
            let list = try await server.client.get("/v1/people/me/webhooks")
            #expect(list.json["isDelivering"] as? Bool == false, "\(list.text)")
        }
    }

    @Test("Only the person adds alerts, which are listed with their webhook; a wrong one is explained")
    func alerts() async throws {
        try await run { server in
            let named = #"{"application":"org.example.site","url":"http://127.0.0.1:1/","types":["stepCount"]}"#
            #expect(try await server.client.post(Self.path, json: named).status == 201)
            let path = Self.path + "/org.example.site/alerts"
            let pulse = #"{"alert":"High pulse","condition":"above","type":"heartRate","limit":120,"unit":"bpm"}"#
            let token = try server.token(read: .all, bundleIdentifier: "org.example.site")
            #expect(try await Self.client(server, token).post(path, json: pulse).status == 403)
            let made = try await server.client.post(path, json: pulse)
            #expect(made.status == 201 && made.json["unit"] as? String == "count/min", "\(made.text)")
            let silence = #"{"alert":"Watch","condition":"silence","source":"com.example.watch","hours":24}"#
            #expect(try await server.client.post(path, json: silence).status == 201)
            // Another of the same name replaces it.
            let lower = pulse.replacing("120", with: "110")
            #expect(try await server.client.post(path, json: lower).status == 201)
            let listed = try await Self.client(server, token).get(Self.path)
            let alerts = (listed.json["webhooks"] as? [[String: Any]])?.first?["alerts"] as? [[String: Any]]
            #expect(alerts?.compactMap { $0["alert"] as? String } == ["Watch", "High pulse"])
            #expect(alerts?.last?["limit"] as? Double == 110)
            for (body, words) in [
                (pulse.replacing("heartRate", with: "stepCount"), "parts of a sum"),
                (pulse.replacing("bpm", with: "kg"), "count/min"),
                (pulse.replacing(#","limit":120"#, with: ""), "number"),
                (silence.replacing("24", with: "0"), "hours"), (silence.replacing("Watch", with: "a/b"), "slash"),
            ] {
                let refused = try await server.client.post(path, json: body)
                #expect(refused.status == 422 && refused.text.contains(words), "\(refused.text)")
            }
            #expect(try await server.client.post(path, json: silence.replacing("silence", with: "x")).status == 400)
            #expect(try await Self.client(server, token).delete(path + "/Watch").status == 403)
            #expect(try await server.client.delete(path + "/High%20pulse").status == 204)
            #expect(try await server.client.delete(path + "/High%20pulse").status == 404)
        }
    }

    @Test("Registrations of a token end with it, also when that is changed")
    func end() async throws {
        try await run { server in
            let secret = try server.token(read: .all, bundleIdentifier: "org.example.site")
            let token = try #require(
                try server.core.registry.tokens().first { $0.bundleIdentifier == "org.example.site" })
            func change(_ expires: String) async throws {
                let answer = try await server.client.send(
                    "PATCH", "/v1/tokens/\(token.id)", headers: ["Content-Type": "application/json"],
                    body: Data("{\"expires\":\(expires)}".utf8))
                #expect(answer.status == 200, "\(answer.text)")
            }
            func ended(_ year: Int) throws -> Bool {
                let engine = try server.engine()
                let target = try #require(try engine.backgroundDelivery.application("org.example.site")?.target)
                let targets = ConfirmedTargets(folder: folder, store: engine.identity().uuid)
                #expect(targets.contains(target, of: "org.example.site"))
                let now = Double(year - 2001) * 365.25 * 86_400
                return targets.hasEnded(target, of: "org.example.site", at: now)
            }
            try await change(#""2090-01-01T00:00:00Z""#)
            let made = try await Self.client(server, secret).post(Self.path, json: #"{"url":"http://127.0.0.1:1/x"}"#)
            #expect(made.status == 201, "\(made.text)")
            #expect(try !ended(2089) && ended(2091))
            try await change(#""2080-01-01T00:00:00Z""#)
            #expect(try !ended(2079) && ended(2081))
            try await change("null")
            #expect(try !ended(2099))
            // What the person has registered doesn't depend on tokens.
            try await change(#""2080-01-01T00:00:00Z""#)
            let named = #"{"application":"org.example.site","url":"http://127.0.0.1:1/x","types":["stepCount"]}"#
            #expect(try await server.client.post(Self.path, json: named).status == 201)
            #expect(try !ended(2091))
        }
    }

    @Test("Tokens for other people and expired ones keep no webhook, and a token without an end may get one")
    func otherTokens() async throws {
        try await run { server in
            let name = "org.example.site"
            let secret = try server.token(read: .all, bundleIdentifier: name)
            let token = try #require(try server.core.registry.tokens().first { $0.bundleIdentifier == name })
            _ = try server.token(of: "ben", read: .all, bundleIdentifier: name)
            _ = try server.token(read: .all, expires: TestClock.start - 60, bundleIdentifier: name)
            let made = try await Self.client(server, secret).post(Self.path, json: #"{"url":"http://127.0.0.1:1/x"}"#)
            #expect(made.status == 201, "\(made.text)")
            let engine = try server.engine()
            let target = try #require(try engine.backgroundDelivery.application(name)?.target)
            let targets = ConfirmedTargets(folder: folder, store: engine.identity().uuid)
            func ended(_ year: Int) -> Bool {
                targets.hasEnded(target, of: name, at: Double(year - 2001) * 365.25 * 86_400)
            }
            #expect(!ended(2999))
            let changed = try await server.client.send(
                "PATCH", "/v1/tokens/\(token.id)", headers: ["Content-Type": "application/json"],
                body: Data(#"{"expires":"2080-01-01T00:00:00Z"}"#.utf8))
            #expect(changed.status == 200 && !ended(2079) && ended(2081), "\(changed.text)")
            #expect(try await server.client.send("DELETE", "/v1/tokens/\(token.id)").status == 204)
            let types = try #require(try engine.backgroundDelivery.application(name)?.registrations.values)
            #expect(!types.isEmpty && types.allSatisfy(\.isSuspended))
        }
    }

    @Test("The person names an application and its types; only the server’s owner allows a private address")
    func owner() async throws {
        try await run(allowsPrivate: false) { server in
            let named = #"{"application":"org.example.site","url":"http://127.0.0.1:1/x","types":["stepCount"]"#
            #expect(try await server.client.post(Self.path, json: named + "}").status == 422)
            let token = try server.token(read: .some(["stepCount"]), bundleIdentifier: "org.example.other")
            let own = #"{"url":"http://127.0.0.1:1/x","allowsPrivateAddresses":true}"#
            #expect(try await Self.client(server, token).post(Self.path, json: own).status == 403)
            #expect(try server.engine().backgroundDelivery.applications().isEmpty)
            let allowed = named + #","includesSamples":true,"allowsPrivateAddresses":true}"#
            let made = try await server.client.post(Self.path, json: allowed)
            #expect(made.status == 201 && made.json["allowsPrivateAddresses"] as? Bool == true, "\(made.text)")
            // It may read what the person chose, and nothing else.
            let decisions = try server.engine().authorization.decisions(bundleIdentifier: "org.example.site")
            #expect(decisions.count == 1 && decisions.values.allSatisfy { $0.read == .authorized })
            func state(_ action: String) async throws -> [Bool] {
                let answer = try await server.client.send("POST", Self.path + "/org.example.site/" + action)
                #expect(answer.status == 200)
                return (answer.json["types"] as? [[String: Any]] ?? []).compactMap { $0["isSuspended"] as? Bool }
            }
            #expect(try await state("suspend") == [true])
            #expect(try await state("resume") == [false])
            // What the person has denied stays denied.
            let denied = TypeAuthorization(read: .denied)
            let steps = try #require(decisions.keys.first)
            try server.engine().authorization.set([steps: denied], bundleIdentifier: "org.example.site")
            #expect(try await server.client.post(Self.path, json: allowed).status == 403)
        }
    }

    @Test(
        "Targets on private addresses are refused unless the owner allows them",
        arguments: [
            "http://127.0.0.1:8080/", "http://localhost/", "https://localhost/", "https://10.1.2.3/",
            "https://192.168.0.1/x", "https://172.20.0.1/", "https://169.254.169.254/latest", "https://[::1]/",
            "https://[fd00::1]/", "https://[fe80::1]/", "https://[::ffff:10.0.0.1]/", "https://100.64.0.1/",
        ])
    func privateTargets(url: String) async throws {
        try await run(allowsPrivate: false) { server in
            let token = try server.token(read: .some(["stepCount"]), bundleIdentifier: "org.example.site")
            let response = try await Self.client(server, token).post(Self.path, json: "{\"url\":\"\(url)\"}")
            #expect(response.status == 422, "\(response.text)")
            #expect(try server.engine().backgroundDelivery.applications().isEmpty)
        }
    }

    @Test("The webhook of an application is suspended when its last token is revoked", arguments: [true, false])
    func revoked(hasOwnIdentifier: Bool) async throws {
        try await run { server in
            let app = hasOwnIdentifier ? "org.example.site" : nil
            let token = try server.token(read: .some(["stepCount"]), bundleIdentifier: app)
            let record = try #require(try server.core.registry.token(secret: token))
            let name = try #require(record.bundleIdentifier)
            let made = try await Self.client(server, token).post(Self.path, json: #"{"url":"http://127.0.0.1:1/x"}"#)
            #expect(made.status == 201, "\(made.text)")
            let other = try server.token(read: .some(["stepCount"]), bundleIdentifier: name)
            func isSuspended() throws -> [Bool] {
                let application = try server.engine().backgroundDelivery.application(name)
                return try #require(application).registrations.values.map(\.isSuspended)
            }
            #expect(try await server.client.delete("/v1/tokens/\(record.id)").status == 204)
            #expect(try isSuspended() == [false])
            let last = try #require(try server.core.registry.token(secret: other))
            #expect(try await server.client.delete("/v1/tokens/\(last.id)").status == 204)
            #expect(try isSuspended() == [true])
        }
    }

    @Test("A token that is revoked while its request arrives registers nothing")
    func revokedMeanwhile() async throws {
        try await run { server in
            let token = try server.token(read: .some(["stepCount"]), bundleIdentifier: "org.example.site")
            let record = try #require(
                try server.core.registry.tokens().first { $0.bundleIdentifier == "org.example.site" })
            let body = #"{"url":"http://127.0.0.1:1/x"}"#
            let connection = try await TestConnection(port: server.port)
            try await connection.send(
                "POST \(Self.path) HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(token)\r\n"
                    + "Connection: close\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
            )
            // The use of a token counts once it was found valid.
            while try server.core.registry.tokens().first(where: { $0.id == record.id })?.lastUsed == nil {
                await Task.yield()
            }
            #expect(try await server.client.delete("/v1/tokens/\(record.id)").status == 204)
            try await connection.send(body)
            #expect(try await connection.receivedUntilClosed().hasPrefix("HTTP/1.1 401"))
            #expect(try server.engine().backgroundDelivery.application("org.example.site") == nil)
        }
    }

    @Test("Another registration replaces the key; one that fails leaves the webhook and its key")
    func replacement() async throws {
        try await run { server in
            let name = "org.example.site"
            let client = Self.client(
                server, try server.token(read: .some(["stepCount"]), bundleIdentifier: name))
            let body = #"{"url":"http://127.0.0.1:1/x"}"#
            func key() throws -> String {
                let engine = try server.engine()
                let targets = ConfirmedTargets(folder: folder, store: engine.identity().uuid)
                let target = try #require(try engine.backgroundDelivery.application(name)?.target)
                #expect(targets.contains(target, of: name))
                return try String(contentsOfFile: targets.secretFile(of: name), encoding: .utf8)
            }
            #expect(try await client.post(Self.path, json: body).status == 201)
            let first = try key()
            let again = try await client.post(Self.path, json: body.replacing("}", with: #","includesSamples":true}"#))
            let second = try key()
            #expect(again.json["secret"] as? String == second.trimmingCharacters(in: .newlines) && second != first)
            // The new key can't be written where a folder is.
            let file =
                ConfirmedTargets(folder: folder, store: try server.engine().identity().uuid)
                .secretFile(of: name) + ".new"
            try FileManager.default.createDirectory(atPath: file, withIntermediateDirectories: false)
            #expect(try await client.post(Self.path, json: body.replacing("/x", with: "/y")).status == 503)
            #expect(try key() == second)
            let listed = try await client.get(Self.path).json["webhooks"] as? [[String: Any]]
            #expect(listed?.first?["url"] as? String == "http://127.0.0.1:1/x")
        }
    }

    @Test("A call without room for the changes of a type says that there are more")
    func fullCall() async throws {
        try await run { server in
            let (engine, app) = (try server.engine(), "org.example.site")
            let options = WebhookOptions(includesSamples: true)
            let url = "http://127.0.0.1:1/"
            try engine.backgroundDelivery.setTarget(.webhook(url: url, secretFile: "", options: options), of: app)
            let types = try ["HKQuantityTypeIdentifierBodyMass", "HKQuantityTypeIdentifierStepCount"].map {
                try #require(TypeCatalog.description(for: $0))
            }
            for (type, count) in zip(types, [WebhookCall.maximumChanges, 1]) {
                let read = TypeAuthorization(read: .authorized)
                try engine.authorization.set(read, of: type.code, bundleIdentifier: app)
                try engine.backgroundDelivery.setFrequency(1, of: type.identifier, for: app)
                let unit = type.canonicalUnit ?? ""
                let samples = (0..<count).map {
                    SampleRecord(type: type.code, start: Double($0), end: Double($0), value: 1, unit: unit)
                }
                try engine.save(samples.map { .sample($0) }, as: .person)
            }
            let attempt = try #require(try engine.backgroundDelivery.begin { _ in 30 }.begun.first)
            let target = WebhookTarget(url: url, secretFile: "", options: options)
            let body = try WebhookCall(attempt, to: target, of: engine).body
            let json = try #require(try JSONSerialization.jsonObject(with: body) as? [String: Any])
            let changes = try #require((json["data"] as? [String: Any])?["changes"] as? [[String: Any]])
            #expect(changes.compactMap { $0["type"] as? String } == types.map(\.identifier))
            #expect(changes.map { ($0["added"] as? [Any])?.count } == [WebhookCall.maximumChanges, 0])
            #expect(changes.map { $0["hasMore"] as? Bool } == [true, true])
        }
    }
}
