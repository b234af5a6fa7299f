import Foundation
import HealthEngine
import HealthModel
import HealthStorageSQLite
import Synchronization

/// Many writers and readers of one store at the same time, each with separate connections, as in separate processes.
///
/// Each writer saves batches of ten samples of one step each, so a reader that saw a part of a batch would find a sum
/// that isn't a multiple of ten.
enum LoadMeasurement {
    private static let writers = 8
    private static let readers = 8
    private static let batch = 10
    private static let firstDay = 8_000.0 * StepHistory.day

    static func run(_ setting: Setting) throws -> Measurement {
        let file = try setting.freshStore("load.store")
        let engines = try (0..<writers + readers).map { _ in try HealthEngine(storage: SQLiteStorage(path: file.path)) }
        let seconds = setting.thoroughness == 1 ? 60.0 : 6
        let deadline = Cost.now.wall + seconds
        let saves = LoadTimes()
        let queries = LoadTimes()
        let group = DispatchGroup()
        for (number, engine) in engines.enumerated() {
            group.enter()
            Thread.detachNewThread {
                if number < writers {
                    saves.repeatUntil(deadline) { try save($0, of: number, in: engine) }
                } else {
                    queries.repeatUntil(deadline) { _ in try query(engine) }
                }
                group.leave()
            }
        }
        group.wait()
        for engine in engines { try engine.close() }
        try setting.removeStore(file)
        let failures = saves.failures + queries.failures
        guard saves.times.count > 100, queries.times.count > 100 else {
            throw BenchError("Writers and readers: \(failures.first ?? "too few operations")")
        }
        let what = "\(writers) writers and \(readers) readers"
        func line(_ times: [Double], _ name: String) -> Line {
            let sorted = times.sorted()
            let last = sorted[sorted.count * 99 / 100]
            return Line(
                what: "\(what): \(name), 99 of 100", ours: Figure.time(last),
                spread: "\(sorted.count) in \(Int(seconds)) s, half of them within \(Figure.time(sorted.median))")
        }
        return Measurement(
            lines: [
                line(saves.times, "save of \(batch) samples"), line(queries.times, "sums of a week's days"),
                Line(
                    what: "\(what): errors and partly seen batches", ours: "", figure: Double(failures.count), unit: "",
                    target: .atMost(0)),
            ], notes: Set(failures).sorted().prefix(3).map { "Of the writers and readers: \($0)" })
    }

    private static let caller = Caller(
        revision: SourceRevisionRecord(source: SourceRecord(bundleIdentifier: "bench", name: "bench")),
        permission: .allowAll)

    private static func save(_ number: Int, of writer: Int, in engine: HealthEngine) throws {
        try engine.save(
            (0..<batch).map { index in
                let start = firstDay + Double((number * batch + index) * writers + writer) * 0.02
                return .sample(
                    SampleRecord(type: StepHistory.type, start: start, end: start + 0.01, value: 1, unit: "count"))
            }, as: caller)
    }

    private static func query(_ engine: HealthEngine) throws {
        let bounds = (0...7).map { firstDay + Double($0) * StepHistory.day }
        let request = StatisticsRequest(
            type: StepHistory.type, options: .cumulativeSum, buckets: .bounds { _ in bounds })
        let sum = try engine.statistics(request, as: caller).reduce(0) { $0 + ($1.values.sum ?? 0) }
        guard Int(sum.rounded()) % batch == 0 else { throw BenchError("a part of a batch was seen") }
    }
}

/// How long operations of several threads took, and how they failed.
private final class LoadTimes: Sendable {
    private let state = Mutex((times: [Double](), failures: [String]()))

    var times: [Double] { state.withLock { $0.times } }
    var failures: [String] { state.withLock { $0.failures } }

    func repeatUntil(_ deadline: Double, _ body: (Int) throws -> Void) {
        var (times, failures, number) = ([Double](), [String](), 0)
        var start = Cost.now.wall
        while start < deadline {
            do {
                try body(number)
            } catch {
                failures.append("\(error)")
            }
            let end = Cost.now.wall
            times.append(end - start)
            (start, number) = (end, number + 1)
        }
        state.withLock { state in
            state.times += times
            state.failures += failures
        }
    }
}
