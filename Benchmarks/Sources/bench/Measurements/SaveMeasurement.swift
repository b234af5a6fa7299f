import Foundation
import HealthEngine
import HealthKit
import HealthModel
import HealthStorageSQLite

/// A durable save of one sample, compared with a durable insert of one row, each after a million others.
///
/// The first saves after opening a store extend the log file, which costs the file system more than overwriting
/// it. Therefore, they are measured separately from those of a program that has been running for a while.
enum SaveMeasurement {
    private static let pairs = 40
    private static let repeats = 25
    /// The number of saves after which both logs have been checkpointed, at 4,096 pages, and are overwritten; every
    /// save writes at least one page.
    private static let warmUp = 5_000

    static func run(_ setting: Setting) async throws -> Measurement {
        let bySaving = try await compareStore(setting, withIdentities: false)
        let withIdentities = try await compareStore(setting, withIdentities: true)
        let byEngine = try await compareEngine(setting, StepStores(count: 1_000_000, in: setting))
        return Measurement(lines: [
            Line("save one sample, HKHealthStore : INSERT with UUID", withIdentities.later, target: .atMost(1.3)),
            Line("save one sample, HKHealthStore : INSERT", bySaving.later),
            Line("save one sample, engine : INSERT", byEngine.later),
            Line("save one sample just after opening, HKHealthStore : INSERT", bySaving.first),
            Line("save one sample just after opening, engine : INSERT", byEngine.first),
        ])
    }

    private typealias Phases = (first: Comparison, later: Comparison)

    /// Saves through HealthKit as an application does, with samples one minute apart.
    ///
    /// - Parameter withIdentities: Whether rows have a unique UUID, as saved samples do.
    private static func compareStore(_ setting: Setting, withIdentities: Bool) async throws -> Phases {
        let stores = try StepStores(count: 1_000_000, in: setting, withIdentities: withIdentities)
        let health = HKHealthStore(configuration: .init(location: .file(stores.store), authorization: .allowAll))
        let type = HKQuantityType(.stepCount)
        let end = stores.history.dayBounds.last ?? 0
        var made = (0..<sampleCount(setting)).map { index in
            HKQuantitySample(
                type: type, quantity: HKQuantity(unit: .count(), doubleValue: 42),
                start: Date(timeIntervalSinceReferenceDate: end + Double(index) * 60),
                end: Date(timeIntervalSinceReferenceDate: end + Double(index) * 60 + 30))
        }
        made.reverse()
        var start = end
        return try await phases(setting) {
            guard let sample = made.popLast() else { throw BenchError("There are too few samples to save") }
            try await health.save(sample)
        } other: {
            start += 60
            try insert(at: start, into: stores.rows, uuid: withIdentities ? UUID() : nil)
        }
    }

    /// Saves through the engine, without HealthKit objects and with UUIDs assigned by the store.
    private static func compareEngine(_ setting: Setting, _ stores: StepStores) async throws -> Phases {
        let engine = try HealthEngine(storage: SQLiteStorage(path: stores.store.path))
        let caller = Caller(
            revision: SourceRevisionRecord(source: SourceRecord(bundleIdentifier: "bench", name: "bench")),
            permission: .allowAll)
        var (ours, other) = (stores.history.dayBounds.last ?? 0, stores.history.dayBounds.last ?? 0)
        let phases = try await phases(setting) {
            ours += 60
            try engine.save(
                [.sample(SampleRecord(type: StepHistory.type, start: ours, end: ours + 30, value: 42, unit: "count"))],
                as: caller)
        } other: {
            other += 60
            try insert(at: other, into: stores.rows)
        }
        try engine.close()
        return phases
    }

    private static func phases(
        _ setting: Setting, ours: () async throws -> Void, other: () async throws -> Void
    ) async throws -> Phases {
        let first = try await Comparison.run(pairs: setting.pairs(16), repeats: repeats, ours: ours, other: other)
        for _ in 0..<warmUp { try await ours() }
        for _ in 0..<warmUp { try await other() }
        let later = try await Comparison.run(pairs: setting.pairs(pairs), repeats: repeats, ours: ours, other: other)
        return (first, later)
    }

    /// The number of samples that one run of both phases saves.
    private static func sampleCount(_ setting: Setting) -> Int {
        (setting.pairs(16) + setting.pairs(pairs)) * repeats + warmUp + 2
    }

    private static func insert(at start: Double, into rows: RowTable, uuid: UUID? = nil) throws {
        try rows.insert(
            type: StepHistory.type, source: 3, device: 0, unit: 1, start: start, end: start + 30, value: 42, uuid: uuid)
    }
}
