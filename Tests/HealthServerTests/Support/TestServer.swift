import Foundation
import HealthEngine
import HealthTesting
import NIOCore
import Synchronization
import Testing

@testable import HealthAccess
@testable import HealthServer

/// A real server on a real socket: on any free port of loopback, over a temporary folder, with a clock that only the
/// test advances. Use ``with(people:limits:configure:_:)``.
final class TestServer: Sendable {
    /// The server in this process, for what a test needs to see inside it.
    let core: ServerCore
    /// The port it listens on.
    let port: Int
    /// Advances the server's time.
    let clock: TestClock
    /// A token that acts as every person and administers the server.
    let ownerToken: String
    /// The folder of the stores.
    let folder: String
    /// Sends requests with ``ownerToken`` unless told otherwise.
    let client: TestClient
    /// The log of the server, unless the test changes its logger. No test's server may log anything that looks like
    /// health data.
    let log: RecordedLog
    fileprivate let application: HealthServerApplication
    private let stopping: @Sendable () async -> Void

    fileprivate init(
        application: HealthServerApplication, address: HealthServerApplication.Address, clock: TestClock,
        folder: String,
        log: RecordedLog, stopping: @escaping @Sendable () async -> Void
    ) throws {
        self.application = application
        self.clock = clock
        self.folder = folder
        self.log = log
        self.stopping = stopping
        core = application.core
        port = address.port
        ownerToken = try core.registry.addToken(name: "owner", scope: .owner, people: nil).secret
        client = TestClient(port: address.port, token: ownerToken, isSecure: core.configuration.tls != nil)
    }

    /// The base URL, such as `http://127.0.0.1:40123`.
    var url: String { "\(core.configuration.tls == nil ? "http" : "https")://127.0.0.1:\(port)" }

    /// Starts a server, runs a test against it, and stops it.
    ///
    /// - Parameters:
    ///   - people: The people of the server; `nil` for a server over one store, of the person `me`.
    ///   - configure: Changes the configuration before the server starts.
    static func with<Value>(
        people: [String]? = ["anna", "ben"], limits: ServerLimits = ServerLimits(), now: Date = TestClock.start,
        configure: (inout AppConfiguration) throws -> Void = { _ in },
        _ body: (TestServer) async throws -> Value
    ) async throws -> Value {
        let folder = try TemporaryServerFolder()
        return try await with(
            folder: folder, people: people, limits: limits, now: now, configure: configure, body)
    }

    /// Starts a server over a folder that outlives it, as for a second server over the same stores.
    static func with<Value>(
        folder: TemporaryServerFolder, people: [String]?, limits: ServerLimits = ServerLimits(),
        now: Date = TestClock.start, configure: (inout AppConfiguration) throws -> Void = { _ in },
        _ body: (TestServer) async throws -> Value
    ) async throws -> Value {
        let clock = TestClock(now: now)
        var configuration = AppConfiguration(
            location: people == nil ? .store(folder.path + "/health.sqlite") : .folder(folder.path))
        configuration.port = 0
        configuration.limits = limits
        configuration.now = { clock.now }
        // A busy machine makes no client slow: what waits for clients is tested by `HostileClientTests`, with a clock
        // of its own.
        let uptime = NIODeadline.now()
        configuration.uptime = { uptime }
        configuration.timeZone = .gmt
        let log = RecordedLog()
        configuration.logger = log.logger()
        try configure(&configuration)
        let application = try HealthServerApplication(configuration)
        for person in people ?? [] where try !application.core.directory.exists(person) {
            try application.core.directory.create(person)
        }
        let (addresses, continuation) = AsyncThrowingStream.makeStream(of: HealthServerApplication.Address.self)
        let running = Task {
            do {
                try await application.run(handlesSignals: false) { continuation.yield($0) }
                continuation.finish()
            } catch {
                continuation.finish(throwing: error)
            }
        }
        var iterator = addresses.makeAsyncIterator()
        guard let address = try await iterator.next() else { throw TestServerError("The server ended at once.") }
        let server = try TestServer(
            application: application, address: address, clock: clock, folder: folder.path, log: log,
            stopping: {
                application.shutdown()
                await running.value
            })
        do {
            let value = try await body(server)
            await server.stop()
            #expect(log.suspicious == [])
            return value
        } catch {
            await server.stop()
            #expect(log.suspicious == [])
            throw error
        }
    }

    /// Stops the server: requests in flight are completed.
    func stop() async {
        await stopping()
    }

    /// Begins to stop the server, without waiting.
    func beginShutdown() {
        application.shutdown()
    }

    /// Makes a token.
    ///
    /// - Parameters:
    ///   - read: The types that an application token may read, by identifier or short name.
    ///   - share: The types that it may write.
    func token(
        of person: String = "anna", scope: Credential.Scope = .application, read: TokenGrants.Types = .some([]),
        share: TokenGrants.Types = .some([]), isReadOnly: Bool = false, expires: Date? = nil,
        bundleIdentifier: String? = nil
    ) throws -> String {
        var request = TokenIssuer.Request(name: "test", scope: scope, people: [person])
        request.grants = TokenGrants(read: read, share: share)
        request.isReadOnly = isReadOnly
        request.expires = expires
        request.bundleIdentifier = bundleIdentifier
        return try TokenIssuer(stores: core.directory, registry: core.registry).issue(request).secret
    }

    /// A signed-in browser: the fields of its requests, and the value of its cookie.
    func session(of people: [String]? = nil) throws -> (headers: [String: String], cookie: String, secret: String) {
        let (secret, session) = try core.registry.addSession(people: people)
        let cookie = "openhealthkit-\(port)=\(secret)"
        return (["Cookie": cookie, "X-CSRF-Token": session.requestToken], cookie, secret)
    }

    /// The stored rows of tokens and sessions.
    func storedAccess() throws -> String {
        let file = core.configuration.location.accessFile
        return try ["", "-wal"].map { suffix in
            String(decoding: try Data(contentsOf: URL(fileURLWithPath: file + suffix)), as: UTF8.self)
        }.joined()
    }

    /// The engine of a person's store, as the server uses it.
    func engine(of person: String = "anna") throws -> HealthEngine {
        try core.directory.store(of: person).engine
    }
}

/// A folder for the stores of a server, removed when it is released.
final class TemporaryServerFolder: Sendable {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "server-tests-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }
}

struct TestServerError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
