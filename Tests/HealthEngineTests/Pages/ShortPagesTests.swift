import Foundation
@testable import HealthEngine
import HealthModel
import HealthImport
import HealthStorage
import HealthStorageSQLite
import HealthTesting
import Testing

/// A writer's memory of the ends of its types must never be older than the store.
struct ShortPagesTests {
    /// Several engines and storages save, fail and delete alternately, each with its own memory.
    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func alternatingWritersSeeEachOther(_ seed: UInt64) throws {
        print("seed \(seed)")
        var random = SplitMix64(seed: seed)
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent("ShortPages-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let path = directory.appendingPathComponent("health.sqlite").path
        let storages = try (0..<2).map { _ in try SQLiteStorage(path: path) }
        // Two engines over the first storage: no other process has committed, and yet the pages are others.
        let faulty = FaultStorage(storages[0])
        let engines = try [faulty, storages[0], storages[1]].map { (storage: any HealthStorage) in
            try HealthEngine(storage: storage, configuration: EngineConfiguration(pageCapacity: 1_024, now: { 0 }))
        }
        let types = [Names.steps, Names.heartRate]
        var model: [TypeCode: [Double]] = [:]
        var clock = 0.0
        var turn = 0
        for _ in 0..<400 {
            if random.oneIn(6) { turn = Int.random(in: 0..<3, using: &random) }
            let type = random.pick(types)
            clock += 1
            let start = random.oneIn(12) ? Double(Int.random(in: 0..<Int(clock), using: &random)) : clock
            let sample = SampleRecord(
                type: type, start: start, end: start, value: 1, unit: type == Names.steps ? "count" : "count/s",
                metadata: random.oneIn(4) ? Metadata([.init(key: "k", value: .integer(1))]) : .empty)
            if turn == 0, random.oneIn(5) {
                let point = random.pick([Fault.Point.write, .write, .write, .commit, .afterCommit])
                let after = point == .write ? Int.random(in: 0...2, using: &random) : 0
                faulty.inject(Fault(at: point, after: after))
                #expect(throws: StorageError.self) { try engines[0].save([.sample(sample)], as: Names.phone) }
                faulty.inject(nil)
                if point == .afterCommit { model[type, default: []].append(start) }
            } else if random.oneIn(15), let victim = model[type]?.randomElement(using: &random) {
                let removed = try engines[turn].deleteObjects(
                    of: type, matching: .start(.equal, victim), as: Names.phone)
                #expect(removed == model[type]?.count { $0 == victim })
                model[type]?.removeAll { $0 == victim }
            } else {
                try engines[turn].save([.sample(sample)], as: Names.phone)
                model[type, default: []].append(start)
            }
        }
        for type in types {
            let stored = try StoredSamples(engines[2])[type].map(\.start)
            #expect(stored == model[type, default: []].sorted(), "seed \(seed)")
        }
        #expect(try engines[0].check() == [])
        for engine in engines { try engine.close() }
    }
}
