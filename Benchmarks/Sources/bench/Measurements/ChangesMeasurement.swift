import Foundation
import HealthEngine
import HealthImport
import HealthKit
import HealthModel
import HealthStorageSQLite
import HealthWatcher

/// The whole history through anchored queries, at 1 and at 10 million samples, compared with one sample query; and the
/// start of a watcher from now.
///
/// A sample query at 10 million would hold all objects at once, which a device could not, so both sides of the
/// comparison have a million.
enum ChangesMeasurement {
    private static let batch = 1_000
    private static let sizes = (small: 1_000_000, large: 10_000_000)
    private static let type = HKQuantityType(.stepCount)

    static func run(_ setting: Setting) async throws -> Measurement {
        let small = try store(sizes.small, setting)
        let query = HKSampleQueryDescriptor(
            predicates: [.quantitySample(type: type)], sortDescriptors: [SortDescriptor(\HKQuantitySample.startDate)])
        let againstQuery = try await Comparison.run(pairs: setting.pairs(7)) {
            try await walk(small, batch, expecting: sizes.small)
        } other: {
            guard try await query.result(for: small).count == sizes.small else { throw BenchError("too few samples") }
        }
        let inSmallBatches = try await Comparison.run(pairs: setting.pairs(3)) {
            try await walk(small, 100, expecting: sizes.small)
        } other: {
            try await walk(small, batch, expecting: sizes.small)
        }
        let large = try store(sizes.large, setting)
        let bySize = try await Comparison.run(pairs: setting.pairs(3)) {
            try await walk(large, batch, expecting: sizes.large)
        } other: {
            try await walk(small, batch, expecting: sizes.small)
        }
        let start = try await Comparison.run(pairs: setting.pairs(25)) {
            try await startWatching(large)
        } other: {
            try await startWatching(small)
        }
        for name in [Self.name(sizes.small), Self.name(sizes.large)] {
            try setting.removeStore(setting.data.appendingPathComponent(name))
        }
        return Measurement(lines: [
            Line("a million changes in batches of 1,000 : one sample query", againstQuery, target: .atMost(1.5)),
            Line("a million changes in batches of 100 : of 1,000", inSmallBatches),
            Line("10 million changes in batches of 1,000 : a million", bySize, target: .atMost(12)),
            Line("start a watcher from now, 10 million samples : a million", start, target: .atMost(1.5)),
        ])
    }

    private static func name(_ count: Int) -> String { "changes-\(count / 1_000_000).store" }

    /// Creates a store and opens it.
    private static func store(_ count: Int, _ setting: Setting) throws -> HKHealthStore {
        let file = try setting.freshStore(name(count))
        let history = StepHistory(count: count)
        let engine = try HealthEngine(storage: SQLiteStorage(path: file.path))
        _ = try BulkImport(engine: engine).commit(
            BulkBatch(columns: [history.columns], dictionaries: history.dictionaries))
        try engine.close()
        return HKHealthStore(configuration: .init(location: .file(file), authorization: .allowAll))
    }

    /// Reads all changes in batches.
    private static func walk(_ store: HKHealthStore, _ limit: Int, expecting expected: Int) async throws {
        var anchor: HKQueryAnchor?
        var count = 0
        while true {
            let descriptor = HKAnchoredObjectQueryDescriptor(
                predicates: [.quantitySample(type: type)], anchor: anchor, limit: limit)
            let result = try await descriptor.result(for: store)
            count += result.addedSamples.count
            if result.addedSamples.isEmpty { break }
            anchor = result.newAnchor
        }
        guard count == expected else { throw BenchError("\(count) changes instead of \(expected)") }
    }

    /// Starts a watcher that skips the history, and ends it when it has nothing to report.
    private static func startWatching(_ store: HKHealthStore) async throws {
        let watcher = HealthWatcher(store: store, types: [type], anchors: MemoryAnchorStore())
        for try await _ in watcher.changes(follows: false) { throw BenchError("a change without a write") }
    }
}
