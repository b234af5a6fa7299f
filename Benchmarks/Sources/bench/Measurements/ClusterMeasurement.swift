import Foundation
import HealthEngine
import HealthImport
import HealthModel
import HealthStorage
import HealthStoragePostgreSQL

/// A cluster of PostgreSQL with Citus compared with one server, and two of our servers behind nginx compared with one.
///
/// Nothing installs Citus: `OPENHEALTHKIT_CITUS` has the address of a database on a coordinator with two workers, such as
/// `postgresql://postgres@localhost:5433/bench`, without parameters, in which the schema `bench` is created and removed.
enum ClusterMeasurement {
    private static let variable = "OPENHEALTHKIT_CITUS"
    private static let writers = 8
    private static let people = 960
    private static let seconds = 3

    /// A database, and the address of its people.
    private struct Place {
        let address: String
        let database: PostgreSQLDatabase

        init(_ address: String) throws {
            self.address = address
            database = try PostgreSQLDatabase(PostgreSQLAddress(address))
        }

        /// Adds people `p1`, `p2` …, each with a year of steps from two sources.
        func fill(_ count: Int) throws {
            let history = StepHistory(count: 20_000, days: 365)
            for person in 1...count {
                let engine = try HealthEngine(storage: database.storage(ofPerson: "p\(person)"))
                _ = try BulkImport(engine: engine).commit(
                    BulkBatch(columns: [history.columns], dictionaries: history.dictionaries))
            }
        }
    }

    static func run(_ setting: Setting) throws -> Measurement {
        let server = try DatabaseServer()
        let count = setting.thoroughness == 1 ? people : people / 10
        let plain = try Place(server.address(schema: "bench"))
        defer { plain.database.close() }
        try plain.fill(count)
        let several = try servers(plain, setting)
        guard let cluster = ProcessInfo.processInfo.environment[variable] else {
            return Measurement(
                lines: several + [Line(what: "Citus : PostgreSQL", ours: "needs Citus")],
                notes: ["Set \(variable) to the address of a database on a coordinator of Citus with two workers."])
        }
        defer { _ = try? drop(cluster, server) }
        try drop(cluster, server)
        let citus = try Place(cluster + "?schema=bench")
        defer { citus.database.close() }
        try citus.fill(count)
        return Measurement(
            lines: try several + saves(citus, plain, setting) + weeks(citus, plain, count, setting)
                + [cohort(citus, plain, count, setting), imports(citus, plain, setting)])
    }

    private static func drop(_ cluster: String, _ server: DatabaseServer) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "\(server.programs)/psql")
        process.arguments = ["-qc", "DROP SCHEMA IF EXISTS bench CASCADE", cluster]
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw BenchError("psql can't use \(variable)") }
    }

    // MARK: Citus

    private static func serving<Value>(
        _ place: Place, _ setting: Setting, _ body: (_ port: Int, _ token: String) throws -> Value
    ) throws -> Value {
        let server = try RunningServer(["--data", place.address], in: setting)
        defer { server.stop() }
        return try body(server.port, server.token("--owner"))
    }

    private static func saves(_ citus: Place, _ plain: Place, _ setting: Setting) throws -> [Line] {
        try serving(citus, setting) { port, token in
            try serving(plain, setting) { plainPort, plainToken in
                let comparison = try saves(
                    Saving(port, token), Saving(plainPort, plainToken), setting)
                return [
                    Line(
                        "saves over HTTP, \(writers) at a time, Citus : PostgreSQL", rate: comparison,
                        of: writers, target: .atLeast(0.6))
                ]
            }
        }
    }

    private static func saves(_ ours: Saving, _ other: Saving, _ setting: Setting) throws -> Comparison {
        // A server that has just been started asks for more.
        for saving in [ours, other] { for _ in 0..<20 { try saving.saveOnce() } }
        return try Comparison.runInPlace(
            pairs: setting.pairs(10), repeats: 40, ours: ours.saveOnce, other: other.saveOnce)
    }

    private static func weeks(_ citus: Place, _ plain: Place, _ count: Int, _ setting: Setting) throws -> [Line] {
        try serving(citus, setting) { port, token in
            try serving(plain, setting) { plainPort, plainToken in
                func load(_ port: Int, _ token: String) throws -> Load {
                    try Load.run(
                        .anyone(people: count), port: port, token: token, seconds: seconds, connections: 8, setting)
                }
                return try LoadComparison.run(pairs: setting.pairs(5)) { _ in
                    try load(port, token)
                } other: {
                    try load(plainPort, plainToken)
                }.lines("a week of steps, 8 at a time, Citus : PostgreSQL", atLeast: 0.5, atMost: nil)
            }
        }
    }

    private static func cohort(_ citus: Place, _ plain: Place, _ count: Int, _ setting: Setting) throws -> Line {
        func read(_ place: Place) throws -> Cost {
            let range = ["--from", "2016", "--to", "2016", "--time-zone", "UTC", "--format", "csv"]
            return try MeasuredProcess.run(
                setting.program("hk"), ["cohort", "steps", "--data", place.address, "--every", "week"] + range,
                in: setting
            ).cost
        }
        var comparison = Comparison()
        for round in 0...setting.pairs(3) {
            let (ours, other) = try (read(citus), read(plain))
            if round > 0 { comparison.add(ours, other) }
        }
        return Line("hk cohort, weekly means of \(count) people, Citus : PostgreSQL", comparison, target: .atMost(2))
    }

    private static func imports(_ citus: Place, _ plain: Place, _ setting: Setting) throws -> Line {
        let archive = try Archives(in: setting).xml
        func read(_ place: Place, _ round: Int) throws -> Cost {
            try MeasuredProcess.run(
                setting.program("hk"),
                ["import", archive.path, "--json", "--store", "\(place.address)&person=i\(round)"], in: setting
            ).cost
        }
        var comparison = Comparison()
        for round in 0...setting.pairs(5) {
            let (ours, other) = try (read(citus, round), read(plain, round))
            if round > 0 { comparison.add(ours, other) }
        }
        return Line("import export.xml, Citus : PostgreSQL", comparison, target: .atMost(1.5))
    }

    // MARK: Several servers

    /// nginx in front of both, so that only their number differs. Each server is limited to a fifth of a core, so that
    /// the database, nginx and the load have what they need on the same machine.
    private static func servers(_ place: Place, _ setting: Setting) throws -> [Line] {
        let program = URL(fileURLWithPath: "/usr/sbin/nginx")
        let what = "two servers with a fifth of a core each : one"
        guard FileManager.default.isExecutableFile(atPath: program.path) else {
            return [Line(what: what, ours: "needs nginx")]
        }
        guard let limits = ProcessorLimit.groups(2, cores: 0.2) else {
            return [Line(what: what, ours: "needs control groups")]
        }
        defer { for limit in limits { limit.remove() } }
        let first = try RunningServer(["--data", place.address], in: setting)
        defer { first.stop() }
        let second = try RunningServer(["--data", place.address], in: setting)
        defer { second.stop() }
        try first.program.setLimit(limits[0])
        try second.program.setLimit(limits[1])
        let token = try first.token("--owner")
        let ports = (two: 54_330, one: 54_331)
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("openhealthkit-nginx")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("nginx.conf")
        func proxy(_ name: String, _ port: Int, _ servers: [RunningServer]) -> String {
            let addresses = servers.map { "server 127.0.0.1:\($0.port);" }.joined()
            return "upstream \(name) { \(addresses) keepalive 64; } server { listen 127.0.0.1:\(port); location / { "
                + "proxy_pass http://\(name); proxy_http_version 1.1; proxy_set_header Connection \"\"; "
                + "proxy_set_header Host $http_host; } }\n"
        }
        let text =
            "daemon off; pid \(folder.path)/pid; error_log stderr crit; events {}\nhttp { access_log off;\n"
            + proxy("two", ports.two, [first, second]) + proxy("one", ports.one, [first]) + "}\n"
        try Data(text.utf8).write(to: file)
        let nginx = try RunningProgram(program, ["-p", folder.path, "-c", file.path])
        defer { nginx.stop() }
        try waitUntilOpen(ports.one)
        func load(_ port: Int) throws -> Load {
            try Load.run(.anyone(people: 90), port: port, token: token, seconds: seconds, setting)
        }
        let reads = try LoadComparison.run(pairs: setting.pairs(5)) { _ in
            try load(ports.two)
        } other: {
            try load(ports.one)
        }
        let saved = try saves(Saving(ports.two, token), Saving(ports.one, token), setting)
        return reads.lines("a week of steps, \(what)", atLeast: 1.5, atMost: nil) + [
            Line("saves over HTTP, \(what)", rate: saved, of: writers, target: .atLeast(1.5))
        ]
    }

    private static func waitUntilOpen(_ port: Int) throws {
        let deadline = Cost.now.wall + 5
        while (try? HTTPConnection(port: port)) == nil {
            guard Cost.now.wall < deadline else { throw BenchError("nginx doesn't start") }
            usleep(20_000)
        }
    }

    /// Saves of one sample by several people at a time.
    private final class Saving {
        private let connections: [HTTPConnection]
        private let token: String
        private var minute = 0

        init(_ port: Int, _ token: String) throws {
            connections = try (0..<writers).map { _ in try HTTPConnection(port: port) }
            self.token = token
        }

        func saveOnce() throws {
            minute += 1
            let start = Date(timeIntervalSinceReferenceDate: 780_000_000 + Double(minute) * 60)
            for (number, connection) in connections.enumerated() {
                let sample =
                    "[{\"uuid\":\"\(UUID().uuidString)\",\"type\":\"stepCount\",\"startDate\":\"\(start.formatted(.iso8601))\","
                    + "\"quantity\":1,\"unit\":\"count\"}]"
                try connection.send(
                    HTTPConnection.request(
                        "POST", "/v1/people/p\(number + 1)/samples", token: token, body: Array(sample.utf8)))
            }
            for connection in connections { try connection.receive() }
        }
    }
}
