import Foundation
import HealthEngine
import HealthModel
import HealthStorage
import HealthStoragePostgreSQL
import HealthStorageSQLite

/// The engine over PostgreSQL on the same machine, compared with the engine over SQLite, and one save with pgbench.
enum PostgreSQLMeasurement {
    private static let caller = Caller(
        revision: SourceRevisionRecord(source: SourceRecord(bundleIdentifier: "bench", name: "bench")), permission: .owner)
    /// The people of the database in which a day of one person is asked for.
    private static let people = 10_000

    static func run(_ setting: Setting) async throws -> Measurement {
        let server = try DatabaseServer()
        let stores = try StepStores(count: 1_000_000, in: setting)
        return Measurement(
            lines: [
                Line("import export.xml, PostgreSQL : SQLite", try imports(setting, server), target: .atMost(2.5)),
                Line("daily sums over 1,000,000 samples, PostgreSQL : SQLite", try await sums(setting, server, stores), target: .atMost(2)),
                Line("save one sample, engine over PostgreSQL : INSERT by pgbench", try await saves(setting, server), target: .atMost(1.5)),
                Line("a day of one of \(people) people : of the only one", try await days(setting, server), target: .atMost(1.2)),
            ],
            notes: [try server.run("psql", ["-Atc", "SELECT version()"]).trimmingCharacters(in: .whitespacesAndNewlines)])
    }

    private static func imports(_ setting: Setting, _ server: DatabaseServer) throws -> Comparison {
        let archive = try Archives(in: setting).xml
        var comparison = Comparison()
        for round in 0...setting.pairs(5) {
            let store = try setting.freshStore("import.store")
            let ours = try MeasuredProcess.run(
                setting.program("hk"),
                ["import", archive.path, "--json", "--store", server.address("p\(round)", schema: "imports")], in: setting)
            let other = try MeasuredProcess.run(
                setting.program("hk"), ["import", archive.path, "--json", "--store", store.path], in: setting)
            if round > 0 { comparison.add(ours.cost, other.cost) }
            try setting.removeStore(store)
        }
        return comparison
    }

    private static func sums(_ setting: Setting, _ server: DatabaseServer, _ stores: StepStores) async throws -> Comparison {
        let file = try SQLiteStorage(path: stores.store.path)
        let database = try PostgreSQLStorage(url: server.address("steps", schema: "sums"))
        _ = try StoreTransfer.copy(from: file, to: database)
        _ = try server.run("psql", ["-c", "VACUUM ANALYZE"])
        let engines = try [HealthEngine(storage: database), HealthEngine(storage: file)]
        let bounds = stores.history.dayBounds
        let request = StatisticsRequest(type: StepHistory.type, options: .cumulativeSum, buckets: .bounds { _ in bounds })
        func sums(_ engine: HealthEngine) throws {
            let buckets = try engine.statistics(request, as: caller)
            Sink.consume(Int64(buckets.count), buckets.last?.values.sum ?? 0)
        }
        let comparison = try await Comparison.run(pairs: setting.pairs(25), repeats: 2) {
            try sums(engines[0])
        } other: {
            try sums(engines[1])
        }
        for engine in engines { try engine.close() }
        return comparison
    }

    /// pgbench measures the latency of its own connection; both are one client that waits for each commit.
    private static func saves(_ setting: Setting, _ server: DatabaseServer) async throws -> Comparison {
        let table = """
            CREATE TABLE sample (id bigserial PRIMARY KEY, type int4, source int4, start_date float8, end_date float8, value float8)
            """
        _ = try server.run("psql", ["-c", table])
        // PostgreSQL's user must be able to read the script.
        let script = FileManager.default.temporaryDirectory.appendingPathComponent("openhealthkit-insert.sql")
        let insert = "INSERT INTO sample (type, source, start_date, end_date, value) VALUES (1, 1, random() * 1e9, 7e8, 42);"
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
            let text = try server.run("pgbench", ["-n", "-M", "prepared", "-c", "1", "-t", "\(count)", "-f", script.path, "postgres"])
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

    /// The same store of 10,000 samples, alone in its tables and among others.
    private static func days(_ setting: Setting, _ server: DatabaseServer) async throws -> Comparison {
        let history = StepHistory(count: 10_000)
        let schemas = ["alone", "crowd"]
        let databases = try schemas.map { try PostgreSQLDatabase(PostgreSQLAddress(server.address(schema: $0))) }
        for database in databases {
            let engine = try HealthEngine(storage: database.storage(ofPerson: "p1"))
            _ = try BulkImport(engine: engine).commit(BulkBatch(columns: [history.columns], dictionaries: history.dictionaries))
        }
        let count = setting.thoroughness == 1 ? people : people / 10
        let tables = ["store", "page", "page_span", "source", "revision", "device", "unit", "setting"]
        let copies = tables.map { table in
            """
            CREATE TEMP TABLE one AS SELECT * FROM crowd.\(table);
            ALTER TABLE one DROP COLUMN person;
            INSERT INTO crowd.\(table) SELECT n, one.* FROM generate_series(2, \(count)) n, one;
            DROP TABLE one;
            """
        }
        let named = "INSERT INTO crowd.person (person, name) SELECT n, 'p' || n FROM generate_series(2, \(count)) n;"
        _ = try server.run("psql", ["-c", "BEGIN;" + named + copies.joined() + "COMMIT;"])
        _ = try server.run("psql", ["-c", "VACUUM ANALYZE"])
        let alone = try HealthEngine(storage: databases[0].storage(ofPerson: "p1"))
        let others = try (0..<20).map { try HealthEngine(storage: databases[1].storage(ofPerson: "p\(1 + $0 * count / 20)")) }
        let days = history.dayBounds
        func day(_ engine: HealthEngine, _ index: Int) throws {
            let first = index * 37 % (days.count - 1)
            let request = StatisticsRequest(
                type: StepHistory.type, filter: .and([.start(.greaterThanOrEqual, days[first]), .start(.lessThan, days[first + 1])]),
                options: .cumulativeSum, buckets: .single)
            Sink.consume(1, try engine.statistics(request, as: caller).first?.values.sum ?? 0)
        }
        var index = 0
        let comparison = try await Comparison.run(pairs: setting.pairs(40), repeats: 40) {
            index += 1
            try day(others[index % others.count], index)
        } other: {
            index += 1
            try day(alone, index)
        }
        for database in databases { database.close() }
        return comparison
    }
}
