import Foundation
import HealthEngine
import HealthTesting
import ProcessTestSupport
import Testing

@testable import HealthAccess
@testable import HealthServer

@Suite("Starting and stopping", .timeLimit(.minutes(15)))
struct ShutdownTests {
    @Test("A request in flight is completed, and then the server ends")
    func inFlight() async throws {
        try await TestServer.with { server async throws in
            let body = Data(#"{"person":"carl"}"#.utf8)
            let connection = try await TestConnection(port: server.port)
            try await connection.send(
                "POST /v1/people HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(server.ownerToken)\r\n"
                    + "Content-Type: application/json\r\nContent-Length: \(body.count)\r\n\r\n")
            try await connection.send(body.prefix(5))
            // The request counts once its header is read.
            while server.core.metrics.activeRequests == 0 { await Task.yield() }
            server.beginShutdown()
            try await connection.send(body.dropFirst(5))
            let answer = try await connection.receivedUntilClosed()
            #expect(answer.hasPrefix("HTTP/1.1 201"))
            await server.stop()
            #expect(try server.core.directory.exists("carl"))
            await #expect(throws: (any Error).self) { try await server.client.get("/health") }
        }
    }

    @Test("Work that takes long, such as a cohort, ends when its task is canceled, and with it the pool")
    func longWork() async throws {
        let pool = StorePool(limits: ServerLimits())
        let (started, start) = AsyncStream<Void>.makeStream()
        let task = Task {
            try await pool.run(longWork: { goesOn in
                start.finish()
                while goesOn() { sched_yield() }
                throw CancellationError()
            })
        }
        for await _ in started {}
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        await pool.shutdown()
    }

    @Test("A connection without a request doesn’t hold the server up")
    func idle() async throws {
        try await TestServer.with { server async throws in
            let connection = try await TestConnection(port: server.port)
            try await connection.send("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
            var received = connection.received.makeAsyncIterator()
            #expect(try await received.next() != nil)
            await server.stop()
            #expect(try await received.next() == nil)
        }
    }

    @Test("An event stream ends when the server stops")
    func events() async throws {
        try await TestServer.with { server async throws in
            let stream = try await server.client.open("GET", "/v1/people/anna/events?types=stepCount")
            #expect(stream.status == 200)
            #expect(server.core.streams.count == 1)
            await server.stop()
            for try await _ in stream.body {}
            #expect(server.core.streams.count == 0)
        }
    }

    @Test("Content kept in memory is written at the end")
    func flush() async throws {
        let folder = try TemporaryServerFolder()
        let location = try await TestServer.with(folder: folder, people: ["anna"]) { server async throws in
            #expect(try await server.client.get("/v1/people").status == 200)
            return server.core.configuration.location
        }
        #expect(try AccessRegistry(location: location).tokens().first?.lastUsed == TestClock.start)
        let log = try String(contentsOfFile: location.auditLog, encoding: .utf8)
        #expect(log.contains(#""route":"/v1/people""#))
    }

    @Test("An address that other machines reach needs TLS or a flag")
    func addresses() throws {
        let folder = try TemporaryServerFolder()
        var configuration = AppConfiguration(location: .folder(folder.path))
        for host in ["0.0.0.0", "::", "192.168.1.2", "example.org"] {
            configuration.host = host
            configuration.allowsInsecure = false
            #expect(throws: ServerError.self) { try HealthServerApplication(configuration) }
            configuration.allowsInsecure = true
            #expect(throws: Never.self) { try HealthServerApplication(configuration) }
        }
        for host in ["127.0.0.1", "127.1.2.3", "localhost", "::1"] {
            configuration.host = host
            configuration.allowsInsecure = false
            #expect(throws: Never.self) { try HealthServerApplication(configuration) }
        }
    }

    @Test("A port that is in use is an error that says so")
    func portInUse() async throws {
        try await TestServer.with { server async throws in
            let folder = try TemporaryServerFolder()
            await #expect {
                try await TestServer.with(folder: folder, people: [], configure: { $0.port = server.port }) {
                    _ async throws in
                }
            } throws: { ($0 as? ServerError)?.isAddressInUse == true }
        }
    }

    @Test("One store is the person me, created when it is first used")
    func single() async throws {
        try await TestServer.with(people: nil) { server async throws in
            let people = try await server.client.get("/v1/people")
            #expect((people.json["people"] as? [[String: Any]])?.map { $0["person"] as? String } == ["me"])
            #expect(try await server.client.post("/v1/people", json: #"{"person":"x"}"#).status == 422)
            #expect(try server.engine(of: "me").lastSequence() == 0)
            #expect(FileManager.default.fileExists(atPath: server.folder + "/health.sqlite"))
        }
    }
}

@Suite("TLS")
struct TLSTests {
    /// A certificate for localhost that is its own authority.
    private static func certificate(
        in folder: TemporaryServerFolder, key: [String] = ["ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"]
    ) throws -> AppConfiguration.TLSFiles {
        let files = AppConfiguration.TLSFiles(
            certificate: folder.path + "/cert.pem", privateKey: folder.path + "/key.pem")
        let openssl = Process()
        openssl.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        openssl.arguments =
            [
                "openssl", "req", "-x509", "-newkey",
            ] + key + [
                "-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext",
                "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout",
                files.privateKey,
                "-out", files.certificate,
            ]
        let run = try openssl.finish()
        try #require(run.status == 0, "\(run.errors)")
        return files
    }

    @Test("Requests through TLS; the cookie is for TLS only")
    func requests() async throws {
        let folder = try TemporaryServerFolder()
        let files = try Self.certificate(in: folder)
        try await TestServer.with(configure: { $0.tls = files }) { server async throws in
            var client = server.client
            client.certificate = files.certificate
            let health = try await client.get("/health")
            #expect(health.status == 200)
            #expect(health.headers["strict-transport-security"]?.hasPrefix("max-age=") == true)
            let code = try server.core.registry.addSignInCode(people: nil)
            let signedIn = try await client.post("/v1/session", json: #"{"code":"\#(code)"}"#)
            let cookie = try #require(signedIn.headers["set-cookie"])
            #expect(cookie.hasPrefix("__Host-openhealthkit-\(server.port)=") && cookie.contains("; Secure"))
            // Without TLS, the server says nothing that could be read.
            let plain = try await TestConnection(port: server.port)
            try await plain.send("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
            #expect(try await !plain.receivedUntilClosed().contains("HTTP"))
        }
    }

    @Test(
        "A key that everybody on the machine can read is refused",
        arguments: [(0o604, false), (0o602, false), (0o640, true)])
    func permissions(_ mode: Int, _ isAccepted: Bool) async throws {
        let folder = try TemporaryServerFolder()
        let files = try Self.certificate(in: folder)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: files.privateKey)
        do {
            try await TestServer.with(configure: { $0.tls = files }) { _ async throws in }
            #expect(isAccepted)
        } catch let error as ServerError {
            #expect(!isAccepted && error.description.contains("chmod o="))
        }
    }

    @Test("Of TLS 1.2, only ciphers with forward secrecy are accepted")
    func ciphers() async throws {
        let folder = try TemporaryServerFolder()
        let files = try Self.certificate(in: folder, key: ["rsa:2048"])
        try await TestServer.with(configure: { $0.tls = files }) { server async throws in
            for (cipher, isAccepted) in [
                ("AES128-GCM-SHA256", false), ("AES256-SHA", false), ("DHE-RSA-AES256-GCM-SHA384", false),
                ("ECDHE-RSA-AES128-SHA", false), ("ECDHE-RSA-AES128-GCM-SHA256", true),
                ("ECDHE-RSA-CHACHA20-POLY1305", true),
            ] {
                let openssl = Process()
                openssl.executableURL = URL(fileURLWithPath: "/usr/bin/env")
                openssl.arguments = [
                    "openssl", "s_client", "-connect", "127.0.0.1:\(server.port)", "-tls1_2", "-cipher",
                    cipher + ":@SECLEVEL=0", "-brief",
                ]
                openssl.standardInput = FileHandle.nullDevice
                #expect((try openssl.finish().status == 0) == isAccepted, "\(cipher)")
            }
        }
    }

    @Test("A certificate that can’t be read is an error")
    func unreadable() async throws {
        let folder = try TemporaryServerFolder()
        try Data("no certificate".utf8).write(to: URL(fileURLWithPath: folder.path + "/cert.pem"))
        let files = AppConfiguration.TLSFiles(
            certificate: folder.path + "/cert.pem", privateKey: folder.path + "/key.pem")
        await #expect(throws: ServerError.self) {
            try await TestServer.with(configure: { $0.tls = files }) { _ async throws in }
        }
    }
}
