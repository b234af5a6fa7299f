import Foundation
import HealthEngine
import HealthModel
import HealthSQL
import HealthStorageSQLite

/// SQL as in `hk sql`, over the store's pages, compared with equivalent SQL over the row table.
///
/// Both use an open connection and a prepared statement.
enum SQLMeasurement {
    /// A query in the SQL of both sides.
    private struct Query {
        var what: String
        var ours: String
        var rows: String
    }

    static func run(_ setting: Setting, _ stores: StepStores) async throws -> Measurement {
        let engine = try HealthEngine(storage: SQLiteStorage(path: stores.store.path))
        let caller = Caller(
            revision: SourceRevisionRecord(source: SourceRecord(bundleIdentifier: "bench", name: "bench")),
            permission: .owner)
        var lines: [Line] = []
        for query in queries(stores.history) {
            let statement = try stores.rows.prepare(query.rows)
            // The comparison runs within one read, because a statement is valid no longer.
            let comparison = try engine.withReader(as: caller) { reading in
                let database = try HealthDatabase(reading, timeZone: .gmt)
                let ours = try database.statement(query.ours)
                let (mine, other) = (try sums(ours), try stores.rows.dailySums(statement))
                guard mine.rows == other.days, abs(mine.total - other.total) < 1e-6 * max(1, abs(other.total)) else {
                    throw BenchError("The results differ: \(mine.rows) rows and \(other.days) rows")
                }
                return try Comparison.runInPlace(pairs: setting.pairs(25), repeats: 2) {
                    let sums = try sums(ours)
                    Sink.consume(Int64(sums.rows), sums.total)
                } other: {
                    let sums = try stores.rows.dailySums(statement)
                    Sink.consume(Int64(sums.days), sums.total)
                }
            }
            lines.append(Line("hk sql, \(query.what) : SQL over the row table", comparison))
        }
        try engine.close()
        return Measurement(lines: lines)
    }

    /// Returns the number of rows and the total of the second column.
    private static func sums(_ statement: SQLStatement) throws -> (rows: Int, total: Double) {
        var (rows, total) = (0, 0.0)
        while try statement.step() {
            rows += 1
            total += statement.real(1)
        }
        return (rows, total)
    }

    private static func queries(_ history: StepHistory) -> [Query] {
        let type = StepHistory.type.rawValue
        // A whole day in the middle.
        let bounds = history.dayBounds
        let (start, end) = (bounds[bounds.count / 2], bounds[bounds.count / 2 + 1])
        // Times in SQL are relative to 1970.
        let shift = Date.timeIntervalBetween1970AndReferenceDate
        return [
            Query(
                what: "count and sum of one day",
                ours:
                    "SELECT count(*), sum(value) FROM step_count WHERE start_time >= \(start + shift) AND start_time < \(end + shift)",
                rows:
                    "SELECT count(*), SUM(value) FROM sample WHERE type = \(type) AND start >= \(Int(start)) AND start < \(Int(end))"
            ),
            Query(
                what: "sums of every day",
                ours: "SELECT day, sum(value) FROM step_count GROUP BY day",
                rows: "SELECT start / 86400 AS day, SUM(value) FROM sample WHERE type = \(type) GROUP BY day"),
            Query(
                what: "sums of every day with its date",
                ours: "SELECT day, sum(value) FROM step_count GROUP BY day",
                rows:
                    "SELECT date(start + 978307200, 'unixepoch') AS day, SUM(value) FROM sample WHERE type = \(type) GROUP BY day"
            ),
        ]
    }
}
