import Foundation
import NIOCore
import Synchronization
import Testing

@testable import HealthServer

@Suite("Slow and hostile clients", .timeLimit(.minutes(15)))
struct HostileClientTests {
    /// Starts a server that looks often whether a client is too slow, and whose time stands still until the test lets
    /// it pass: a busy machine makes no client slow.
    private static func withServer(
        minimumBytesPerSecond: Double = 1_000, _ body: (TestServer, ClientTime) async throws -> Void
    ) async throws {
        var limits = ServerLimits()
        limits.headerSeconds = 0.2
        limits.idleSeconds = 0.2
        limits.stallSeconds = 0.2
        limits.minimumBytesPerSecond = minimumBytesPerSecond
        let time = ClientTime()
        try await TestServer.with(limits: limits, configure: { $0.uptime = { time.now() } }) { server async throws in
            try await body(server, time)
        }
    }

    @Test("Half a header, and silence after a request, end the connection")
    func halfHeader() async throws {
        try await Self.withServer { server, time in
            let half = try await TestConnection(port: server.port)
            try await half.send("GET /health HTTP/1.1\r\nHost: local")
            #expect(try await time.passing { try await half.receivedUntilClosed() } == "")
            let idle = try await TestConnection(port: server.port)
            try await idle.send("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
            #expect(try await time.passing { try await idle.receivedUntilClosed() }.hasPrefix("HTTP/1.1 200 OK"))
            let silent = try await TestConnection(port: server.port)
            #expect(try await time.passing { try await silent.receivedUntilClosed() } == "")
            #expect(try await server.client.get("/health").status == 200)
        }
    }

    @Test("A body that stops in the middle ends the connection, and nothing is stored")
    func halfBody() async throws {
        try await Self.withServer { server, time in
            let connection = try await TestConnection(port: server.port)
            try await connection.send(
                "POST /v1/people HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(server.ownerToken)\r\n"
                    + "Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{\"person\":")
            let answer = try await time.passing { try await connection.receivedUntilClosed() }
            #expect(!answer.hasPrefix("HTTP/1.1 2"))
            #expect(try server.core.directory.people().map(\.person) == ["anna", "ben"])
        }
    }

    @Test("A client that doesn’t read its response is dropped")
    func unread() async throws {
        try await Self.withServer(minimumBytesPerSecond: 1e9) { server, time in
            let connection = try await TestConnection(port: server.port)
            try await connection.setReading(false)
            // More responses than the buffers of both sockets can take, none of which is read.
            let request = "GET /vendor/chart.js HTTP/1.1\r\nHost: localhost\r\n\r\n"
            try? await connection.send(String(repeating: request, count: 100))
            try await time.passing { try await server.core.waitUntilIdle() }
            #expect(server.core.metrics.activeRequests == 0)
            await connection.close()
        }
    }

    @Test("A body that states too many bytes is refused at once")
    func oversized() async throws {
        try await TestServer.with { server async throws in
            let connection = try await TestConnection(port: server.port)
            try await connection.send(
                "POST /v1/people HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(server.ownerToken)\r\n"
                    + "Content-Type: application/json\r\nContent-Length: 100000000000\r\nConnection: close\r\n\r\n")
            let answer = try await connection.receivedUntilClosed()
            #expect(answer.hasPrefix("HTTP/1.1 413"))
            #expect(answer.contains(#""code":"bodyTooLarge""#))
        }
    }

    @Test("A body without an end is refused, read for a while, and then cut off")
    func endless() async throws {
        try await Self.withServer { server, _ in
            let connection = try await TestConnection(port: server.port)
            try await connection.send(
                "POST /v1/people HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(server.ownerToken)\r\n"
                    + "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n")
            let chunk = "10000\r\n" + String(repeating: "a", count: 0x10000) + "\r\n"
            var sent = 0
            do {
                while sent < 1_024 {
                    try await connection.send(chunk)
                    sent += 1
                }
                Issue.record("The server reads on and on.")
            } catch {
                // The server has closed the connection.
            }
            #expect(try await server.client.get("/health").status == 200)
        }
    }

    @Test(
        "Requests that aren’t HTTP are answered with 400 or not at all",
        arguments: [
            "\u{0}\u{1}\u{2}\r\n\r\n", "GET\r\n\r\n", "GET / HTTP/9.9\r\n\r\n",
            "POST /v1/people HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
            "POST /v1/people HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
            "POST /v1/people HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd",
            "GET /health HTTP/1.1\r\nHost: localhost\r\nX: \u{0}\r\n\r\n",
            "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}\u{0}",
        ])
    func malformed(text: String) async throws {
        try await Self.withServer { server, time in
            let connection = try await TestConnection(port: server.port)
            try await connection.send(text)
            let answer = try await time.passing { try await connection.receivedUntilClosed() }
            #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 4"), "\(answer.prefix(40))")
            #expect(try await server.client.get("/health").status == 200)
        }
    }

    @Test("A header that is too long is refused")
    func longHeader() async throws {
        try await TestServer.with { server async throws in
            let connection = try await TestConnection(port: server.port)
            try? await connection.send(
                "GET /health HTTP/1.1\r\nHost: localhost\r\nX-Long: \(String(repeating: "a", count: 100_000))\r\n\r\n")
            let answer = try await connection.receivedUntilClosed()
            #expect(!answer.hasPrefix("HTTP/1.1 2"))
            #expect(try await server.client.get("/health").status == 200)
        }
    }

    @Test("A page of another site can’t reach a server on loopback by its own name")
    func rebinding() async throws {
        try await TestServer.with { server async throws in
            for (host, status) in [
                ("localhost", 200), ("localhost:\(server.port)", 200), ("127.0.0.1:1", 200), ("[::1]:1", 200),
                ("evil.example", 421), ("localhost.evil.example:\(server.port)", 421), ("localhost.", 421),
                ("LOCALHOST", 200), ("localhost:", 200), ("localhost:evil.example", 400), ("localhost:80:80", 400),
                ("[::1]evil.example", 400), ("[::1].evil.example:80", 400), ("evil@localhost", 400),
                ("localhost:80@evil.example", 400), ("localhost/evil", 400), ("localhost:1234567", 400),
            ] {
                let answer = try await server.client.get("/v1/people", headers: ["Host": host])
                #expect(answer.status == status, "\(host)")
            }
        }
    }

    @Test(
        "The host of an absolute target is the one of the field, exactly",
        arguments: [
            ("http://localhost/health", "localhost", 200), ("http://LocalHost:1/health", "localhost:1", 200),
            ("http://evil.example/health", "localhost", 400),
            ("http://localhost.evil.example/health", "localhost", 400),
            ("http://localhost@evil.example/health", "localhost", 400), ("http:///health", "localhost", 400),
            ("http://evil.example/health", "evil.example", 421), ("evil.example/health", "localhost", 400),
            ("ftp://localhost/health", "localhost", 400), ("/health", "localhost", 200),
        ])
    func absoluteTargets(target: String, host: String, status: Int) async throws {
        try await TestServer.with { server async throws in
            let connection = try await TestConnection(port: server.port)
            try await connection.send("GET \(target) HTTP/1.1\r\nConnection: close\r\nHost: \(host)\r\n\r\n")
            let answer = try await connection.receivedUntilClosed()
            #expect(answer.hasPrefix("HTTP/1.1 \(status)"), "\(answer.prefix(40))")
        }
    }

    @Test("Beyond loopback, a server whose URL is known goes by that name or an address")
    func publicRebinding() async throws {
        try await TestServer.with(configure: {
            ($0.host, $0.allowsInsecure, $0.publicURL) = ("0.0.0.0", true, URL(string: "https://health.example.org"))
        }) { server async throws in
            for (host, status) in [
                ("health.example.org", 200), ("Health.Example.org:443", 200), ("localhost:\(server.port)", 200),
                ("192.0.2.7:8080", 200), ("[2001:db8::1]:8080", 200), ("evil.example", 421),
                ("health.example.org.evil.example", 421), ("192.0.2.7.evil.example", 421), ("[evil.example]", 421),
            ] {
                let answer = try await server.client.get("/v1/people", headers: ["Host": host])
                #expect(answer.status == status, "\(host)")
            }
        }
    }

    @Test(
        "A request that doesn’t state its host once is invalid",
        arguments: [
            "", "Host:\r\n", "Host: localhost\r\nHost: localhost\r\n", "Host: localhost\r\nHost: evil.example\r\n",
            "Host: evil.example\r\nhost: localhost\r\n",
        ])
    func hosts(fields: String) async throws {
        try await TestServer.with { server async throws in
            let connection = try await TestConnection(port: server.port)
            try await connection.send("GET /health HTTP/1.1\r\nConnection: close\r\n\(fields)\r\n")
            #expect(try await connection.receivedUntilClosed().hasPrefix("HTTP/1.1 400"))
        }
    }
}

/// The time by which a server waits for its clients. It advances only by what a test waits for.
private final class ClientTime: Sendable {
    private let state = Mutex((time: NIODeadline.uptimeNanoseconds(1_000_000_000_000), isPassing: false))

    /// The time. While it passes, each look finds it a little later: however slow the machine, a client is looked at
    /// some times before it is treated as a slow one.
    func now() -> NIODeadline {
        state.withLock { state in
            if state.isPassing { state.time = state.time + .milliseconds(10) }
            return state.time
        }
    }

    /// Lets time pass until something has come.
    func passing<Value>(_ body: () async throws -> Value) async throws -> Value {
        state.withLock { $0.isPassing = true }
        defer { state.withLock { $0.isPassing = false } }
        return try await body()
    }
}

extension ServerCore {
    /// Waits until no request is being answered and no work waits for a thread.
    func waitUntilIdle() async throws {
        while metrics.activeRequests > 0 || pool.pendingCount > 0 { try await pool.run {}; await Task.yield() }
    }
}

@Suite("How long a client is waited for")
struct ClientTimeoutTests {
    private static var limits: ServerLimits {
        var limits = ServerLimits()
        limits.headerSeconds = 10
        limits.idleSeconds = 60
        limits.stallSeconds = 20
        limits.minimumBytesPerSecond = 1_000
        return limits
    }

    private static func at(_ seconds: Double) -> NIODeadline {
        .uptimeNanoseconds(1_000_000_000_000) + .nanoseconds(Int64(seconds * 1e9))
    }

    @Test("The first header has less time than a further one")
    func headers() {
        var patience = ClientTimeout(limits: Self.limits, now: Self.at(0))
        #expect(!patience.isExhausted(at: Self.at(10)))
        #expect(patience.isExhausted(at: Self.at(10.1)))
        patience.received(.head, at: Self.at(5))
        patience.received(.end, at: Self.at(5))
        // The server may take any time to answer.
        #expect(!patience.isExhausted(at: Self.at(5_000)))
        patience.responded(at: Self.at(100))
        #expect(!patience.isExhausted(at: Self.at(160)))
        #expect(patience.isExhausted(at: Self.at(160.1)))
    }

    @Test("Time counts only while the server waits for the body")
    func bodies() {
        var patience = ClientTimeout(limits: Self.limits, now: Self.at(0))
        patience.received(.head, at: Self.at(0))
        // The server is busy for an hour.
        #expect(!patience.isExhausted(at: Self.at(3_600)))
        patience.serverReads(at: Self.at(3_600))
        #expect(!patience.isExhausted(at: Self.at(3_620)))
        #expect(patience.isExhausted(at: Self.at(3_620.1)))
    }

    @Test(
        "A trickle is cut off, a steady stream is not",
        arguments: [(bytes: 1, isCutOff: true), (bytes: 20_000, isCutOff: false)])
    func rates(bytes: Int, isCutOff: Bool) {
        var patience = ClientTimeout(limits: Self.limits, now: Self.at(0))
        patience.received(.head, at: Self.at(0))
        var isExhausted = false
        for second in stride(from: 0.0, to: 1_000, by: 10) {
            patience.serverReads(at: Self.at(second))
            isExhausted = isExhausted || patience.isExhausted(at: Self.at(second + 9.9))
            patience.received(.body(bytes), at: Self.at(second + 9.9))
        }
        #expect(isExhausted == isCutOff)
    }

    @Test("A response that isn’t read ends the connection; one that is read slowly but steadily does not")
    func responses() {
        var patience = ClientTimeout(limits: Self.limits, now: Self.at(0))
        patience.received(.head, at: Self.at(0))
        patience.received(.end, at: Self.at(0))
        patience.writes(100_000, at: Self.at(0))
        #expect(!patience.isExhausted(at: Self.at(119)))
        #expect(patience.isExhausted(at: Self.at(121)))
        patience.wrote(100_000, at: Self.at(119))
        #expect(!patience.isExhausted(at: Self.at(10_000)))
    }

    @Test("After a refusal, the rest of the body has only a short time")
    func draining() {
        var patience = ClientTimeout(limits: Self.limits, now: Self.at(0))
        patience.received(.head, at: Self.at(0))
        for second in stride(from: 0.0, to: 100, by: 1) {
            patience.serverReads(at: Self.at(second))
            patience.received(.body(100_000), at: Self.at(second + 0.9))
        }
        patience.responded(at: Self.at(100))
        var time = 100.0
        while !patience.isExhausted(at: Self.at(time)), time < 1_000 {
            patience.received(.body(10), at: Self.at(time))
            patience.serverReads(at: Self.at(time))
            time += 1
        }
        #expect(time < 125)
    }
}
