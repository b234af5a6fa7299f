import AppleHealthExport
import Foundation
import GRDB
import HealthEngine
import HealthImport
import HealthKit
import HealthModel
import HealthStorage
import HealthStorageFiles
import HealthStorageSQLite
import HealthWatcher

/// The program that is killed: an application that saves and deletes, a feed that imports and receives, and a watcher,
/// at the same time and each with its own connections.
struct TortureWriter: Sendable {
    let place: TorturePlace
    let round: Int
    let seed: UInt64
    /// The number of operations of each thread; `nil` for no end.
    let limit: Int?
    /// Whether an operation may fail, because the disk does.
    let mayFail: Bool
    let checkpoints: Bool

    func run() async throws {
        let state = try TortureState.read(place.state)
        if checkpoints { Thread.detachNewThread { checkpoint() } }
        guard limit == nil else {
            // Sequentially, so that each system call has the same number in every run.
            try await apply(state)
            try await feed(state)
            return
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await apply(state) }
            group.addTask { try await feed(state) }
            group.addTask { try await watch() }
            try await group.waitForAll()
        }
    }

    private func generator(_ thread: Int) -> TortureRandom {
        TortureRandom(state: seed &+ UInt64(round) &* 1_000_003 &+ UInt64(thread) &* 7_919)
    }

    // MARK: The threads

    /// Saves and deletes through HealthKit.
    private func apply(_ state: TortureState) async throws {
        let store = TortureSamples.store(place.store)
        let witness = try TortureWitness(place.log(round, 0))
        let engine = try? HealthEngine(storage: SQLiteStorage(path: place.store))
        var random = generator(0)
        var batches = state.deletable
        var operation = state.next[0]
        while operation - state.next[0] < limit ?? .max {
            let choice = random.next(below: 100)
            if choice < 30, let victim = batches.keys.sorted().randomElement(using: &random),
                let uuids = batches.removeValue(forKey: victim)
            {
                try await perform("begin \(operation) delete \(victim)", operation, witness, engine) {
                    let found = HKQuery.predicateForObjects(with: Set(uuids))
                    // Deleting a correlation keeps its members, which are deleted with it here.
                    try await delete(uuids, found, in: store)
                }
            } else {
                let objects: [HKSample] =
                    switch choice {
                    case 90...: [TortureSamples.bloodPressure(operation)]
                    case 80..<90: TortureSamples.nights(operation, count: 1 + random.next(below: 5))
                    case 78..<80: TortureSamples.heartRates(operation, count: 1_200)
                    default: TortureSamples.heartRates(operation, count: 1 + random.next(below: 12))
                    }
                let uuids = objects.flatMap { [$0.uuid] + (($0 as? HKCorrelation)?.objects.map(\.uuid) ?? []) }
                let words = uuids.map(\.uuidString).joined(separator: ",")
                // Deleting takes one type at a time, so a correlation would be deleted in three parts.
                let isDeletable = objects.count < 1_000 && !(objects[0] is HKCorrelation)
                if isDeletable { batches[operation] = uuids }
                try await perform(
                    "begin \(operation) \(isDeletable ? "save" : "keep") \(words)", operation, witness, engine
                ) { try await store.save(objects) }
            }
            operation += 1
        }
        try engine?.close()
    }

    private func delete(_ uuids: [UUID], _ predicate: NSPredicate, in store: HKHealthStore) async throws {
        // The batch has samples of one type, which isn't known here.
        for type in [HKQuantityType(.heartRate), HKCategoryType(.sleepAnalysis)] as [HKObjectType] {
            let count = try await store.deleteObjects(of: type, predicate: predicate)
            guard count == 0 || count == uuids.count else {
                throw TortureFailure("\(count) of \(uuids.count) samples were deleted.")
            }
            if count > 0 { return }
        }
    }

    /// Imports archives and receives what another device sends.
    private func feed(_ state: TortureState) async throws {
        let witness = try TortureWitness(place.log(round, 1))
        var random = generator(1)
        var operation = state.next[1]
        var (delivered, pending) = (state.delivered, state.pendingDelivery)
        var engine = try? HealthEngine(storage: SQLiteStorage(path: place.store))
        while operation - state.next[1] < limit ?? .max {
            if engine == nil { engine = try? HealthEngine(storage: SQLiteStorage(path: place.store)) }
            if pending != nil || random.next(below: 2) == 0 {
                // What wasn't acknowledged is sent again, exactly as before.
                let uuids = pending ?? (0..<(1 + random.next(below: 20))).map { _ in UUID() }
                let first = pending == nil ? operation : state.pendingOperation ?? operation
                pending = nil
                let words = uuids.map(\.uuidString).joined(separator: ",")
                let line = "begin \(operation) receive \(delivered + 1) \(first) \(words)"
                let isDone = try await perform(line, operation, witness, engine) {
                    guard let engine else { throw StorageError(.inputOutput, "The store can’t be opened.") }
                    try receive(uuids, operation: first, delivery: delivered + 1, engine)
                }
                if !isDone { return }
                delivered += 1
            } else {
                let count = 1 + random.next(below: 40)
                let archive = place.folder + "/archive.xml"
                try TortureSamples.archive(operation, count: count).write(
                    toFile: archive, atomically: true, encoding: .utf8)
                try await perform("begin \(operation) import \(count)", operation, witness, engine) {
                    guard let engine else { throw StorageError(.inputOutput, "The store can’t be opened.") }
                    let report = try ArchiveImporter(engine: engine).run(path: archive)
                    guard report.added.values.reduce(0, +) == count else {
                        throw TortureFailure("Not everything was imported.")
                    }
                }
            }
            operation += 1
        }
        try engine?.close()
    }

    private func receive(_ uuids: [UUID], operation: Int, delivery: Int, _ engine: HealthEngine) throws {
        guard let type = TypeCatalog.description(for: "HKQuantityTypeIdentifierStepCount")?.code else {
            throw TortureFailure("There is no type for steps.")
        }
        let revision = SourceRevisionRecord(
            source: SourceRecord(bundleIdentifier: "org.example.watch", name: "Watch"), version: "1")
        let samples = uuids.enumerated().map { index, uuid in
            let date = TortureSamples.date(operation, index).timeIntervalSinceReferenceDate
            return SampleRecord(
                uuid: uuid, type: type, start: date, end: date, value: 10, unit: "count", revision: revision)
        }
        let header = SyncBatchHeader(device: TorturePlace.device, name: "Watch", sequence: delivery, acknowledged: 0)
        _ = try engine.receive(
            ReceivedChanges(samples: samples), header, as: Caller(revision: revision, permission: .owner))
    }

    /// Follows all changes.
    private func watch() async throws {
        let anchors = try WitnessAnchors(place.watched)
        let watcher = HealthWatcher(
            store: TortureSamples.store(place.store), types: TortureSamples.types, anchors: anchors, firstRun: .deliver,
            pageSize: 50)
        try await watcher.run { anchors.record($0) }
    }

    /// Moves the log to the file all the time, and begins it again.
    private func checkpoint() {
        // As another process of this package: a checkpoint without page checksums would be a foreign one.
        guard let access = try? ChecksummedFile.access(),
            let queue = try? DatabaseQueue(path: access.uri(of: place.store))
        else { return }
        withExtendedLifetime(access) {
            while true {
                for mode in ["PASSIVE", "TRUNCATE", "RESTART"] {
                    _ = try? queue.inDatabase { try $0.execute(sql: "PRAGMA wal_checkpoint(\(mode))") }
                    for _ in 0..<50 { sched_yield() }
                }
            }
        }
    }

    // MARK: Operations

    /// Runs an operation between two lines of the witness. Returns whether it succeeded.
    @discardableResult
    private func perform(
        _ line: String, _ operation: Int, _ witness: TortureWitness, _ engine: HealthEngine?,
        _ body: () async throws -> Void
    ) async throws -> Bool {
        witness.write(line)
        do {
            try await body()
        } catch {
            guard mayFail, Self.isTyped(error) else { throw error }
            witness.write("fail \(operation)")
            return false
        }
        // The last number can't be read on a disk that fails.
        let last = mayFail ? 0 : try engine?.storage.read { try $0.lastSequence() } ?? 0
        witness.write("ack \(operation) \(last)")
        return true
    }

    private static func isTyped(_ error: any Error) -> Bool {
        error is StorageError || error is HKError || error is ImportError || error is EngineError
    }
}

/// SplitMix64: the same numbers on every run with the same seed.
struct TortureRandom: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func next(below bound: Int) -> Int {
        Int(next() % UInt64(bound))
    }
}
