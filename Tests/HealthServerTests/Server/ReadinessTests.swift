import Dispatch
import Foundation
import PostgreSQLTestSupport
import Synchronization
import Testing

@testable import HealthServer

@Suite("Whether a server is alive, and ready", .timeLimit(.minutes(5)))
struct ReadinessTests {
    @Test("A check that takes too long is not waited for, and not repeated beside itself")
    func limit() async {
        let checks = Mutex(0)
        let release = DispatchSemaphore(value: 0)
        let readiness = Readiness(within: .milliseconds(50)) {
            checks.withLock { $0 += 1 }
            release.wait()
        }
        for _ in 0..<3 { #expect(await !readiness.isReady()) }
        #expect(checks.withLock { $0 } <= 1)
        release.signal()
    }

    @Test("The result of the check is the answer", arguments: [false, true])
    func result(isReachable: Bool) async {
        let readiness = Readiness(within: .seconds(60)) {
            if !isReachable { throw ServerError("Nothing can be reached.") }
        }
        for _ in 0..<2 { #expect(await readiness.isReady() == isReachable) }
    }

    @Test("Without the database, a server is alive and not ready; with it, it is ready again")
    func database() async throws {
        let server = try PostgreSQLServer()
        let folder = try TemporaryServerFolder()
        let address = server.url("schema=ready")
        let environment = ["XDG_STATE_HOME": folder.path, "HOME": folder.path]
        #expect(try await HKProcess.run(["database", "init", address], environment: environment).status == 0)
        let process = try HKProcess(["serve", "--data", address, "--port", "0", "--json"], environment: environment)
        var lines = process.lines.makeAsyncIterator()
        let line = await lines.next() ?? ""
        let answer = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        let port = try #require((answer?["url"] as? String).flatMap { URL(string: $0) }?.port)
        let client = TestClient(port: port, token: nil)
        #expect(try await client.get("/health").status == 200)
        try server.stop()
        // Requests that wait for the database don't hold these up.
        async let waiting = client.with(token: "ohk_unknown").get("/v1/people")
        for _ in 0..<3 {
            #expect(try await client.get("/health/live").status == 200)
            #expect(try await client.get("/health").status == 503)
        }
        try server.start()
        _ = try? await waiting
        while try await client.get("/health").status != 200 { await Task.yield() }
        process.terminate()
        #expect(await process.status() == 0)
    }

    @Test("A server whose database can’t be reached doesn’t say that it serves")
    func unreachable() async throws {
        let folder = try TemporaryServerFolder()
        let run = try await HKProcess.run(
            ["serve", "--data", "postgresql://127.0.0.1:1/health", "--port", "0", "--no-sign-in"],
            environment: ["XDG_STATE_HOME": folder.path, "HOME": folder.path])
        #expect(run.status != 0 && !run.lines.contains { $0.hasPrefix("Serving") }, "\(run.lines)")
    }
}
