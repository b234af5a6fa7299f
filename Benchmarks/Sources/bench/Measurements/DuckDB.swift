import Foundation
import HealthModel

/// DuckDB's time for the same sums, if python3 has it: for information.
enum DuckDB {
    struct Answer {
        var version: String
        /// Median seconds of the query over a table in memory, warm, on all cores.
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

    /// `nil` when DuckDB is not there.
    static func dailySums(_ columns: SampleColumns, _ setting: Setting) throws -> Answer? {
        let file = setting.data.appendingPathComponent("steps.csv")
        var text = ""
        text.reserveCapacity(columns.starts.count * 24)
        for row in columns.starts.indices {
            text += "\(columns.type.rawValue),\(columns.revisions[row]),\(Int(columns.starts[row])),\(columns.values[row])\n"
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
        let told = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let words = told.split(whereSeparator: \.isWhitespace)
        guard process.terminationStatus == 0, words.count == 2, let seconds = Double(words[1]) else { return nil }
        return Answer(version: String(words[0]), seconds: seconds)
    }
}
