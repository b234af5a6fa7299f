import Foundation
import HTTPTypes
import HealthTesting
import Hummingbird
import NIOCore
import Synchronization
import Testing

@testable import HealthAccess
@testable import HealthServer

@Suite("Limits")
struct LimitTests {
    @Test("A token has a burst and then a steady rate, by the server’s clock")
    func rate() async throws {
        var limits = ServerLimits()
        limits.requestsPerSecond = 2
        limits.requestBurst = 5
        try await TestServer.with(limits: limits) { server async throws in
            for _ in 0..<5 { #expect(try await server.client.get("/v1/people").status == 200) }
            let refused = try await server.client.get("/v1/people")
            #expect(refused.status == 429 && refused.code == "tooManyRequests")
            #expect(refused.headers["retry-after"] == "1")
            // Another token has a separate rate.
            let other = server.client.with(token: try server.token(scope: .owner))
            #expect(try await other.get("/v1/people").status == 200)
            server.clock.advance(by: 1)
            for _ in 0..<2 { #expect(try await server.client.get("/v1/people").status == 200) }
            #expect(try await server.client.get("/v1/people").status == 429)
        }
    }

    @Test("After some wrong tokens, an address has to wait with further ones; valid ones and files are answered")
    func failures() async throws {
        var limits = ServerLimits()
        limits.failuresPerMinute = 3
        try await TestServer.with(limits: limits) { server async throws in
            let wrong = server.client.with(token: "ohk_wrong")
            let code = try server.core.registry.addSignInCode(people: nil)
            for _ in 0..<3 { #expect(try await wrong.get("/v1/people").status == 401) }
            for _ in 0..<40 {
                let refused = try await wrong.get("/v1/people")
                #expect(refused.status == 429 && refused.headers["retry-after"] == "20")
                #expect(try await wrong.post("/v1/session", json: #"{"code":"x"}"#).status == 429)
            }
            #expect(try await server.client.get("/v1/people").status == 200)
            let session = try server.session()
            let browser = server.client.with(token: nil)
            #expect(try await browser.get("/v1/people", headers: session.headers).status == 200)
            #expect(try await browser.post("/v1/session", json: #"{"code":"\#(code)"}"#).headers["set-cookie"] != nil)
            for path in ["/", "/main.js", "/health", "/openapi.json"] {
                #expect(try await wrong.get(path).status == 200, "\(path)")
            }
            server.clock.advance(by: 60)
            #expect(try await wrong.get("/v1/people").status == 401)
        }
    }

    @Test("A client has all addresses of its network of version 6, which count as one")
    func longAddresses() async throws {
        var limits = ServerLimits()
        limits.failuresPerMinute = 3
        let proxied = URL(string: "https://health.example.org/")
        try await TestServer.with(limits: limits, configure: { $0.publicURL = proxied }) { server async throws in
            let wrong = server.client.with(token: "ohk_wrong")
            for (address, status) in [
                ("2001:db8:1:2::1", 401), ("2001:db8:1:2::2", 401), ("2001:db8:1:2:3:4:5:6", 401),
                ("2001:db8:1:2:ffff::", 429), ("2001:db8:1:3::1", 401), ("192.0.2.1", 401), ("192.0.2.2", 401),
                ("192.0.2.3", 401), ("192.0.2.4", 401),
            ] {
                let answer = try await wrong.get("/v1/people", headers: ["X-Forwarded-For": address])
                #expect(answer.status == status, "\(address)")
            }
        }
    }

    @Test("Requests that another site makes a browser send don’t count as failures of its owner")
    func crossSiteFailures() async throws {
        var limits = ServerLimits()
        limits.failuresPerMinute = 3
        try await TestServer.with(limits: limits) { server async throws in
            let nobody = server.client.with(token: nil)
            for site in ["cross-site", "same-site"] {
                for _ in 0..<20 {
                    let failed = try await nobody.post(
                        "/v1/session", json: #"{"code":"x"}"#, headers: ["Sec-Fetch-Site": site])
                    #expect(failed.status == 401 && failed.headers["set-cookie"] == nil)
                }
            }
            // The owner mistypes.
            #expect(try await nobody.post("/v1/session", json: #"{"code":"x"}"#).status == 401)
            let code = try server.core.registry.addSignInCode(people: nil)
            #expect(try await nobody.post("/v1/session", json: #"{"code":"\#(code)"}"#).status == 200)
        }
    }

    @Test("The files of the page don’t count as requests of the session")
    func files() async throws {
        var limits = ServerLimits()
        limits.requestsPerSecond = 1
        limits.requestBurst = 2
        try await TestServer.with(limits: limits) { server async throws in
            for _ in 0..<10 { #expect(try await server.client.get("/main.js").status == 200) }
            for status in [200, 200, 429] { #expect(try await server.client.get("/v1/people").status == status) }
            #expect(try await server.client.get("/main.js").status == 200)
        }
    }

    @Test("One token can’t have all event streams")
    func eventStreams() async throws {
        var limits = ServerLimits()
        #expect(limits.streamsPerIdentity * 10 < limits.streams)
        limits.streamsPerIdentity = 2
        try await TestServer.with(limits: limits) { server async throws in
            let path = "/v1/people/anna/events"
            var streams: [TestStream] = []
            for status in [200, 200, 429] {
                streams.append(try await server.client.open("GET", path))
                #expect(streams.last?.status == status)
            }
            let waiting = try await server.client.get("/v1/people/anna/changes?wait=1&anchor=now")
            #expect(waiting.status == 429 && waiting.code == "tooManyStreams")
            streams.append(try await server.client.with(token: try server.token(scope: .owner)).open("GET", path))
            #expect(streams.last?.status == 200)
            for stream in streams { await stream.close() }
        }
    }

    @Test("Tokens that don’t sign in are failures, too: unknown ones, expired ones, and those of applications")
    func failedSignIns() async throws {
        var limits = ServerLimits()
        limits.failuresPerMinute = 3
        try await TestServer.with(limits: limits) { server async throws in
            let nobody = server.client.with(token: nil)
            func signIn(_ token: String) async throws -> Int {
                try await nobody.post("/v1/session", json: #"{"token":"\#(token)"}"#).status
            }
            let expired = try server.token(scope: .owner, expires: TestClock.start + 1)
            let application = try server.token()
            server.clock.advance(by: 2)
            #expect(try await signIn("ohk_wrong") == 401)
            #expect(try await signIn(expired) == 401)
            #expect(try await signIn(application) == 403)
            #expect(try await signIn("ohk_wrong") == 429)
            // What succeeds isn't counted, and passes.
            for _ in 0..<5 { #expect(try await signIn(server.ownerToken) == 200) }
            server.clock.advance(by: 60)
            #expect(try await signIn("ohk_wrong") == 401)
        }
    }

    @Test("A bucket fills up to its size, and a clock that is set back takes nothing away")
    func buckets() {
        let clock = TestClock()
        let limiter = RateLimiter(perSecond: 1, burst: 3, now: { clock.now })
        for _ in 0..<3 { #expect(limiter.take("a") == nil) }
        #expect(limiter.take("a") == 1)
        clock.advance(by: 1_000)
        for _ in 0..<3 { #expect(limiter.take("a") == nil) }
        clock.advance(by: -500)
        #expect(limiter.take("a") == 1)
        clock.advance(by: 0.5)
        #expect(limiter.take("a") == 0.5)
        #expect(RateLimiter(perSecond: nil, burst: 1, now: { clock.now }).take("a") == nil)
    }

    @Test("Addresses that can’t be counted one by one don’t fill the memory")
    func manyKeys() {
        let clock = TestClock()
        let limiter = RateLimiter(perSecond: 1, burst: 2, now: { clock.now })
        for number in 0..<30_000 { #expect(limiter.take("\(number)") == nil) }
        #expect(limiter.keyCount <= 10_000)
    }

    @Test("Streams are counted while their leases exist")
    func streams() throws {
        let limiter = StreamLimiter(maximum: 3, maximumPerIdentity: 2)
        func identity(_ id: String) -> Identity {
            Identity(
                kind: .token, id: id, name: id, people: nil, application: nil, isReadOnly: false, requestToken: nil)
        }
        var leases = [try limiter.open(for: identity("a")), try limiter.open(for: identity("a"))]
        #expect(throws: Problem.self) { try limiter.open(for: identity("a")) }
        leases.append(try limiter.open(for: identity("b")))
        #expect(throws: Problem.self) { try limiter.open(for: identity("c")) }
        leases.removeFirst()
        #expect(limiter.count == 2)
        leases.append(try limiter.open(for: identity("a")))
        leases.removeAll()
        #expect(limiter.count == 0)
    }

    @Test("SQL statements have dedicated threads, so that others are answered while they run")
    func statements() async throws {
        var limits = ServerLimits()
        limits.storeThreads = 1
        limits.statements = 1
        limits.waitingStatements = 1
        let pool = StorePool(limits: limits)
        let gate = DispatchSemaphore(value: 0)
        async let running: Void = pool.statements.run(of: "a") { _ in gate.wait() }
        async let waiting: Int = pool.statements.run(of: "b") { _ in 7 }
        while pool.statements.pendingCount < 2 { await Task.yield() }
        await #expect(throws: Problem.self) { try await pool.statements.run(of: "c") { _ in } }
        #expect(try await pool.run { 8 } == 8)
        gate.signal()
        try await running
        #expect(try await waiting == 7)
        await pool.shutdown()
    }

    @Test(
        "SQL that would hold a thread for minutes, or return addresses of memory, is refused",
        arguments: [
            "SELECT length(trim(hex(zeroblob(400000)), replace(hex(zeroblob(200000)),'0','a')||'0'))",
            "SELECT printf('%.*c',2147483647,'x')", "SELECT hex(fts3_tokenizer('simple'))",
        ])
    func statement(_ sql: String) async throws {
        try await TestServer.with { server async throws in
            let answer = try await server.client.post("/v1/people/anna/sql", json: #"{"query":"\#(sql)"}"#)
            #expect(answer.status == 400 && answer.code == "invalidSQL", "\(answer.text)")
            let other = try await server.client.post(
                "/v1/people/anna/sql", json: #"{"query":"SELECT trim('xax', 'x') AS a"}"#)
            #expect(other.status == 200 && other.text.contains(#"["a"]"#), "\(other.text)")
        }
    }

    @Test("Work beyond the limit is refused instead of waiting")
    func pool() async throws {
        var limits = ServerLimits()
        limits.storeThreads = 1
        limits.waitingRequests = 1
        let pool = StorePool(limits: limits)
        let (gate, started) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        async let running: Void = pool.run {
            started.signal()
            gate.wait()
        }
        async let waiting: Int = pool.run { 7 }
        while pool.pendingCount < 2 { await Task.yield() }
        await #expect(throws: Problem.self) { try await pool.run {} }
        gate.signal()
        try await running
        #expect(try await waiting == 7)
        await pool.shutdown()
    }
}

@Suite("Responses that a thread produces")
struct StreamSinkTests {
    @Test("Chunks arrive in order, then the end")
    func order() async throws {
        let sink = StreamSink()
        let thread = Task.detached {
            for number in 0..<50 { try sink.write([UInt8(number)]) }
            sink.finish(nil)
        }
        var received: [UInt8] = []
        while let chunk = try await sink.next() { received += chunk.readableBytesView }
        try await thread.value
        #expect(received == (0..<50).map { UInt8($0) })
    }

    @Test("An error of the producer is the consumer’s")
    func failure() async throws {
        let sink = StreamSink()
        try sink.write([1])
        sink.finish(TestServerError("stop"))
        #expect(try await sink.next() != nil)
        await #expect(throws: TestServerError.self) { try await sink.next() }
    }

    @Test("A producer whose client has gone gets an error at every write, and never waits")
    func cancellation() throws {
        let sink = StreamSink()
        try sink.write([1])
        sink.cancel()
        for _ in 0..<10 { #expect(throws: CancellationError.self) { try sink.write([2]) } }
    }

    @Test("A large chunk is written in small parts, so that a client that reads nothing is noticed soon")
    func parts() async throws {
        let pool = StorePool(limits: ServerLimits())
        let parts = WrittenParts()
        let body = try pool.stream { sink in try sink.write([UInt8](repeating: 7, count: 1_000_000)) }
        try await body.write(PartRecorder(parts: parts))
        #expect(parts.sizes.reduce(0, +) == 1_000_000 && parts.sizes.allSatisfy { $0 <= StreamSink.chunkBytes })
        await pool.shutdown()
    }
}

/// The sizes of what was written of a body.
private final class WrittenParts: Sendable {
    private let state = Mutex<[Int]>([])

    var sizes: [Int] { state.withLock { $0 } }

    func add(_ size: Int) { state.withLock { $0.append(size) } }
}

private struct PartRecorder: ResponseBodyWriter {
    let parts: WrittenParts

    mutating func write(_ buffer: ByteBuffer) async throws { parts.add(buffer.readableBytes) }

    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
