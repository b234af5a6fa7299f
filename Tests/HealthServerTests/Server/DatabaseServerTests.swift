import Foundation
import PostgreSQLTestSupport
import Testing

@testable import HealthServer

/// Two servers over one database, behind nginx: they have no state of their own, and one may be killed.
@Suite("Many servers over PostgreSQL", .timeLimit(.minutes(15)))
struct DatabaseServerTests {
    /// A server as a process, and the client for it.
    private struct Server {
        let process: HKProcess
        let port: Int
        let client: TestClient
    }

    private let folder: TemporaryServerFolder
    private let environment: [String: String]

    init() throws {
        folder = try TemporaryServerFolder()
        environment = ["XDG_STATE_HOME": folder.path + "/state", "HOME": folder.path]
    }

    private func hk(_ arguments: [String]) async throws -> [String] {
        let run = try await HKProcess.run(arguments, environment: environment)
        try #require(run.status == 0, "\(run.lines)")
        return run.lines
    }

    private func start(
        _ address: String, token: String, state: String, options: [String] = []
    ) async throws -> Server {
        // Servers on separate machines have separate folders.
        let process = try HKProcess(
            ["serve", "--data", address, "--port", "0", "--json"] + options,
            environment: environment.merging(["XDG_STATE_HOME": folder.path + "/" + state]) { $1 })
        var lines = process.lines.makeAsyncIterator()
        // Warnings may come before.
        var line = await lines.next() ?? ""
        while !line.hasPrefix("{"), let next = await lines.next() { line = next }
        let answer = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)")
        let port = try #require((answer["url"] as? String).flatMap { URL(string: $0) }?.port)
        return Server(process: process, port: port, client: TestClient(port: port, token: token))
    }

    /// A database with a person, and a token for it.
    ///
    /// - Parameter parameters: Parameters of the address in addition.
    private func prepare(
        _ schema: String, in server: PostgreSQLServer? = nil, _ parameters: String = ""
    ) async throws -> (address: String, token: String) {
        let server = try server ?? PostgreSQLServer.shared()
        _ = try await hk(["database", "init", server.url("schema=\(schema)"), "--role", "served_role"])
        let address = server.url("schema=\(schema)&role=served_role" + parameters)
        _ = try await hk(["person", "add", "anna", "--name", "Anna Berg", "--data", address])
        let token = try #require(try await hk(["token", "add", "test", "--owner", "--data", address]).first)
        return (address, token)
    }

    private static func samples(_ range: Range<Int>) -> String {
        let rows = range.map { number in
            let uuid = String(format: "00000000-0000-4000-8000-%012d", number)
            let minute = String(format: "%02d:%02d", number / 60 % 24, number % 60)
            return
                #"{"uuid":"\#(uuid)","type":"stepCount","startDate":"2025-11-16T\#(minute):00Z","quantity":\#(number),"unit":"count"}"#
        }
        return "[" + rows.joined(separator: ",") + "]"
    }

    /// The statements that a server has sent to the database.
    private static func statements(of server: Server) async throws -> Double {
        let lines = try await server.client.with(token: nil).get("/metrics").text.split(separator: "\n")
        let counts = lines.filter { $0.hasPrefix("openhealthkit_database_statements_total{") }
        return try counts.reduce(0) { try $0 + #require($1.split(separator: " ").last.flatMap { Double($0) }) }
    }

    @Test("A batch of one of many people, whose stores aren't open, takes at most six statements")
    func batchesOfMany() async throws {
        let (address, token) = try await prepare("many")
        let people = ["anna", "berta", "cora"]
        for person in people.dropFirst() { _ = try await hk(["person", "add", person, "--data", address]) }
        let server = try await start(address, token: token, state: "one", options: ["--open-stores", "1"])
        func save(_ round: Int) async throws {
            for person in people {
                let saved = try await server.client.post(
                    "/v1/people/\(person)/samples", json: Self.samples(round * 100..<round * 100 + 100))
                #expect((200..<300).contains(saved.status), "\(saved.text)")
            }
        }
        // The first batch adds entries to dictionaries.
        for round in 0..<3 { try await save(round) }
        let before = try await Self.statements(of: server)
        for round in 3..<7 { try await save(round) }
        let count = try await Self.statements(of: server) - before
        #expect(count > 0 && count <= 6 * Double(4 * people.count), "\(count)")
        server.process.terminate()
        #expect(await server.process.status() == 0)
    }

    @Test("Both give the same answers, and events cross between them")
    func twoServers() async throws {
        let (address, token) = try await prepare("served")
        let one = try await start(address, token: token, state: "one")
        let two = try await start(address, token: token, state: "two")
        let people = try await two.client.get("/v1/people").text
        #expect(people.contains("Anna Berg"))
        let stream = try await two.client.open("GET", "/v1/people/anna/events?types=stepCount")
        var events = EventReader(stream)
        #expect(try await events.next().name == "ready")
        let saved = try await one.client.post("/v1/people/anna/samples", json: Self.samples(0..<50))
        #expect(saved.status == 200 || saved.status == 201, "\(saved.text)")
        #expect(try await events.next().name == "change")
        for path in [
            "/v1/people/anna/samples?type=stepCount&limit=100", "/v1/people/anna/types",
            "/v1/people/anna/statistics?type=stepCount&interval=day",
        ] {
            let answers = [try await one.client.get(path), try await two.client.get(path)]
            #expect(answers.map(\.status) == [200, 200], "\(path): \(answers[0].text)")
            #expect(answers[0].text == answers[1].text)
        }
        // A token that one server's machine adds or revokes is known to the other as soon as it is notified.
        let other = try #require(try await hk(["token", "add", "other", "--owner", "--data", address]).first)
        while try await two.client.with(token: other).get("/v1/people").status == 401 { await Task.yield() }
        #expect(try await two.client.with(token: other).get("/v1/people").status == 200)
        _ = try await hk(["token", "revoke", "other", "--data", address])
        while try await two.client.with(token: other).get("/v1/people").status == 200 { await Task.yield() }
        for server in [one, two] {
            server.process.terminate()
            #expect(await server.process.status() == 0)
        }
    }

    @Test("With a replica, a client reads what it saved through any server, and /metrics counts what it took")
    func replica() async throws {
        let primary = try PostgreSQLServer()
        let replica = try PostgreSQLServer(replicaOf: primary)
        let (address, token) = try await prepare("replicated", in: primary, "&replica=127.0.0.1:\(replica.port)")
        let one = try await start(address, token: token, state: "one")
        let two = try await start(address, token: token, state: "two")
        for number in 0..<20 {
            if number == 10 { try replica.psql("SELECT pg_wal_replay_pause()") }
            let saved = try await one.client.post(
                "/v1/people/anna/samples", json: Self.samples(number..<number + 1))
            #expect(saved.status == 200 || saved.status == 201, "\(saved.text)")
            let found = try await two.client.get("/v1/people/anna/samples?type=stepCount&limit=100").text
            #expect(found.components(separatedBy: "00000000-0000-4000-8000").count == number + 2, "\(found)")
        }
        try replica.psql("SELECT pg_wal_replay_resume()")
        func figures(_ server: Server) async throws -> [Substring: Double] {
            let text = try await server.client.with(token: nil).get("/metrics").text
            let lines = text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { $0.split(separator: " ") }
            return Dictionary(lines.map { ($0[0], Double($0[1]) ?? -1) }) { first, _ in first }
        }
        let prefix = "openhealthkit_database_"
        while try await figures(two)["\(prefix)replica_reads_total{result=\"current\"}"] ?? 0 == 0 {
            _ = try await two.client.get("/v1/people/anna/types")
        }
        let (writing, reading) = (try await figures(one), try await figures(two))
        #expect(reading["\(prefix)replica_reads_total{result=\"behind\"}"] ?? 0 >= 10)
        #expect(writing["\(prefix)round_trips_total{server=\"primary\",kind=\"save\"}"] ?? 0 >= 10)
        #expect(reading["\(prefix)statements_total{server=\"replica\",kind=\"select\"}"] ?? 0 > 0)
        #expect(reading["\(prefix)round_trip_seconds_total{server=\"primary\",kind=\"select\"}"] ?? 0 > 0)
        #expect(reading["\(prefix)connections_maximum{server=\"primary\"}"] == 40)
        #expect(reading["\(prefix)threads_waiting{server=\"primary\"}"] == 0)
        #expect(reading["\(prefix)reconnects_total{server=\"primary\"}"] == 0)
        // Those of the alerting rules and the dashboard.
        let text = try await two.client.with(token: nil).get("/metrics").text
        for metric in try MonitoringFiles.metrics() { #expect(text.contains("# TYPE \(metric) "), "\(metric)") }
        #expect(!text.contains("anna"))
        for server in [one, two] {
            server.process.terminate()
            #expect(await server.process.status() == 0)
        }
    }

    @Test("Tables of a newer version are read, and changes are rejected with the reason")
    func newerTables() async throws {
        let database = try PostgreSQLServer()
        let (address, token) = try await prepare("upgraded", in: database)
        let old = try await start(address, token: token, state: "one")
        let saved = try await old.client.post("/v1/people/anna/samples", json: Self.samples(0..<3))
        #expect(saved.status == 200 || saved.status == 201)
        try database.psql("UPDATE upgraded.schema_version SET version = 2")
        #expect(try await old.client.get("/health").status == 200)
        // One that is started now, too.
        let servers = [old, try await start(address, token: token, state: "two")]
        for server in servers {
            let found = try await server.client.get("/v1/people/anna/samples?type=stepCount").text
            #expect(found.contains("00000000-0000-4000-8000-000000000002"))
            let rejected = try await server.client.post("/v1/people/anna/samples", json: Self.samples(3..<4))
            #expect(rejected.status == 503 && rejected.text.contains("another version"), "\(rejected.text)")
        }
        let added = try await HKProcess.run(["person", "add", "ben", "--data", address], environment: environment)
        #expect(added.status == 1 && added.lines.joined().contains("has version 2, and this program version 1"))
        try database.psql("UPDATE upgraded.schema_version SET version = 1")
        #expect(try await old.client.get("/health").status == 200)
        let again = try await old.client.post("/v1/people/anna/samples", json: Self.samples(3..<4))
        #expect(again.status == 200 || again.status == 201, "\(again.text)")
        for server in servers {
            server.process.terminate()
            #expect(await server.process.status() == 0)
        }
    }

    @Test("One of two is killed under load, and no client sees more than a retry")
    func killedUnderLoad() async throws {
        let (address, token) = try await prepare("served_load")
        let one = try await start(address, token: token, state: "one")
        let two = try await start(address, token: token, state: "two")
        let proxy = try NGINX(folder: folder.path + "/nginx", ports: [one.port, two.port])
        let client = TestClient(port: proxy.port, token: token)
        try await proxy.waitUntilReady(client)
        let batches = 60
        try await withThrowingTaskGroup(of: Void.self) { group in
            for lane in 0..<4 {
                group.addTask {
                    for batch in stride(from: lane, to: batches, by: 4) {
                        let body = Self.samples(batch * 10..<batch * 10 + 10)
                        var answer = try? await client.post("/v1/people/anna/samples", json: body)
                        // A request that was under way when its server was killed is repeated; its UUIDs say what it
                        // is.
                        for _ in 0..<3 where answer.map({ $0.status >= 500 }) ?? true {
                            answer = try? await client.post("/v1/people/anna/samples", json: body)
                        }
                        #expect([200, 201, 409].contains(answer?.status ?? 0), "\(answer?.text ?? "no answer")")
                        if batch == batches / 2 { one.process.kill() }
                    }
                }
            }
            try await group.waitForAll()
        }
        _ = await one.process.status()
        let found = try await client.get("/v1/people/anna/samples?type=stepCount&limit=1000").text
        for number in 0..<batches * 10 {
            let uuid = String(format: "00000000-0000-4000-8000-%012d", number)
            #expect(found.components(separatedBy: uuid).count == 2, "sample \(number)")
        }
        two.process.terminate()
        #expect(await two.process.status() == 0)
    }
}

/// nginx in front of several servers, which ends with the test.
private final class NGINX {
    let port: Int
    private let process = Process()

    init(folder: String, ports: [Int]) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        guard
            let program = ["/usr/sbin/nginx", "/usr/bin/nginx"].first(
                where: FileManager.default.isExecutableFile(atPath:))
        else {
            throw TestServerError(
                "nginx is not installed. make test installs it; apt-get install nginx-light does, too.")
        }
        port = try PostgreSQLServer.freePort()
        let servers = ports.map { "server 127.0.0.1:\($0) max_fails=1 fail_timeout=1s;" }.joined(separator: " ")
        let configuration = """
            daemon off; pid \(folder)/pid; error_log \(folder)/error.log;
            events {}
            http {
                access_log off;
                client_body_temp_path \(folder)/body; proxy_temp_path \(folder)/proxy; fastcgi_temp_path \(folder)/fastcgi;
                uwsgi_temp_path \(folder)/uwsgi; scgi_temp_path \(folder)/scgi;
                upstream health { \(servers) }
                server {
                    listen 127.0.0.1:\(port);
                    location / {
                        proxy_pass http://health;
                        proxy_http_version 1.1;
                        proxy_set_header Host $host;
                        proxy_set_header Connection "";
                        proxy_next_upstream error timeout http_502 http_503 non_idempotent;
                    }
                }
            }
            """
        try Data(configuration.utf8).write(to: URL(fileURLWithPath: folder + "/nginx.conf"))
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = ["-p", folder, "-c", folder + "/nginx.conf", "-e", folder + "/error.log"]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
    }

    /// Waits until requests get an answer.
    func waitUntilReady(_ client: TestClient) async throws {
        while (try? await client.get("/health").status) != 200 {
            guard process.isRunning else { throw TestServerError("nginx did not start.") }
            await Task.yield()
        }
    }

    deinit {
        process.terminate()
        process.waitUntilExit()
    }
}
