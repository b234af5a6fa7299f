import Foundation
import HealthEngine
import HealthKit
import HealthModel
import HealthStorageSQLite

/// One durable save of one sample against a durable insert of one row, both behind a million others.
///
/// Whoever has just opened a store writes to a log that still grows, which costs the file system more than
/// writing over what is there; so the first saves are told apart from those of a program that has been running.
enum SaveMeasurement {
    private static let pairs = 40
    private static let repeats = 25
    /// Saves until both logs have been through a checkpoint, at 4,096 pages, and are written over: whatever is
    /// saved writes a page at least.
    private static let warming = 5_000

    static func run(_ setting: Setting) async throws -> Measurement {
        let bySaving = try await compareStore(setting, withIdentities: false)
        let withIdentities = try await compareStore(setting, withIdentities: true)
        let byEngine = try await compareEngine(setting, StepStores(count: 1_000_000, in: setting))
        return Measurement(lines: [
            Line("save one sample, HKHealthStore : INSERT", bySaving.later, target: .atMost(1.5)),
            Line("save one sample, HKHealthStore : INSERT with UUID", withIdentities.later),
            Line("save one sample, engine : INSERT", byEngine.later),
            Line("save one sample just after opening, HKHealthStore : INSERT", bySaving.first),
            Line("save one sample just after opening, engine : INSERT", byEngine.first),
        ])
    }

    private typealias Phases = (first: Comparison, later: Comparison)

    /// As an application saves, each sample a minute after the last.
    ///
    /// - Parameter withIdentities: whether rows keep a unique UUID too, as the saved sample does.
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

    /// Without the objects of the interface, and with the identity left to the store.
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
        for _ in 0..<warming { try await ours() }
        for _ in 0..<warming { try await other() }
        let later = try await Comparison.run(pairs: setting.pairs(pairs), repeats: repeats, ours: ours, other: other)
        return (first, later)
    }

    /// How many samples one run of the phases saves.
    private static func sampleCount(_ setting: Setting) -> Int {
        (setting.pairs(16) + setting.pairs(pairs)) * repeats + warming + 2
    }

    private static func insert(at start: Double, into rows: RowTable, uuid: UUID? = nil) throws {
        try rows.insert(
            type: StepHistory.type, source: 3, device: 0, unit: 1, start: start, end: start + 30, value: 42, uuid: uuid)
    }
}
