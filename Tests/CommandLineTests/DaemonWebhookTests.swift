import Foundation
import HealthEngine
import ProcessTestSupport
import Testing

@testable import HealthDaemon

extension DaemonTests {
    private static let python = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent(".build/python/bin/python").path

    @Test(
        "PyPI's standardwebhooks verifies a call, whose samples are those that changed",
        .enabled(if: FileManager.default.isExecutableFile(atPath: python)))
    func standardWebhook() throws {
        let port = try freePort()
        let secret = try registerWebhook(port)
        #expect(try String(contentsOf: secret, encoding: .utf8).hasPrefix("whsec_"))
        _ = try hk(["authorize", Self.app, "--read", "stepCount"])
        _ = try hk([
            "background", "register", Self.app, "--type", "steps,bodyMass", "--webhook", "http://127.0.0.1:\(port)/x",
            "--secret-file", secret.path, "--samples",
        ])
        let receiver = try RunningCommand(
            python(
                """
                import http.server, json, sys
                from standardwebhooks.webhooks import Webhook
                webhook = Webhook(open(sys.argv[1]).read().strip())
                class Receiver(http.server.BaseHTTPRequestHandler):
                    def do_POST(self):
                        body = self.rfile.read(int(self.headers["Content-Length"]))
                        event = webhook.verify(body, dict(self.headers))
                        changes = event["data"].get("changes", [])
                        print("verified", event["type"], [[s["quantity"] for s in c["added"]] for c in changes],
                              [c["hasMore"] for c in changes], flush=True)
                        self.send_response(204), self.end_headers()
                    def log_message(self, *arguments): pass
                server = http.server.HTTPServer(("127.0.0.1", int(sys.argv[2])), Receiver)
                print("listening", flush=True)
                server.serve_forever()
                """, secret.path, "\(port)"))
        receiver.lines(until: "listening")
        try add(7)
        #expect(try CommandRun(["add", "bodyMass", "72", "kg"], store: scratch.store).status == 0)
        #expect(try hk(["daemon", "--once"]).last == "\(Self.app): delivery acknowledged (attempt 1).")
        // The body mass may not be read, and what was acknowledged isn't sent again.
        #expect(receiver.lines(until: "verified").last == "verified health.changed [[7]] [False]")
        try add(8)
        #expect(try hk(["daemon", "--once"]).last == "\(Self.app): delivery acknowledged (attempt 1).")
        #expect(receiver.lines(until: "verified").last == "verified health.changed [[8]] [False]")
        _ = receiver.end(SIGKILL)
    }

    @Test("A webhook whose key hk keeps, which is shown once; a test event, the log of attempts, and the end of it")
    func testEvent() throws {
        _ = try scratch.emptyStore()
        let port = try freePort()
        let register = [
            "background", "register", Self.app, "--type", "steps", "--webhook", "http://127.0.0.1:\(port)/",
        ]
        let shown = try hk(register)
        let words = "The key that signs calls, which isn’t shown again: "
        #expect(shown.count == 1 && shown[0].hasPrefix(words + "whsec_"))
        #expect(try hk(["background", "attempts", Self.app]) == ["\(Self.app) wasn’t called yet."])
        #expect(
            try hk(["background", "test", Self.app], status: 1).first?.hasPrefix("Error: The webhook can’t be reached")
                == true)
        let key = scratch.file("key")
        try Data(shown[0].dropFirst(words.count).utf8).write(to: key)
        let receiver = try webhook(port, secret: key)
        #expect(try hk(["background", "test", Self.app], at: 60) == ["The webhook has acknowledged the test event."])
        #expect(receiver.lines(until: "valid").last == "valid None")
        try add(1)
        #expect(try hk(["daemon", "--once"], at: 120).last == "\(Self.app): delivery acknowledged (attempt 1).")
        _ = receiver.end(SIGKILL)
        let log = try hk(["background", "attempts", Self.app])
        #expect(log.count == 4 && log[0].split(separator: " ") == ["time", "attempt", "result"], "\(log)")
        #expect(log[1].hasSuffix("  1        acknowledged") && log[2].hasSuffix("  test     acknowledged"))
        #expect(
            log[3].contains("  test     The webhook can’t be reached")
                && !log.joined().lowercased().contains("stepcount"))
        let answer = try CommandRun(["background", "attempts", Self.app, "--json"], store: scratch.store).objects()
        #expect(answer.map { $0["attempt"] as? Int } == [1, 0, 0])
        #expect(answer.map { $0["isAcknowledged"] as? Bool } == [true, true, false])
        // Another key replaces the one before, which nothing verifies any more.
        let again = try CommandRun(register + ["--json"], store: scratch.store).objects()
        let secret = try #require(again[0]["secret"] as? String)
        #expect(secret.hasPrefix("whsec_") && !shown[0].hasSuffix(secret))
        let file = try #require(again[0]["secretFile"] as? String)
        try hk(["background", "unregister", Self.app])
        #expect(!FileManager.default.fileExists(atPath: file))
    }

    @Test("Alerts are listed, told once by a daemon, and removed; what is wrong with one is explained")
    func alerts() throws {
        let port = try freePort()
        let secret = try registerWebhook(port)
        let alert = ["background", "alert", Self.app]
        #expect(try hk(alert) == ["\(Self.app) has no alerts."])
        let pulse = alert + ["High pulse", "--type", "heartRate", "--above", "120", "--unit", "bpm"]
        #expect(
            try hk(pulse) == [
                "alert       told when", "High pulse  heartRate above 120 count/min",
            ])
        _ = try hk(alert + ["Watch", "--silence", "com.example.watch", "--hours", "24"])
        _ = try hk(alert + ["Oxygen", "--type", "oxygenSaturation", "--below", "90", "--unit", "%"])
        #expect(
            try hk(alert + ["Highlights", "--highlights"]) == [
                "alert       told when", "High pulse  heartRate above 120 count/min",
                "Watch       com.example.watch silent for 24 h", "Oxygen      oxygenSaturation below 90 %",
                "Highlights  a measure stands out",
            ])
        let json = try CommandRun(alert + ["--json"], store: scratch.store).objects()
        #expect(json.map { $0["condition"] as? String } == ["above", "silence", "below", "highlight"])
        #expect(json[0]["unit"] as? String == "count/min" && json[2]["limit"] as? Double == 0.9)
        for name in ["Watch", "Oxygen", "Highlights"] { _ = try hk(alert + [name, "--remove"]) }
        for (arguments, words) in [
            (["A", "--type", "steps", "--above", "1", "--unit", "count"], "aren’t parts of a sum"),
            (["A", "--type", "heartRate", "--above", "1", "--unit", "kg"], "a unit of heartRate, such as count/min"),
            (["A", "--silence", "com.example.watch"], "hours"), (["A", "--remove"], "has no alert “A”"),
            (["A"], "Give a name and one of"), (["A", "--above", "1", "--below", "2"], "Give a name and one of"),
        ] {
            let run = try CommandRun(alert + arguments, store: scratch.store)
            #expect(run.status != 0 && run.errors.contains(words), "\(run.errors)")
        }
        #expect(
            try CommandRun(["background", "alert", "b"], store: scratch.store).errors.contains("has no webhook"))
        let receiver = try webhook(port, secret: secret)
        func add(_ value: String, at offset: Double) throws {
            _ = try hk(["add", "heartRate", value, "count/min"], at: offset)
        }
        try add("130", at: 10)
        try add("140", at: 20)
        #expect(try hk(["daemon", "--once"], at: 30).last == "\(Self.app): delivery acknowledged (attempt 1).")
        #expect(receiver.lines(until: "valid").last == "valid None")
        try add("150", at: 40)
        #expect(try hk(["daemon", "--once"], at: 50) == [])
        _ = receiver.end(SIGKILL)
    }

    private func python(_ code: String, _ arguments: String...) -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Self.python)
        process.arguments = ["-c", code] + arguments
        return process
    }

    @Test("A name that leads to this machine is called only if that is allowed")
    func privateName() async throws {
        let port = try freePort()
        let secret = scratch.file("key")
        try WebhookSecret.create(secret.path)
        func send(_ url: String, _ options: WebhookOptions) async throws -> String? {
            let client = WebhookClient()
            let target = WebhookTarget(url: url, secretFile: secret.path, options: options)
            let failure = await client.send(WebhookCall(testing: "a", target, id: UUID(), now: 0), timeLimit: 5)
            try await client.shutdown()
            return failure
        }
        for host in ["localhost", "127.0.0.1"] {
            let refused = try await send("http://\(host):\(port)/", WebhookOptions())
            #expect(refused?.contains("hasn’t allowed") == true, "\(refused ?? "")")
            let allowed = try await send("http://\(host):\(port)/", WebhookOptions(allowsPrivateAddresses: true))
            #expect(allowed?.contains("can’t be reached") == true, "\(allowed ?? "")")
        }
    }

    @Test("The address that was checked is called, however the URL writes the host")
    func checkedAddress() async throws {
        let secret = scratch.file("key")
        try WebhookSecret.create(secret.path)
        let client = WebhookClient()
        // No name server knows either of them, and nothing listens at the port.
        for host in ["unknown.invalid", "Unknown.INVALID"] {
            let target = WebhookTarget(
                url: "https://\(host):\(try freePort())/", secretFile: secret.path, options: WebhookOptions())
            let failure = await client.send(
                WebhookCall(testing: "a", target, id: UUID(), now: 0), timeLimit: 5, at: "127.0.0.1")
            #expect(failure?.contains("Connection refused") == true, "\(failure ?? "")")
        }
        try await client.shutdown()
    }

    @Test("Addresses of machines, private networks, links and reserved ranges are private")
    func addresses() {
        for text in [
            "0.0.0.0", "10.0.0.1", "100.64.0.1", "127.0.0.1", "127.8.9.1", "169.254.1.1", "172.16.0.1",
            "172.31.255.255",
            "192.0.0.8", "192.0.2.1", "192.168.255.1", "198.18.0.1", "198.51.100.7", "203.0.113.9", "224.0.0.1",
            "255.255.255.255", "::", "::1", "::ffff:192.168.1.1", "::10.0.0.1", "64:ff9b::a00:1", "2002:a00:1::",
            "fc00::1", "fd12::1", "fe80::1", "fec0::1", "ff02::1", "2001:db8::1", "2001::1",
        ] {
            #expect(NetworkAddress(text)?.isPrivate == true, "\(text)")
        }
        for text in [
            "1.1.1.1", "100.63.255.255", "100.128.0.1", "172.15.0.1", "172.32.0.1", "192.169.0.1", "223.255.255.1",
            "2606:4700::1111", "2a00:1450::1", "::ffff:8.8.8.8", "64:ff9b::808:808", "2002:808:808::",
        ] {
            #expect(NetworkAddress(text)?.isPrivate == false, "\(text)")
        }
        for text in ["example.org", "127.1", "1.2.3.4.5", "[::1]", ""] {
            #expect(NetworkAddress(text) == nil, "\(text)")
        }
    }
}
