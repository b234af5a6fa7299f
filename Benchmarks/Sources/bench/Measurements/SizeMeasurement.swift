import Foundation
import HealthEngine
import HealthImport
import HealthModel
import HealthStorageSQLite

/// What a longer history costs: a day of it, opening it, keeping it open; and a whole process that answers for a week.
enum SizeMeasurement {
    /// The samples of a day, in histories of any length.
    private static let samplesPerDay = 2_740
    private static let caller = Caller(
        revision: SourceRevisionRecord(source: SourceRecord(bundleIdentifier: "bench", name: "bench")),
        permission: .owner)

    static func run(_ setting: Setting) async throws -> Measurement {
        var lines: [Line] = []
        let small = try store(100_000, setting)
        let sizes = setting.thoroughness == 1 ? [10_000_000, 100_000_000] : [10_000_000]
        for size in sizes {
            let large = try store(size, setting)
            let name = "\(size / 1_000_000) million samples"
            lines.append(
                Line("a day of \(name) : of 100,000", try await days(large, small, setting), target: .atMost(1.2)))
            let opening = try await Comparison.run(pairs: setting.pairs(20)) {
                try open(large.file)
            } other: {
                try open(small.file)
            }
            lines.append(
                Line(
                    what: "open a store of \(name) : of 100,000", ours: Figure.time(opening.oursWall),
                    other: Figure.time(opening.otherWall), figure: opening.oursWall * 1e3, unit: "ms",
                    target: .atMost(20)))
            if size == sizes[0] { lines.append(try idle(large.file, name, setting)) }
            try setting.removeStore(large.file)
        }
        try setting.removeStore(small.file)
        lines += try week(setting)
        return Measurement(lines: lines)
    }

    private struct Stored {
        var file: URL
        var firstDay: Int
        var dayCount: Int
    }

    private static func store(_ count: Int, _ setting: Setting) throws -> Stored {
        let file = try setting.freshStore("size-\(count).store")
        let engine = try HealthEngine(storage: SQLiteStorage(path: file.path))
        // In parts, because the history of one part is in memory.
        let part = min(count, 10_000_000)
        let days = max(1, part / samplesPerDay)
        var firstDay = 5_479
        for _ in 0..<count / part {
            let history = StepHistory(count: part, days: days, firstDay: firstDay)
            _ = try BulkImport(engine: engine).commit(
                BulkBatch(columns: [history.columns], dictionaries: history.dictionaries))
            firstDay += days
        }
        try engine.close()
        return Stored(file: file, firstDay: 5_479, dayCount: firstDay - 5_479)
    }

    private static func days(_ large: Stored, _ small: Stored, _ setting: Setting) async throws -> Comparison {
        let engines = try [large, small].map { try HealthEngine(storage: SQLiteStorage(path: $0.file.path)) }
        func day(_ store: Stored, _ engine: HealthEngine, _ index: Int) throws {
            // The days of both have been read before as often: the same thirty, somewhere in the history.
            let first = Double(store.firstDay + (store.dayCount - 31) / 2 + index % 30) * StepHistory.day
            let request = StatisticsRequest(
                type: StepHistory.type,
                filter: .and([.start(.greaterThanOrEqual, first), .start(.lessThan, first + StepHistory.day)]),
                options: .cumulativeSum, buckets: .single)
            Sink.consume(1, try engine.statistics(request, as: caller).first?.values.sum ?? 0)
        }
        var (ours, other) = (0, 0)
        let comparison = try await Comparison.run(pairs: setting.pairs(25), repeats: 60) {
            ours += 1
            try day(large, engines[0], ours)
        } other: {
            other += 1
            try day(small, engines[1], other)
        }
        for engine in engines { try engine.close() }
        return comparison
    }

    private static func open(_ file: URL) throws {
        let engine = try HealthEngine(storage: SQLiteStorage(path: file.path))
        Sink.consume(1, Double(try engine.dictionaries().units.count))
        try engine.close()
    }

    /// The memory of a program that follows a store in which nothing happens.
    private static func idle(_ file: URL, _ name: String, _ setting: Setting) throws -> Line {
        let program = try RunningProgram(setting.program("hk"), ["daemon", "--store", file.path])
        sleep(3)
        let memory = try program.residentBytes()
        program.stop()
        return Line(
            what: "hk daemon, idle, with a store of \(name): memory", ours: "", figure: Double(memory) / 1e6,
            unit: "MB",
            target: .atMost(30))
    }

    /// The sums of a week's days, as whole processes.
    private static func week(_ setting: Setting) throws -> [Line] {
        let stores = try StepStores(count: 1_000_000, in: setting)
        let first = stores.history.firstDay + 1_520 * StepHistory.day
        let sql = """
            SELECT start / 86400, sum(value) FROM sample WHERE type = \(StepHistory.type.rawValue) AND start >= \(Int(first))
            AND start < \(Int(first + 7 * StepHistory.day)) GROUP BY 1
            """
        let days = [first, first + 6 * StepHistory.day].map {
            String(Date(timeIntervalSinceReferenceDate: $0).formatted(.iso8601).prefix(10))
        }
        let arguments = [
            "stats", "steps", "--every", "day", "--from", days[0], "--to", days[1], "--time-zone", "UTC", "--store",
            stores.store.path,
        ]
        var comparison = Comparison()
        for round in 0...setting.pairs(30) {
            let ours = try MeasuredProcess.run(setting.program("hk"), arguments, in: setting)
            let other = try MeasuredProcess.run(
                URL(fileURLWithPath: "/usr/bin/sqlite3"), [stores.table.path, sql], in: setting)
            guard other.output.split(separator: "\n").count == 7, ours.output.contains(days[0]) else {
                throw BenchError("hk stats: \(ours.output)")
            }
            if round > 0 { comparison.add(ours.cost, other.cost) }
        }
        let name = "hk stats of a week, as a process"
        return [
            Line("\(name) : sqlite3 over the row table", comparison, target: .atMost(8)),
            Line(
                what: "\(name): processor time", ours: Figure.time(comparison.oursProcessor),
                figure: comparison.oursProcessor * 1e3, unit: "ms", target: .atMost(25)),
        ]
    }
}
