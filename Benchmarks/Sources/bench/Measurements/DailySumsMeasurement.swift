import Foundation
import HealthEngine
import HealthKit
import HealthModel
import HealthStorageSQLite

/// Sums of every day over a million steps of two overlapping sources: ours merged, SQL's not.
enum DailySumsMeasurement {
    private static let sql =
        "SELECT start / 86400 AS day, SUM(value) FROM sample WHERE type = \(StepHistory.type.rawValue) GROUP BY day"

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
            Sink.take(Int64(buckets.count), buckets.last?.values.sum ?? 0)
        }
        func rowSums(_ statement: RowStatement) throws {
            let sums = try stores.rows.dailySums(statement)
            Sink.take(Int64(sums.days), sums.total)
        }
        let byEngine = try await Comparison.run(pairs: setting.pairs(25), repeats: 2) {
            try engineSums()
        } other: {
            try rowSums(statement)
        }
        let byQuery = try await compareQuery(setting, stores) { try rowSums(statement) }

        // What SQLite does when no index is there, or when it has been told that there is one type only.
        let scan = try stores.rows.prepare(Self.sql.replacingOccurrences(of: "sample WHERE", with: "sample NOT INDEXED WHERE"))
        let againstScan = try await Comparison.run(pairs: setting.pairs(25), repeats: 2) {
            try engineSums()
        } other: {
            try rowSums(scan)
        }

        // What a person who cares about this one query can do for SQL: days written down and an index that
        // answers it alone.
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
        var measurement = Measurement(lines: [
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
            measurement.notes.append("DuckDB: not there (python3 with the duckdb package shows its time).")
        }
        return measurement
    }

    /// The same through the interface an application uses; days come from its calendar.
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
            Sink.take(Int64(collection.statistics().count), 0)
        } other: {
            try other()
        }
    }

    /// Both sides answered the same question: as many days, and a merged total between one source's
    /// and all.
    private static func check(
        _ buckets: [StatisticsBucket], _ sums: (days: Int, total: Double), _ history: StepHistory
    ) throws {
        let merged = buckets.reduce(0) { $0 + ($1.values.sum ?? 0) }
        let columns = history.columns
        let watch = columns.starts.indices.reduce(0.0) {
            $0 + (columns.revisions[$1] == 2 ? columns.values[$1] : 0)
        }
        guard buckets.count == sums.days, merged > watch, merged < sums.total else {
            throw BenchError("The sums do not agree: \(buckets.count) days, \(sums.days) days")
        }
    }
}
