import Foundation
import HealthEngine
import HealthModel
import HealthSQL
import HealthStorageSQLite

/// SQL as people ask it with `hk sql`, over views of the store's pages, against the same of the row table.
///
/// Both are asked over a connection that is open already, by a statement that is prepared already.
enum SQLMeasurement {
    /// A question in the words of both.
    private struct Question {
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
        for question in questions(stores.history) {
            let statement = try stores.rows.prepare(question.rows)
            // The whole comparison is in one reading: a statement lives no longer than that.
            let comparison = try engine.withReader(as: caller) { reading in
                let database = try HealthDatabase(reading, timeZone: .gmt)
                let ours = try database.statement(question.ours)
                let (mine, other) = (try sums(ours), try stores.rows.dailySums(statement))
                guard mine.rows == other.days, abs(mine.total - other.total) < 1e-6 * max(1, abs(other.total)) else {
                    throw BenchError("The answers do not agree: \(mine.rows) rows, \(other.days) rows")
                }
                return try Comparison.runInPlace(pairs: setting.pairs(25), repeats: 2) {
                    let sums = try sums(ours)
                    Sink.take(Int64(sums.rows), sums.total)
                } other: {
                    let sums = try stores.rows.dailySums(statement)
                    Sink.take(Int64(sums.days), sums.total)
                }
            }
            lines.append(Line("hk sql, \(question.what) : SQL over the row table", comparison))
        }
        try engine.close()
        return Measurement(lines: lines)
    }

    /// Rows and the total of the second column.
    private static func sums(_ statement: SQLStatement) throws -> (rows: Int, total: Double) {
        var (rows, total) = (0, 0.0)
        while try statement.step() {
            rows += 1
            total += statement.real(1)
        }
        return (rows, total)
    }

    private static func questions(_ history: StepHistory) -> [Question] {
        let type = StepHistory.type.rawValue
        // A day in the middle, whole days after the first.
        let bounds = history.dayBounds
        let (start, end) = (bounds[bounds.count / 2], bounds[bounds.count / 2 + 1])
        // SQL's times count from 1970.
        let shift = Date.timeIntervalBetween1970AndReferenceDate
        return [
            Question(
                what: "count and sum of one day",
                ours: "SELECT count(*), sum(value) FROM step_count WHERE start_time >= \(start + shift) AND start_time < \(end + shift)",
                rows: "SELECT count(*), SUM(value) FROM sample WHERE type = \(type) AND start >= \(Int(start)) AND start < \(Int(end))"
            ),
            Question(
                what: "sums of every day",
                ours: "SELECT day, sum(value) FROM step_count GROUP BY day",
                rows: "SELECT start / 86400 AS day, SUM(value) FROM sample WHERE type = \(type) GROUP BY day"),
            Question(
                what: "sums of every day with its date",
                ours: "SELECT day, sum(value) FROM step_count GROUP BY day",
                rows: "SELECT date(start + 978307200, 'unixepoch') AS day, SUM(value) FROM sample WHERE type = \(type) GROUP BY day"
            ),
        ]
    }
}
