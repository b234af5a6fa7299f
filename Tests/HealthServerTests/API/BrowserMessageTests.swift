import Crypto
import Foundation
import HTTPTypes
import HealthEngine
import HealthModel
import HealthStorage
import HealthTesting
import Hummingbird
import Synchronization
import Testing

@testable import HealthAccess
@testable import HealthDaemon
@testable import HealthServer

/// A push service on this machine, which keeps what it is sent.
private final class PushService: Sendable {
    struct Message: Sendable {
        var fields: [String: String]
        var body: Data
    }

    /// How it answers.
    let status = Mutex(HTTPResponse.Status.created)
    private let messages: AsyncStream<Message>
    private let sender: AsyncStream<Message>.Continuation

    init() { (messages, sender) = AsyncStream.makeStream() }

    /// Listens while a test runs, which gets the port.
    func run(_ body: (Int) async throws -> Void) async throws {
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        let router = Router()
        router.post("/send/:subscription") { [self] request, _ in
            var request = request
            let body = Data(try await request.collectBody(upTo: 1 << 20).readableBytesView)
            let fields = request.headers.map { ($0.name.canonicalName, $0.value) }
            sender.yield(Message(fields: Dictionary(fields) { $1 }, body: body))
            return status.withLock { $0 }
        }
        let application = Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in port.yield(channel.localAddress?.port ?? 0) })
        let running = Task { try await application.run() }
        defer { running.cancel() }
        var iterator = ports.makeAsyncIterator()
        try await body(try #require(await iterator.next()))
    }

    func next() async throws -> Message {
        for await message in messages { return message }
        throw TestServerError("The push service has ended.")
    }
}

/// A browser as a push service sees it.
private struct TestBrowser {
    let key = P256.KeyAgreement.PrivateKey()
    let secret = Data((0..<16).map { $0 &* 7 })

    var keys: BrowserKeys { BrowserKeys(publicKey: key.publicKey.x963Representation, secret: secret) }

    func registration(_ url: String, _ more: String = "") -> String {
        let (key, secret) = (BrowserMessage.base64(keys.publicKey), BrowserMessage.base64(secret))
        return #"{"application":"Phone","url":"\#(url)","keys":{"p256dh":"\#(key)","auth":"\#(secret)"}\#(more)}"#
    }

    private static let script = """
        import base64, json, sys
        import http_ece, jwt
        from cryptography.hazmat.primitives.asymmetric import ec
        private, secret, body, field = sys.argv[1:]
        read = lambda text: base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
        key = ec.derive_private_key(int.from_bytes(read(private), "big"), ec.SECP256R1())
        message = http_ece.decrypt(read(body), private_key=key, auth_secret=read(secret), version="aes128gcm")
        scheme, rest = field.split(" ", 1)
        parts = dict(part.strip().split("=", 1) for part in rest.split(","))
        point = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), read(parts["k"]))
        # The clock is the test's, and the audience is compared there.
        claims = jwt.decode(parts["t"], point, algorithms=["ES256"], options={"verify_exp": False, "verify_aud": False})
        print(json.dumps({"scheme": scheme, "message": message.decode(), "claims": claims, "key": parts["k"]}))
        """

    /// The text of a message, and the server's key with its claims, as PyPI's http-ece and PyJWT read them.
    func read(_ message: PushService.Message) async throws -> (
        event: [String: Any], data: [String: Any], claims: [String: Any], key: String
    ) {
        #expect(message.fields["content-encoding"] == "aes128gcm")
        let output = try await PythonScript.run(
            Self.script,
            [
                BrowserMessage.base64(key.rawRepresentation), BrowserMessage.base64(secret),
                BrowserMessage.base64(message.body), message.fields["authorization"] ?? "",
            ])
        func object(_ text: some StringProtocol) throws -> [String: Any] {
            try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        }
        let read = try object(output)
        #expect(read["scheme"] as? String == "vapid")
        let event = try object(try #require(read["message"] as? String))
        return (
            event, try #require(event["data"] as? [String: Any]), try #require(read["claims"] as? [String: Any]),
            try #require(read["key"] as? String)
        )
    }
}

@Suite("Alerts in browsers", .timeLimit(.minutes(20)))
struct BrowserMessageTests {
    private static let path = "/v1/people/anna/webhooks"
    private let folder = NSTemporaryDirectory() + "browsers-\(UUID().uuidString)"

    private func run(allowsPrivate: Bool = true, _ body: (TestServer) async throws -> Void) async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await TestServer.with { configuration in
            configuration.webhookFolder = folder
            configuration.allowsPrivateWebhooks = allowsPrivate
        } _: {
            try await body($0)
        }
    }

    private static func savePulse(in engine: HealthEngine, at date: Date) throws {
        let type = try #require(TypeCatalog.description(for: "HKQuantityTypeIdentifierHeartRate"))
        let start = date.timeIntervalSinceReferenceDate
        let sample = SampleRecord(type: type.code, start: start, end: start, value: 137, unit: "count/min")
        try engine.save([.sample(sample)], as: .person)
    }

    @Test("The example of RFC 8291 is encrypted to its bytes")
    func example() throws {
        func bytes(_ text: String) throws -> Data { try #require(BrowserMessage.bytes(text)) }
        let keys = BrowserKeys(
            publicKey: try bytes(
                "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"),
            secret: try bytes("BTBZMqHH6r4Tts7J_aSIgg"))
        let message = try BrowserMessage.encrypted(
            Data("When I grow up, I want to be a watermelon".utf8), to: keys,
            from: P256.KeyAgreement.PrivateKey(
                rawRepresentation: bytes("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw")),
            salt: bytes("DGv6ra1nlYgDCS1FRnbzlw"))
        #expect(
            BrowserMessage.base64(message)
                == "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6Tlz"
                + "AC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN")
    }

    @Test("A browser is sent an alert without its value, encrypted and signed, until its push service knows it no more")
    func delivers() async throws {
        let (service, browser) = (PushService(), TestBrowser())
        try await service.run { port in
            try await run { server in
                let list = try await server.client.get(Self.path)
                let key = try #require(list.json["browserKey"] as? String)
                let made = try await server.client.post(
                    Self.path, json: browser.registration("http://127.0.0.1:\(port)/send/1"))
                #expect(made.status == 201 && made.json["isBrowser"] as? Bool == true, "\(made.text)")
                #expect(made.json["secret"] == nil && (made.json["types"] as? [Any])?.isEmpty == true)
                let alert = #"{"alert":"High pulse","condition":"above","type":"heartRate","limit":120,"unit":"bpm"}"#
                #expect(try await server.client.post(Self.path + "/Phone/alerts", json: alert).status == 201)

                #expect(try await server.client.post(Self.path + "/Phone/test", json: "{}").status == 200)
                let test = try await browser.read(try await service.next())
                #expect(test.event["type"] as? String == "webhook.test" && test.key == key)
                #expect(test.claims["aud"] as? String == "http://127.0.0.1:\(port)")
                let now = server.clock.now.timeIntervalSince1970
                let end = try #require(test.claims["exp"] as? Double)
                #expect(end > now && end <= now + 86_400)
                #expect((test.claims["sub"] as? String)?.hasPrefix("https://") == true)

                // The permission to read the type changes nothing.
                let type = try #require(TypeCatalog.description(for: "HKQuantityTypeIdentifierHeartRate"))
                let engine = try server.engine()
                try engine.authorization.set(
                    TypeAuthorization(read: .authorized), of: type.code, bundleIdentifier: "Phone")
                try Self.savePulse(in: engine, at: server.clock.now)
                let message = try await service.next()
                #expect(message.fields["ttl"] == "86400" && message.fields["topic"]?.count == 32)
                #expect(message.fields["topic"]?.contains("pulse") == false)
                let told = try await browser.read(message)
                #expect(told.event["type"] as? String == "health.alert" && told.key == key)
                #expect(told.data["person"] as? String == "anna" && message.fields["urgency"] == "high")
                #expect(
                    Set(told.data.keys) == ["alert", "person", "address"]
                        && told.data["alert"] as? String == "High pulse")
                #expect(told.data["address"] as? String == "#/trends/type/\(type.identifier)/day")

                service.status.withLock { $0 = .gone }
                let gone = try await server.client.post(Self.path + "/Phone/test", json: "{}")
                #expect(gone.text.contains("isn’t subscribed any more"), "\(gone.text)")
                #expect(try engine.backgroundDelivery.application("Phone") == nil)
                // Another browser has the same key of the server.
                #expect(try await server.client.get(Self.path).json["browserKey"] as? String == key)
            }
        }
    }

    @Test("An alert that finds the subscription gone removes it")
    func unsubscribed() async throws {
        let (service, browser) = (PushService(), TestBrowser())
        service.status.withLock { $0 = .notFound }
        try await service.run { port in
            try await run { server in
                let made = try await server.client.post(
                    Self.path, json: browser.registration("http://127.0.0.1:\(port)/send/1"))
                #expect(made.status == 201, "\(made.text)")
                let alert = #"{"alert":"High pulse","condition":"above","type":"heartRate","limit":120,"unit":"bpm"}"#
                #expect(try await server.client.post(Self.path + "/Phone/alerts", json: alert).status == 201)
                let engine = try server.engine()
                try Self.savePulse(in: engine, at: server.clock.now)
                let told = try await browser.read(try await service.next())
                #expect(told.data["alert"] as? String == "High pulse")
                while try engine.backgroundDelivery.application("Phone") != nil { await Task.yield() }
                let listed = try await server.client.get(Self.path)
                #expect((listed.json["webhooks"] as? [Any])?.isEmpty == true, "\(listed.text)")
            }
        }
    }

    @Test("Only the person registers a browser, with its own keys, at a public address, and for alerts alone")
    func refused() async throws {
        let browser = TestBrowser()
        try await run(allowsPrivate: false) { server in
            let url = "https://push.example.org/send/1"
            let token = try server.token(read: .all, bundleIdentifier: "Phone")
            let client = server.client.with(token: token)
            #expect(try await client.post(Self.path, json: browser.registration(url)).status == 403)
            #expect(try await client.get(Self.path).json["browserKey"] == nil)
            for (body, words) in [
                (browser.registration("https://127.0.0.1/send/1"), "hasn’t allowed"),
                (browser.registration("http://push.example.org/send/1"), "needs https"),
                (browser.registration(url, #","types":["stepCount"]"#), "shows alerts"),
                (browser.registration(url, #","includesSamples":true"#), "shows alerts"),
                (#"{"application":"Phone","url":"\#(url)","keys":{"p256dh":"BCVx","auth":"BTBZ"}}"#, "subscription"),
            ] {
                let answer = try await server.client.post(Self.path, json: body)
                #expect(answer.status == 422 && answer.text.contains(words), "\(answer.text)")
            }
            #expect(try server.engine().backgroundDelivery.applications().isEmpty)
        }
    }
}
