import Foundation
import HealthEngine
import HealthKit
import HealthModel
import HealthStorageSQLite

/// Daily sums of a million steps from two overlapping sources; ours merges the sources, SQL does not.
enum DailySumsMeasurement {
    private static let sql =
        "SELECT start / 86400 AS day, SUM(value) FROM sample WHERE type = \(StepHistory.type.rawValue) GROUP BY day"

    /// The daily sums of the same steps in two open stores, which are closed then.
    static func compare(_ ours: HealthEngine, _ other: HealthEngine, _ history: StepHistory, _ setting: Setting)
        async throws -> Comparison
    {
        let caller = Caller(
            revision: SourceRevisionRecord(source: SourceRecord(bundleIdentifier: "bench", name: "bench")),
            permission: .owner)
        let bounds = history.dayBounds
        let request = StatisticsRequest(
            type: StepHistory.type, options: .cumulativeSum, buckets: .bounds { _ in bounds })
        func sums(_ engine: HealthEngine) throws {
            let buckets = try engine.statistics(request, as: caller)
            Sink.consume(Int64(buckets.count), buckets.last?.values.sum ?? 0)
        }
        let comparison = try await Comparison.run(pairs: setting.pairs(25), repeats: 2) {
            try sums(ours)
        } other: {
            try sums(other)
        }
        try ours.close()
        try other.close()
        return comparison
    }

    static func run(_ setting: Setting, _ stores: StepStores) async throws -> Measurement {
        let history = stores.history
        let engine = try HealthEngine(storage: SQLiteStorage(path: stores.store.path))
        let caller = Caller(
            revision: SourceRevisionRecord(source: SourceRecord(bundleIdentifier: "bench", name: "bench")),
            permission: .owner)
        let bounds = history.dayBounds
        let request = StatisticsRequest(
            type: StepHistory.type, options: .cumulativeSum, buckets: .bounds { _ in bounds })
        let statement = try stores.rows.prepare(Self.sql)
        let plan = try stores.rows.plan(of: Self.sql)
        try check(engine.statistics(request, as: caller), stores.rows.dailySums(statement), history)

        func engineSums() throws {
            let buckets = try engine.statistics(request, as: caller)
            Sink.consume(Int64(buckets.count), buckets.last?.values.sum ?? 0)
        }
        func rowSums(_ statement: RowStatement) throws {
            let sums = try stores.rows.dailySums(statement)
            Sink.consume(Int64(sums.days), sums.total)
        }
        let byEngine = try await Comparison.run(pairs: setting.pairs(25), repeats: 2) {
            try engineSums()
        } other: {
            try rowSums(statement)
        }
        let byQuery = try await compareQuery(setting, stores) { try rowSums(statement) }

        // SQLite without an index, which also corresponds to a table of one type.
        let scan = try stores.rows.prepare(
            Self.sql.replacingOccurrences(of: "sample WHERE", with: "sample NOT INDEXED WHERE"))
        let againstScan = try await Comparison.run(pairs: setting.pairs(25), repeats: 2) {
            try engineSums()
        } other: {
            try rowSums(scan)
        }

        // SQL tuned for this one query, with a stored day and a covering index.
        try stores.rows.run(
            "ALTER TABLE sample ADD COLUMN day INTEGER; UPDATE sample SET day = start / 86400;"
                + "CREATE INDEX sample_type_day ON sample (type, day, value)")
        let tuned = try stores.rows.prepare(
            "SELECT day, SUM(value) FROM sample WHERE type = \(StepHistory.type.rawValue) GROUP BY day")
        let againstTuned = try await Comparison.run(pairs: setting.pairs(25), repeats: 2) {
            try engineSums()
        } other: {
            try rowSums(tuned)
        }
        try engine.close()
        var measurement = Measurement(
            lines: [
                Line("daily sums, engine, merged : SQL GROUP BY day", faster: byEngine, target: .atLeast(15)),
                Line("daily sums, HKStatisticsCollection : SQL", faster: byQuery, target: .atLeast(15)),
                Line("daily sums, engine : SQL scanning the table", faster: againstScan),
                Line("daily sums, engine : SQL with a stored day and covering index", faster: againstTuned),
            ], notes: ["SQLite's plan for the daily sums: \(plan)."])
        if let duck = try DuckDB.dailySums(history.columns, setting) {
            measurement.lines.append(
                Line(
                    what: "daily sums, engine, merged : DuckDB \(duck.version), not merged",
                    ours: Figure.time(byEngine.oursWall), other: Figure.time(duck.seconds),
                    figure: byEngine.oursWall / duck.seconds))
        } else {
            measurement.notes.append("DuckDB was not measured: python3 can't import duckdb.")
        }
        return measurement
    }

    /// Compares the HealthKit query that an application uses, with days from its calendar.
    private static func compareQuery(
        _ setting: Setting, _ stores: StepStores, other: () throws -> Void
    ) async throws -> Comparison {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let store = HKHealthStore(
            configuration: .init(location: .file(stores.store), authorization: .allowAll, calendar: calendar))
        let descriptor = HKStatisticsCollectionQueryDescriptor(
            predicate: .quantitySample(type: HKQuantityType(.stepCount)), options: .cumulativeSum,
            anchorDate: Date(timeIntervalSinceReferenceDate: stores.history.firstDay),
            intervalComponents: DateComponents(calendar: calendar, day: 1))
        return try await Comparison.run(pairs: setting.pairs(25), repeats: 2) {
            let collection = try await descriptor.result(for: store)
            Sink.consume(Int64(collection.statistics().count), 0)
        } other: {
            try other()
        }
    }

    /// Checks that both sides have the same days, and that the merged total is between that of one source and that
    /// of both.
    private static func check(
        _ buckets: [StatisticsBucket], _ sums: (days: Int, total: Double), _ history: StepHistory
    ) throws {
        let merged = buckets.reduce(0) { $0 + ($1.values.sum ?? 0) }
        let columns = history.columns
        let watch = columns.starts.indices.reduce(0.0) {
            $0 + (columns.revisions[$1] == 2 ? columns.values[$1] : 0)
        }
        guard buckets.count == sums.days, merged > watch, merged < sums.total else {
            throw BenchError("The sums differ: \(buckets.count) days and \(sums.days) days")
        }
    }
}

/// DuckDB's time for the same sums, if python3 can import it; for information only.
enum DuckDB {
    struct Answer {
        var version: String
        /// The median time of the query over an in-memory table, warm and on all cores, in seconds.
        var seconds: Double
    }

    private static let script = """
        import statistics, sys, time
        import duckdb
        connection = duckdb.connect()
        connection.execute("CREATE TABLE sample (type INTEGER, source INTEGER, start BIGINT, value DOUBLE)")
        connection.execute("COPY sample FROM '" + sys.argv[1] + "' (HEADER false)")
        query = "SELECT start // 86400 AS day, SUM(value) FROM sample WHERE type = " + sys.argv[2] + " GROUP BY day"
        times = []
        for _ in range(41):
            before = time.perf_counter()
            connection.execute(query).fetchall()
            times.append(time.perf_counter() - before)
        print(duckdb.__version__, statistics.median(times[1:]))
        """

    /// Measures the daily sums, or returns `nil` if DuckDB is not available.
    static func dailySums(_ columns: SampleColumns, _ setting: Setting) throws -> Answer? {
        let file = setting.data.appendingPathComponent("steps.csv")
        var text = ""
        text.reserveCapacity(columns.starts.count * 24)
        for row in columns.starts.indices {
            text +=
                "\(columns.type.rawValue),\(columns.revisions[row]),\(Int(columns.starts[row])),\(columns.values[row])\n"
        }
        try text.write(to: file, atomically: false, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: file) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", "-c", script, file.path, "\(columns.type.rawValue)"]
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        let printed = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let words = printed.split(whereSeparator: \.isWhitespace)
        guard process.terminationStatus == 0, words.count == 2, let seconds = Double(words[1]) else { return nil }
        return Answer(version: String(words[0]), seconds: seconds)
    }
}
