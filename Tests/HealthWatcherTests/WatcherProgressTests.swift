import Foundation
import HealthEngine
import HealthKit
import HealthStorageSQLite
import HealthWatcher
import Testing

/// An application that keeps its results in a file, together with the watcher's anchors: one replaces the
/// other atomically, as a database's transaction does.
private final class Ledger: AnchorStore {
    private struct Contents: Codable {
        var counts: [Double] = []
        var deleted: [UUID] = []
        var anchors: [String: Data] = [:]
    }

    private let file: URL

    init(file: URL) { self.file = file }

    private func contents() throws -> Contents {
        guard FileManager.default.fileExists(atPath: file.path) else { return Contents() }
        return try JSONDecoder().decode(Contents.self, from: Data(contentsOf: file))
    }

    var counts: [Double] { get throws { try contents().counts } }
    var deleted: [UUID] { get throws { try contents().deleted } }

    func load() throws -> [String: HKQueryAnchor] {
        try contents().anchors.compactMapValues {
            try NSKeyedUnarchiver.unarchivedObject(ofClass: HKQueryAnchor.self, from: $0)
        }
    }

    /// The anchors are in the file already, with the result of the change.
    func save(_ anchors: [String: HKQueryAnchor]) throws {}

    func commit(_ change: HealthChange) throws {
        var contents = try contents()
        contents.counts += change.quantitySamples.map { $0.quantity.doubleValue(for: .count()) }
        contents.deleted += change.deletedObjects.map(\.uuid)
        contents.anchors = try change.anchors.mapValues {
            try NSKeyedArchiver.archivedData(withRootObject: $0, requiringSecureCoding: true)
        }
        try JSONEncoder().encode(contents).write(to: file, options: .atomic)
    }
}

@Suite("A watcher's progress moves with its handler's")
struct WatcherProgressTests {
    private struct Crash: Error {}

    private let store = HKHealthStore(configuration: .inMemory)
    private let steps = HKQuantityType(.stepCount)
    private let heartRate = HKQuantityType(.heartRate)

    private func sample(_ count: Double) -> HKQuantitySample {
        let date = Date(timeIntervalSinceReferenceDate: count)
        return HKQuantitySample(
            type: steps, quantity: HKQuantity(unit: .count(), doubleValue: count), start: date, end: date)
    }

    private func withFile(_ body: (URL) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(folder.appendingPathComponent("file"))
    }

    private func random(_ seed: UInt64) -> (UInt64) -> UInt64 {
        var state = seed
        return { bound in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return (state >> 33) % bound
        }
    }

    @Test("With anchors in the application's own transaction, each change takes effect exactly once", arguments: 1...8)
    func exactlyOnce(_ seed: UInt64) async throws {
        print("Watcher crashes: seed \(seed)")
        let random = random(seed)
        try await withFile { file in
            var count = 0.0
            var saved: [HKQuantitySample] = []
            var deletions: Set<UUID> = []
            for round in 0..<30 {
                for _ in 0..<random(6) {
                    count += 1
                    saved.append(sample(count))
                    try await store.save(saved[saved.count - 1])
                }
                if !saved.isEmpty, random(3) == 0 {
                    let victim = saved[Int(random(UInt64(saved.count)))]
                    if deletions.insert(victim.uuid).inserted { try await store.delete(victim) }
                }
                // Nothing of the program but the file survives.
                let ledger = Ledger(file: file)
                let types: Set<HKSampleType> = random(3) == 0 && round > 0 ? [steps, heartRate] : [steps]
                let watcher = HealthWatcher(
                    store: store, types: types, anchors: ledger, firstRun: .deliver, pageSize: 1 + Int(random(4)))
                do {
                    try await watcher.run(follows: false, retry: .never) { change in
                        if random(6) == 0 { throw Crash() }
                        try ledger.commit(change)
                        if random(6) == 0 { throw Crash() }
                    }
                } catch is Crash {
                }
            }
            let ledger = Ledger(file: file)
            try await HealthWatcher(store: store, types: [steps], anchors: ledger, firstRun: .deliver)
                .run(follows: false) { try ledger.commit($0) }
            let counts = try ledger.counts
            #expect(Set(counts).count == counts.count, "a sample took effect twice")
            // A sample that was deleted before it was read is reported as a deletion only.
            let kept = Set(saved.filter { !deletions.contains($0.uuid) }.map { $0.quantity.doubleValue(for: .count()) })
            #expect(kept.isSubset(of: counts))
            #expect(Set(counts).isSubset(of: Set(saved.map { $0.quantity.doubleValue(for: .count()) })))
            #expect(
                try ledger.deleted.sorted { $0.uuidString < $1.uuidString }
                    == deletions.sorted { $0.uuidString < $1.uuidString })
        }
    }

    @Test(
        "With anchors in the application's transaction, a watcher that skips history misses nothing from its first run on",
        arguments: [false, true])
    func skipping(crashes: Bool) async throws {
        try await withFile { file in
            try await store.save(sample(1))
            let ledger = Ledger(file: file)
            let watcher = HealthWatcher(store: store, types: [steps], anchors: ledger)
            try await watcher.run(follows: false) { try ledger.commit($0) }
            #expect(try ledger.counts == [])
            try await store.save(sample(2))
            if crashes {
                await #expect(throws: Crash.self) {
                    try await watcher.run(follows: false, retry: .never) { _ in throw Crash() }
                }
            }
            try await watcher.run(follows: false) { try ledger.commit($0) }
            #expect(try ledger.counts == [2])
            // A type that is added later.
            let both = HealthWatcher(store: store, types: [steps, heartRate], anchors: ledger)
            try await both.run(follows: false) { try ledger.commit($0) }
            #expect(try Set(ledger.load().keys) == [steps.identifier, heartRate.identifier])
            #expect(try ledger.counts == [2])
        }
    }

    @Test(
        "With anchors in a file, a crash delivers the change again whose handler hadn't returned, and no other",
        arguments: 1...4)
    func atLeastOnce(_ seed: UInt64) async throws {
        print("Watcher crashes: seed \(seed)")
        let random = random(seed)
        try await withFile { file in
            var count = 0.0
            var delivered: [Double] = []
            var handled: Set<Double> = []
            for round in 0..<30 {
                for _ in 0..<random(6) {
                    count += 1
                    try await store.save(sample(count))
                }
                let isLast = round == 29
                let watcher = HealthWatcher(
                    store: store, types: [steps], anchors: FileAnchorStore(url: file), firstRun: .deliver,
                    pageSize: 1 + Int(random(4)))
                do {
                    try await watcher.run(follows: false, retry: .never) { change in
                        let counts = change.quantitySamples.map { $0.quantity.doubleValue(for: .count()) }
                        #expect(handled.isDisjoint(with: counts))
                        delivered += counts
                        if !isLast, random(4) == 0 { throw Crash() }
                        handled.formUnion(counts)
                    }
                } catch is Crash {
                }
            }
            #expect(handled == Set(stride(from: 1, through: count, by: 1)))
            #expect(delivered.count > handled.count)
        }
    }

    @Test("A background delivery is acknowledged when everything was handled, not before", .timeLimit(.minutes(15)))
    func acknowledgement() async throws {
        try await withFile { file in
            let engine = try HealthEngine(storage: SQLiteStorage(path: file.path))
            let app = "org.example.watcher"
            try engine.backgroundDelivery.setFrequency(1, of: steps.identifier, for: app)
            try engine.backgroundDelivery.setTarget(.program(path: "/bin/true", arguments: []), of: app)
            @Sendable func acknowledged() throws -> Int64 {
                try engine.backgroundDelivery.application(app)?.registrations[steps.identifier]?.acknowledged ?? -1
            }
            let store = HKHealthStore(
                configuration: .init(
                    location: .file(file), application: .init(bundleIdentifier: app), authorization: .allowAll))
            try await store.save([sample(1), sample(2), sample(3)])
            let last = try engine.lastSequence()
            let watcher = HealthWatcher(
                store: store, types: [steps], anchors: MemoryAnchorStore(), firstRun: .deliver, pageSize: 1)
            let watch = Task { () async throws -> Int in
                var count = 0
                try await watcher.run { change in
                    let position = try acknowledged()
                    #expect(position == 0)
                    count += change.addedSamples.count
                }
                return count
            }
            while try acknowledged() < last { await Task.yield() }
            watch.cancel()
            #expect(try await watch.value == 3)
            try engine.close()
        }
    }
}
