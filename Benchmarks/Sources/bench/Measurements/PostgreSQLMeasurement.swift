import Foundation
import HealthEngine
import HealthImport
import HealthModel
import HealthStorage
import HealthStoragePostgreSQL
import HealthStorageSQLite

/// The engine over PostgreSQL on the same machine, compared with the engine over SQLite, and one save with pgbench.
enum PostgreSQLMeasurement {
    private static let caller = Caller(
        revision: SourceRevisionRecord(source: SourceRecord(bundleIdentifier: "bench", name: "bench")),
        permission: .owner)
    /// The people of the database in which a day of one person is asked for.
    private static let people = 10_000

    /// A line of the group, measured on a separate server.
    struct Part: Sendable {
        var name: String
        var measure: @Sendable (Setting, DatabaseServer) async throws -> [Line]

        init(_ name: String, _ measure: @escaping @Sendable (Setting, DatabaseServer) async throws -> [Line]) {
            self.name = name
            self.measure = measure
        }

        /// A line that compares the times of two programs.
        init(
            _ name: String, _ title: String, target: Double,
            _ measure: @escaping @Sendable (Setting, DatabaseServer) async throws -> Comparison
        ) {
            self.init(name) { [Line(title, try await measure($0, $1), target: .atMost(target))] }
        }
    }

    static let parts = [
        Part("database-import", "import export.xml, PostgreSQL : SQLite", target: 2.5, imports),
        Part("database-sums", "daily sums over 1,000,000 samples, PostgreSQL : SQLite", target: 2, sums),
        Part(
            "database-save", "save one sample, engine over PostgreSQL : INSERT with UUID by pgbench", target: 1.5,
            saves),
        Part("database-mix", ColdMixMeasurement.lines),
        Part("database-day", days),
        Part("database-cohort", cohort),
    ]

    static func run(_ setting: Setting, _ part: Part) async throws -> Measurement {
        let server = try DatabaseServer()
        let lines = try await part.measure(setting, server)
        let version = try server.run("psql", ["-Atc", "SELECT version()"])
            .trimmingCharacters(in: .whitespacesAndNewlines)
        return Measurement(lines: lines, notes: part.name == parts[0].name ? [version] : [])
    }

    private static func imports(_ setting: Setting, _ server: DatabaseServer) throws -> Comparison {
        let archive = try Archives(in: setting).xml
        var comparison = Comparison()
        for round in 0...setting.pairs(5) {
            let store = try setting.freshStore("import.store")
            let ours = try MeasuredProcess.run(
                setting.program("hk"),
                ["import", archive.path, "--json", "--store", server.address("p\(round)", schema: "imports")],
                in: setting)
            let other = try MeasuredProcess.run(
                setting.program("hk"), ["import", archive.path, "--json", "--store", store.path], in: setting)
            if round > 0 { comparison.add(ours.cost, other.cost) }
            try setting.removeStore(store)
        }
        return comparison
    }

    private static func sums(_ setting: Setting, _ server: DatabaseServer) async throws -> Comparison {
        let stores = try StepStores(count: 1_000_000, in: setting)
        let file = try SQLiteStorage(path: stores.store.path)
        let database = try PostgreSQLStorage(url: server.address("steps", schema: "sums"))
        _ = try StoreTransfer.copy(from: file, to: database)
        _ = try server.run("psql", ["-c", "VACUUM ANALYZE"])
        return try await DailySumsMeasurement.compare(
            HealthEngine(storage: database), HealthEngine(storage: file), stores.history, setting)
    }

    /// pgbench measures the latency of its own connection; both are one client that waits for each commit, and both find
    /// what they saved by its UUID.
    private static func saves(_ setting: Setting, _ server: DatabaseServer) async throws -> Comparison {
        let table = """
            CREATE TABLE sample (
                id bigserial PRIMARY KEY, uuid uuid UNIQUE NOT NULL DEFAULT gen_random_uuid(), type int4, source int4,
                start_date float8, end_date float8, value float8)
            """
        _ = try server.run("psql", ["-c", table])
        // PostgreSQL's user must be able to read the script.
        let script = FileManager.default.temporaryDirectory.appendingPathComponent("openhealthkit-insert.sql")
        let insert =
            "INSERT INTO sample (type, source, start_date, end_date, value) VALUES (1, 1, random() * 1e9, 7e8, 42);"
        try Data(insert.utf8).write(to: script)
        defer { try? FileManager.default.removeItem(at: script) }
        let engine = try HealthEngine(storage: PostgreSQLStorage(url: server.address("saves", schema: "saves")))
        var start = 700_000_000.0
        func save(_ count: Int) throws -> Double {
            let before = Cost.now
            for _ in 0..<count {
                start += 60
                let sample = SampleRecord(
                    uuid: UUID(), type: StepHistory.type, start: start, end: start + 30, value: 42, unit: "count")
                try engine.save([.sample(sample)], as: caller)
            }
            return (Cost.now - before).wall / Double(count)
        }
        func insertion(_ count: Int) throws -> Double {
            let text = try server.run(
                "pgbench", ["-n", "-M", "prepared", "-c", "1", "-t", "\(count)", "-f", script.path, "postgres"])
            guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix("latency average") }),
                let milliseconds = line.split(separator: " ").compactMap({ Double($0) }).first
            else { throw BenchError("pgbench printed no latency") }
            return milliseconds / 1_000
        }
        _ = try (save(500), insertion(500))
        var comparison = Comparison()
        for _ in 0..<setting.pairs(20) {
            let (ours, other) = try (save(200), insertion(200))
            comparison.add(Cost(wall: ours, processor: ours), Cost(wall: other, processor: other))
        }
        try engine.close()
        return comparison
    }

    /// The same store of 10,000 samples, alone in its tables and among others. One person's day is asked for again and
    /// again, as it is of the only one; and, for comparison, the days of twenty people in turn, whose pages no cache
    /// has at hand.
    private static func days(_ setting: Setting, _ server: DatabaseServer) async throws -> [Line] {
        let history = StepHistory(count: 10_000)
        let count = setting.thoroughness == 1 ? people : people / 10
        let crowd = try database(server, schema: "crowd", of: count, with: history)
        let single = try database(server, schema: "alone", of: 1, with: history)
        let alone = try HealthEngine(storage: single.storage(ofPerson: "p1"))
        let others = try (0..<20).map { try HealthEngine(storage: crowd.storage(ofPerson: "p\(1 + $0 * count / 20)")) }
        let days = history.dayBounds
        func day(_ engine: HealthEngine, _ index: Int) throws {
            let first = index * 37 % (days.count - 1)
            let request = StatisticsRequest(
                type: StepHistory.type,
                filter: .and([.start(.greaterThanOrEqual, days[first]), .start(.lessThan, days[first + 1])]),
                options: .cumulativeSum, buckets: .single)
            Sink.consume(1, try engine.statistics(request, as: caller).first?.values.sum ?? 0)
        }
        func compare(_ engine: (Int) -> HealthEngine) async throws -> Comparison {
            var (ours, other) = (0, 0)
            return try await Comparison.run(pairs: setting.pairs(40), repeats: 100) {
                ours += 1
                try day(engine(ours), ours)
            } other: {
                other += 1
                try day(alone, other)
            }
        }
        for engine in others + [alone] { for index in 0..<50 { try day(engine, index) } }
        let lines = [
            Line(
                "a day of one of \(count) people : of the only one", try await compare { _ in others[10] },
                target: .atMost(1.2)),
            Line(
                "a day of 20 of \(count) people in turn : of the only one",
                try await compare { others[$0 % others.count] }),
        ]
        for database in [crowd, single] { database.close() }
        return lines
    }

    /// Weekly means of a year of steps from two sources, over everybody.
    private static func cohort(_ setting: Setting, _ server: DatabaseServer) async throws -> [Line] {
        let history = StepHistory(count: 20_000, days: 365)
        let count = setting.thoroughness == 1 ? people : people / 10
        try database(server, schema: "cohort", of: count, with: history).close()
        var (seconds, memory) = (Double.infinity, 0)
        for _ in 0..<setting.pairs(3) {
            let run = try MeasuredProcess.run(
                setting.program("hk"),
                [
                    "cohort", "steps", "--data", server.address(schema: "cohort"), "--every", "week", "--from", "2016",
                    "--to", "2016",
                    "--time-zone", "UTC", "--format", "csv",
                ], in: setting)
            guard run.output.split(separator: "\n").count > 50 else { throw BenchError("hk cohort: \(run.output)") }
            seconds = min(seconds, run.cost.wall)
            memory = max(memory, run.peakMemory)
        }
        let what = "hk cohort, weekly means of \(count) people with 20,000 samples each"
        return [
            Line(
                what: what, ours: Figure.time(seconds), figure: seconds, unit: "s",
                target: .atMost(60 * Double(count) / Double(people))),
            Line(
                what: "\(what): memory of hk", ours: "", figure: Double(memory) / 1e6, unit: "MB", target: .atMost(300)),
        ]
    }

    /// A database in which each of `count` people has the same samples.
    private static func database(
        _ server: DatabaseServer, schema: String, of count: Int, with history: StepHistory
    ) throws -> PostgreSQLDatabase {
        let database = try PostgreSQLDatabase(PostgreSQLAddress(server.address(schema: schema)))
        let engine = try HealthEngine(storage: database.storage(ofPerson: "p1"))
        _ = try BulkImport(engine: engine).commit(
            BulkBatch(columns: [history.columns], dictionaries: history.dictionaries))
        let tables = ["store", "page", "page_span", "source", "revision", "device", "unit", "setting"]
        let copies = tables.map { table in
            """
            CREATE TEMP TABLE one AS SELECT * FROM \(schema).\(table);
            ALTER TABLE one DROP COLUMN person;
            INSERT INTO \(schema).\(table) SELECT n, one.* FROM generate_series(2, \(count)) n, one;
            DROP TABLE one;
            """
        }
        let named =
            "INSERT INTO \(schema).person (person, name) SELECT n, 'p' || n FROM generate_series(2, \(count)) n;"
        if count > 1 { _ = try server.run("psql", ["-c", "BEGIN;" + named + copies.joined() + "COMMIT;"]) }
        _ = try server.run("psql", ["-c", "VACUUM ANALYZE"])
        return database
    }
}
