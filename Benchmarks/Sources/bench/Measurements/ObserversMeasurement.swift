import Foundation
import Glibc
import HealthEngine
import HealthKit
import HealthModel
import HealthStorageSQLite
import Synchronization

/// Two hundred observers of fifty types: how long until all observers of a type are notified of another process's
/// commit, and what they use while nothing happens.
enum ObserversMeasurement {
    private static let observersPerType = 4
    private static let idleSeconds: UInt32 = 10
    private static let types = Array(
        TypeCatalog.all.filter { $0.kind == .quantity && $0.canonicalUnit != nil }.prefix(50))
    /// Tells a second process of this program which store it writes into.
    private static let variable = "BENCH_WRITER_STORE"

    static func run(_ setting: Setting) throws -> Measurement {
        let file = try setting.freshStore("observers.store")
        try HealthEngine(storage: SQLiteStorage(path: file.path)).close()
        let store = HKHealthStore(configuration: .init(location: .file(file), authorization: .allowAll))
        let calls = CallTimes()
        let queries = types.flatMap { type in
            (0..<observersPerType).map { _ in
                HKObserverQuery(
                    sampleType: HKQuantityType(HKQuantityTypeIdentifier(rawValue: type.identifier)), predicate: nil
                ) { _, completion, _ in
                    calls.add(type.identifier, Cost.now.wall)
                    completion()
                }
            }
        }
        for query in queries { store.execute(query) }
        let writer = try WriterProcess(setting.program("bench"), [variable: file.path])
        // The first commits only warm up.
        let count = setting.pairs(200) + 20
        var latencies: [Double] = []
        for round in 0..<count {
            let type = types[round % types.count].identifier
            calls.reset(type)
            // Somewhere between two looks at the store.
            usleep(UInt32(round * 37_000 % 211_000))
            let committed = try writer.commit(round % types.count)
            let heard = try calls.last(of: type, count: observersPerType)
            if round >= 20 { latencies.append(heard - committed) }
        }
        sleep(1)
        let before = Cost.now
        sleep(idleSeconds)
        let idle = Cost.now - before
        for query in queries { store.stop(query) }
        writer.end()
        try setting.removeStore(file)
        let sorted = latencies.sorted()
        let last = sorted[min(sorted.count - 1, sorted.count * 99 / 100)]
        let share = idle.processor / idle.wall * 100
        return Measurement(
            lines: [
                Line(
                    what: "200 observers: all of a type are notified of another process's commit, 99 of 100",
                    ours: Figure.time(last),
                    figure: last * 1e3, unit: "ms", target: .atMost(500),
                    spread:
                        "\(sorted.count) commits, \(Figure.time(sorted.first ?? .nan)) to \(Figure.time(sorted.last ?? .nan))"
                ),
                Line(
                    what: "processor time of 200 idle observers, of one core", ours: String(format: "%.2f %%", share),
                    figure: share, unit: "%", target: .atMost(0.5)),
            ], notes: ["Idle observers are measured for \(idleSeconds) seconds."])
    }

    /// Writes samples for another process of this program, if this is its writer: one for each line of standard input,
    /// which is the index of a type. Prints when each commit returned.
    static func writeIfAsked() throws -> Bool {
        guard let path = ProcessInfo.processInfo.environment[variable] else { return false }
        let engine = try HealthEngine(storage: SQLiteStorage(path: path))
        let caller = Caller(
            revision: SourceRevisionRecord(source: SourceRecord(bundleIdentifier: "bench", name: "bench")),
            permission: .allowAll)
        var instant = 0.0
        while let line = readLine(), let index = Int(line) {
            let type = types[index]
            instant += 60
            try engine.save(
                [
                    .sample(
                        SampleRecord(
                            type: type.code, start: instant, end: instant, value: 1, unit: type.canonicalUnit ?? ""))
                ],
                as: caller)
            print(Cost.now.wall)
            fflush(nil)
        }
        return true
    }
}

/// When the observers of each type were called.
private final class CallTimes: Sendable {
    private let times = Mutex<[String: [Double]]>([:])
    private let signal = DispatchSemaphore(value: 0)

    func reset(_ type: String) { times.withLock { $0[type] = [] } }

    func add(_ type: String, _ time: Double) {
        times.withLock { $0[type, default: []].append(time) }
        signal.signal()
    }

    /// Waits until this many observers of a type were called, and returns when the last one was.
    func last(of type: String, count: Int) throws -> Double {
        while true {
            let found = times.withLock { $0[type] ?? [] }
            if found.count >= count { return found.max() ?? .nan }
            guard signal.wait(timeout: .now() + 30) == .success else { throw BenchError("An observer heard nothing") }
        }
    }
}

/// A second process of this program, which writes into the store.
private final class WriterProcess {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()

    init(_ program: URL, _ variables: [String: String]) throws {
        process.executableURL = program
        process.environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }
        process.standardInput = input
        process.standardOutput = output
        try process.run()
    }

    /// Lets it save a sample, and returns when it was committed.
    func commit(_ type: Int) throws -> Double {
        try input.fileHandleForWriting.write(contentsOf: Data("\(type)\n".utf8))
        var text = ""
        while !text.hasSuffix("\n") {
            let data = output.fileHandleForReading.availableData
            guard !data.isEmpty else { throw BenchError("The writing process ended") }
            text += String(decoding: data, as: UTF8.self)
        }
        guard let time = Double(text.dropLast()) else { throw BenchError("The writing process printed “\(text)”") }
        return time
    }

    func end() {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }
}
