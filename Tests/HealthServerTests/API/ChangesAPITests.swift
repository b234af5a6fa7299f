import Foundation
import HealthEngine
import HealthModel
import NIOCore
import Testing

@testable import HealthAccess
@testable import HealthServer

@Suite("Changes and events over HTTP")
struct ChangesAPITests {
    @Test("Additions and deletions since an anchor, in parts")
    func changes() async throws {
        try await APIFixture.run { api in
            try api.save("stepCount", "count", (0..<25).map { ("2025-05-01T08:\(10 + $0):00Z", 30, Double($0)) })
            var (anchor, seen) = (String?.none, [String]())
            var hasMore = true
            while hasMore {
                let answer = try await api.get(
                    "changes?types=stepCount&limit=10" + (anchor.map { "&anchor=\($0)" } ?? ""))
                #expect(answer.status == 200, "\(answer.text)")
                seen += answer.list("added").compactMap { $0["uuid"] as? String }
                anchor = answer.json["anchor"] as? String
                hasMore = answer.json["hasMore"] as? Bool ?? false
            }
            #expect(seen.count == 25 && Set(seen).count == 25)
            _ = try await api.client.delete(APIFixture.root + "samples?uuid=\(seen[0]),\(seen[1])")
            let deleted = try await api.get("changes?anchor=\(anchor ?? "")")
            #expect(deleted.list("added").isEmpty)
            #expect(deleted.list("deleted").map { $0["uuid"] as? String } == [seen[0], seen[1]])
            #expect(deleted.list("deleted").first?["type"] as? String == "HKQuantityTypeIdentifierStepCount")
            let now = try #require(try await api.get("changes?anchor=now").json["anchor"] as? String)
            #expect(now == deleted.json["anchor"] as? String)
            #expect(try await api.get("changes?anchor=ffffffffffff-3").code == "anchorExpired")
            #expect(try await api.get("changes?anchor=nonsense").code == "invalidAnchor")
            #expect(try await api.get("changes?types=nonsense").status == 400)
            #expect(try await api.get("changes").list("added").count == 23)
        }
    }

    @Test("A waiting request is woken by a commit of this process and of another")
    func longPoll() async throws {
        try await APIFixture.run { api in
            let other = try api.otherEngine()
            defer { try? other.close() }
            for engine in [api.engine, other] {
                let anchor = try #require(try await api.get("changes?anchor=now").json["anchor"] as? String)
                async let waiting = api.get("changes?types=bodyMass&anchor=\(anchor)&wait=60")
                try await Self.wait { try api.server.core.directory.store(of: "anna").signals.count == 1 }
                let start = try APIFixture.instant("2025-05-01T08:00:00Z")
                // A type that isn't waited for doesn't end the request.
                for (name, unit) in [("height", "m"), ("bodyMass", "kg")] {
                    let sample = SampleRecord(
                        type: try APIFixture.type(name), start: start, end: start, value: 1, unit: unit)
                    try engine.save([.sample(sample)], as: APIFixture.app("scale"))
                }
                #expect(
                    try await waiting.list("added").map { $0["type"] as? String } == [
                        "HKQuantityTypeIdentifierBodyMass"
                    ])
            }
            let anchor = try #require(try await api.get("changes?anchor=now").json["anchor"] as? String)
            let none = try await api.get("changes?anchor=\(anchor)&wait=1")
            #expect(none.status == 200 && none.list("added").isEmpty && none.json["anchor"] as? String == anchor)
        }
    }

    @Test("A waiting request gets nothing of what is saved after its token was revoked or its session ended")
    func revokedWhileWaiting() async throws {
        try await APIFixture.run { api in
            let registry = api.server.core.registry
            let token = try api.server.token(scope: .owner)
            let id = try #require(try registry.token(secret: token)?.id)
            let (secret, session) = try registry.addSession(people: nil)
            let last = try api.server.token(scope: .owner)
            let lastID = try #require(try registry.token(secret: last)?.id)
            let (byToken, byCookie) = (api.client.with(token: token), api.client.with(token: nil))
            let cookie = [
                "Cookie": "openhealthkit-\(api.server.port)=\(secret)", "X-CSRF-Token": session.requestToken,
            ]
            let senders: [(client: TestClient, headers: [String: String], end: () throws -> Void)] = [
                (byToken, [:], { _ = try registry.revokeToken(id) }),
                (byCookie, cookie, { try registry.endSession(session.id) }),
            ]
            for (client, headers, end) in senders {
                let anchor = try #require(try await api.get("changes?anchor=now").json["anchor"] as? String)
                async let waiting = client.get(APIFixture.root + "changes?anchor=\(anchor)&wait=60", headers: headers)
                try await Self.wait { try api.server.core.directory.store(of: "anna").signals.count == 1 }
                try end()
                try api.save("bodyMass", "kg", [("2025-05-01T08:00:00Z", 0, 71)])
                let answer = try await waiting
                #expect(answer.status == 401 && answer.code == "unauthenticated" && answer.list("added").isEmpty)
            }
            // The end of the wait is an answer as well.
            let client = api.client.with(token: last)
            async let waiting = client.get(APIFixture.root + "changes?anchor=now&wait=60")
            try await Self.wait { try api.server.core.directory.store(of: "anna").signals.count == 1 }
            try registry.revokeToken(lastID)
            api.server.beginShutdown()
            #expect(try await waiting.status == 401)
        }
    }

    @Test("While a token and its permissions can't be read, a stream reports nothing, and later what may be reported")
    func unreadablePermissions() async throws {
        var limits = ServerLimits()
        limits.storeThreads = 1
        limits.waitingRequests = 8
        let now = Date(timeIntervalSinceReferenceDate: try APIFixture.instant("2025-11-01T12:00:00Z"))
        try await TestServer.with(people: ["anna"], limits: limits, now: now) { server in
            let api = try APIFixture(server)
            let application = "org.example.reader"
            let token = try server.token(read: .some(["heartRate", "bodyMass"]), bundleIdentifier: application)
            let stream = try await api.client.with(token: token).open("GET", APIFixture.root + "events")
            var events = EventReader(stream)
            #expect(try await events.next().name == "ready")
            let (pool, gate) = (server.core.pool, DispatchSemaphore(value: 0))
            var held: [Task<Void, Never>] = []
            // What runs or waits doesn't end before the gate opens, so that the pool stays full.
            while pool.pendingCount < 9 {
                held.append(Task { _ = try? await pool.run { gate.wait() } })
                await Task.yield()
            }
            try api.engine.authorization.set(
                TypeAuthorization(share: .denied, read: .denied), of: try APIFixture.type("heartRate"),
                bundleIdentifier: application)
            let start = "2025-05-01T08:00:00Z"
            try api.save("heartRate", "count/min", [(start, 0, 60)])
            try api.save("bodyMass", "kg", [(start, 0, 71)])
            for _ in held { gate.signal() }
            for task in held { await task.value }
            // A type that the application can't read makes the stream look again.
            try api.save("stepCount", "count", [(start, 60, 5)])
            #expect(try await events.next().name == "settings")
            #expect(try await events.next().data["types"] as? [String] == ["HKQuantityTypeIdentifierBodyMass"])
            await stream.close()
        }
    }

    @Test("An event stream ends when its token is revoked")
    func revoked() async throws {
        try await APIFixture.run { api in
            let token = try api.server.token(read: .some(["heartRate"]))
            let stream = try await api.client.with(token: token).open("GET", APIFixture.root + "events")
            var events = EventReader(stream)
            #expect(try await events.next().name == "ready")
            for record in try api.server.core.registry.tokens() { try api.server.core.registry.revokeToken(record.id) }
            let start = try APIFixture.instant("2025-05-01T08:00:00Z")
            let sample = SampleRecord(
                type: try APIFixture.type("heartRate"), start: start, end: start, value: 60, unit: "count/min")
            try api.engine.save([.sample(sample)], as: APIFixture.app("watch"))
            await #expect(throws: (any Error).self) { _ = try await events.next() }
            await stream.close()
        }
    }

    @Test("A token that reads only what it saved gets no event of what others save")
    func eventsOfAPart() async throws {
        try await APIFixture.run { api in
            let token = try api.server.token(
                read: .some(["heartRate"]), share: .some(["bodyMass"]), bundleIdentifier: "org.example.scale")
            let stream = try await api.client.with(token: token).open("GET", APIFixture.root + "events")
            var events = EventReader(stream)
            #expect(try await events.next().name == "ready")
            try api.save("bodyMass", "kg", [("2025-05-01T08:00:00Z", 0, 71)])
            try api.save("heartRate", "count/min", [("2025-05-01T08:00:00Z", 0, 60)])
            #expect(try await events.next().data["types"] as? [String] == ["HKQuantityTypeIdentifierHeartRate"])
            let own = #"[{"type":"bodyMass","startDate":"2025-05-02T08:00:00Z","quantity":72,"unit":"kg"}]"#
            #expect(try await api.post("samples", own, token: token).status == 200)
            #expect(try await events.next().data["types"] as? [String] == ["HKQuantityTypeIdentifierBodyMass"])
            await stream.close()
        }
    }

    @Test("Events tell what changed, to those who may read it, also after a broken connection")
    func events() async throws {
        try await APIFixture.run { api in
            let other = try api.otherEngine()
            defer { try? other.close() }
            let token = try api.server.token(read: .some(["heartRate"]))
            let all = try await api.client.open("GET", APIFixture.root + "events")
            let some = try await api.client.with(token: token).open(
                "GET", APIFixture.root + "events?types=heartRate,stepCount")
            #expect(all.headers["content-type"] == "text/event-stream")
            var allEvents = EventReader(all)
            var someEvents = EventReader(some)
            let ready = try await allEvents.next()
            #expect(ready.name == "ready" && ready.id == ready.data["anchor"] as? String)
            #expect(try await someEvents.next().name == "ready")
            let start = try APIFixture.instant("2025-05-01T08:00:00Z")
            func save(_ name: String, _ unit: String, _ engine: HealthEngine) throws {
                let sample = SampleRecord(
                    type: try APIFixture.type(name), start: start, end: start, value: 1, unit: unit)
                try engine.save([.sample(sample)], as: APIFixture.app("watch"))
            }
            try save("stepCount", "count", api.engine)
            let steps = try await allEvents.next()
            #expect(steps.name == "change" && steps.data["types"] as? [String] == ["HKQuantityTypeIdentifierStepCount"])
            try save("heartRate", "count/min", other)
            #expect(try await allEvents.next().data["types"] as? [String] == ["HKQuantityTypeIdentifierHeartRate"])
            let heart = try await someEvents.next()
            #expect(heart.data["types"] as? [String] == ["HKQuantityTypeIdentifierHeartRate"])
            _ = try await api.send("PUT", "goals", #"{"standHoursGoal": 10}"#)
            #expect(try await allEvents.next().name == "settings")
            await all.close()
            await some.close()
            try save("bodyMass", "kg", api.engine)
            let again = try await api.client.open(
                "GET", APIFixture.root + "events", headers: ["Last-Event-ID": steps.id])
            var missed = EventReader(again)
            #expect(try await missed.next().name == "ready")
            #expect(
                try await missed.next().data["types"] as? [String] == [
                    "HKQuantityTypeIdentifierBodyMass", "HKQuantityTypeIdentifierHeartRate",
                ])
            await again.close()
        }
    }

    @Test("A stream ends when its client goes, before the next event; other answers are completed")
    func goneClients() async throws {
        try await APIFixture.run { api in
            let token = try api.server.token()
            func connection(_ path: String) async throws -> TestConnection {
                let connection = try await TestConnection(port: api.server.port)
                try await connection.send(
                    "GET \(path) HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(token)\r\n\r\n")
                return connection
            }
            let (half, whole) = (
                try await connection(APIFixture.root + "events"), try await connection(APIFixture.root + "events")
            )
            try await Self.wait { api.server.core.streams.count == 2 }
            var begun = ""
            for try await part in half.received {
                begun += String(buffer: part)
                if begun.contains("event: ready") { break }
            }
            try await half.closeOutput()
            // The server closes the connection, so that this ends.
            #expect(try await half.receivedUntilClosed().contains("event: change") == false)
            await whole.close()
            try await Self.wait { api.server.core.streams.count == 0 }
            let plain = try await connection(APIFixture.root + "types")
            try await plain.closeOutput()
            #expect(try await plain.receivedUntilClosed().hasPrefix("HTTP/1.1 200"))
        }
    }

    @Test("Streams end when the server stops")
    func shutdown() async throws {
        try await APIFixture.run { api in
            let stream = try await api.client.open("GET", APIFixture.root + "events")
            var events = EventReader(stream)
            #expect(try await events.next().name == "ready")
            async let waiting = api.get("changes?anchor=now&wait=60")
            try await Self.wait { try api.server.core.directory.store(of: "anna").signals.count == 2 }
            api.server.beginShutdown()
            #expect(try await waiting.status == 200)
            await #expect(throws: (any Error).self) { _ = try await events.next() }
        }
    }

    /// Waits until a condition holds, without a clock.
    private static func wait(_ isTrue: () throws -> Bool) async throws {
        while try !isTrue() { await Task.yield() }
    }
}

/// Reads server-sent events.
struct EventReader {
    struct Event {
        var name = ""
        var id = ""
        var data: [String: Any] = [:]
    }

    private struct Ended: Error {}

    private var lines: AsyncThrowingStream<String, any Error>.AsyncIterator

    init(_ stream: TestStream) {
        lines = stream.lines.makeAsyncIterator()
    }

    /// The next event; comments are skipped.
    mutating func next() async throws -> Event {
        var event = Event()
        while let line = try await lines.next() {
            if line.isEmpty, !event.name.isEmpty { return event }
            let parts = line.split(separator: ":", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            guard parts.count == 2 else { continue }
            switch parts[0] {
            case "event": event.name = parts[1]
            case "id": event.id = parts[1]
            case "data":
                event.data = (try JSONSerialization.jsonObject(with: Data(parts[1].utf8)) as? [String: Any]) ?? [:]
            default: break
            }
        }
        throw Ended()
    }
}
