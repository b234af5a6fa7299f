import Foundation
import HealthEngine
import HealthModel
import HealthStorage
import HealthTesting
import Testing

/// Changes in batches, compared with a list of everything that happened, and how many pages they read.
@Suite struct ChangeTraversalTests {
    /// The written events, in the order of sequences.
    private enum Event: Equatable {
        case added(TypeCode, Double)
        case deleted(UUID)
    }

    private static let types = [Names.steps, Names.mass, Names.heartRate, Names.workout]

    private static func events(_ result: ChangesResult) -> [Event] {
        let added = result.added.found.map { Event.added($0.type, $0.body == .none ? $0.value : $0.start) }
        return added + result.deleted.map { .deleted($0.uuid) }
    }

    /// Returns one of the items that the random programs save, identified by its number.
    private static func item(_ number: Int, _ uuid: UUID, _ random: inout SplitMix64) -> (SaveItem, TypeCode) {
        let start = Double(Int.random(in: 0...500, using: &random))
        switch Int.random(in: 0..<8, using: &random) {
        case 0:
            let object = ObjectRecord(
                uuid: uuid, type: Names.workout, start: Double(number), end: Double(number) + 1,
                body: .workout(WorkoutBody(activityType: 37, duration: 1)))
            return (.object(object), Names.workout)
        case 1...2:
            var sample = SampleRecord.quantity(Names.heartRate, Double(number), "count/min", from: start)
            sample.uuid = uuid
            return (.sample(sample), Names.heartRate)
        case 3:
            var sample = SampleRecord.quantity(Names.mass, Double(number), "kg", from: start)
            sample.uuid = uuid
            return (.sample(sample), Names.mass)
        default:
            var sample = SampleRecord.quantity(
                Names.steps, Double(number), "count", from: start,
                metadata: number % 3 == 0 ? .byHand : .empty)
            sample.uuid = uuid
            return (.sample(sample), Names.steps)
        }
    }

    @Test(arguments: 1...12 as ClosedRange<UInt64>)
    func batchesGiveEverythingInOrder(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let store = try TestStore(seed % 2 == 0 ? .file : .memory, pageCapacity: Int.random(in: 2...9, using: &random))
        var alive: [(sequence: Int64, type: TypeCode, uuid: UUID, number: Int)] = []
        var gone: [(sequence: Int64, uuid: UUID)] = []
        for number in 0..<150 {
            if !alive.isEmpty, Int.random(in: 0..<5, using: &random) == 0 {
                let victim = alive.remove(at: Int.random(in: 0..<alive.count, using: &random))
                try store.engine.delete([victim.uuid], as: Names.phone)
                gone.append((try store.engine.lastSequence(), victim.uuid))
            } else {
                let uuid = UUID()
                let (item, type) = Self.item(number, uuid, &random)
                try store.engine.save([item], as: Names.phone)
                alive.append((try store.engine.lastSequence(), type, uuid, number))
            }
        }
        let parts = Self.types.map { SampleRequest.Part(type: $0) }
        for limit in [1, 2, 5, 13, 200] {
            var after = Int64(0)
            while true {
                let result = try store.engine.changes(
                    ChangesRequest(parts: parts, after: after, limit: limit), as: Names.phone)
                let added = alive.filter { $0.sequence > after }
                let deleted = gone.filter { $0.sequence > after }
                let ends = (added.map(\.sequence) + deleted.map(\.sequence)).sorted()
                let end = ends.count > limit ? ends[limit - 1] : try store.engine.lastSequence()
                #expect(result.sequence == end, "seed \(seed), limit \(limit) after \(after)")
                let expected =
                    added.filter { $0.sequence <= end }.map { Event.added($0.type, Double($0.number)) }
                    + deleted.filter { $0.sequence <= end }.map { .deleted($0.uuid) }
                #expect(Self.events(result) == expected, "seed \(seed), limit \(limit) after \(after)")
                if result.sequence == after { break }
                after = result.sequence
            }
        }
    }

    @Test func writesBetweenBatchesAreSeen() throws {
        let store = try TestStore(pageCapacity: 4)
        let uuids = (0..<20).map { _ in UUID() }
        func save(_ number: Int, _ uuid: UUID) throws {
            var sample = SampleRecord.quantity(Names.steps, Double(number), "count", from: Double(number * 7 % 20))
            sample.uuid = uuid
            try store.engine.save([.sample(sample)], as: Names.phone)
        }
        for (number, uuid) in uuids.enumerated() { try save(number, uuid) }
        let parts = [SampleRequest.Part(type: Names.steps)]
        var (after, values) = (Int64(0), [Double]())
        var round = 0
        while true {
            let result = try store.engine.changes(
                ChangesRequest(parts: parts, after: after, limit: 3), as: Names.phone)
            values += result.added.found.map(\.value)
            if result.sequence == after { break }
            after = result.sequence
            round += 1
            // A sample that the next batch would have, and one more at the end.
            if round == 2 {
                try store.engine.delete([uuids[7]], as: Names.phone)
                try save(20, UUID())
            }
        }
        #expect(values == (0...20).filter { $0 != 7 }.map(Double.init))
    }

    @Test(arguments: [1, 7, 10, 64, 1_000])
    func allBatchesReadEachPageAFewTimes(limit: Int) throws {
        let storage = CountingStorage(InMemoryStorage())
        let engine = try HealthEngine(
            storage: storage, configuration: EngineConfiguration(pageCapacity: 10, now: { 0 }))
        // Two histories of the same time, saved in sequence: every page has samples of both.
        for turn in 0..<2 {
            let items = (0..<1_000).map {
                SaveItem.sample(.quantity(Names.mass, Double($0), "kg", from: Double($0 * 2 + turn)))
            }
            for first in stride(from: 0, to: 1_000, by: 100) {
                try engine.save(Array(items[first..<first + 100]), as: turn == 0 ? Names.watch : Names.phone)
            }
        }
        let pages = try StoredSamples(engine).pageSizes[Names.mass]?.count ?? 0
        _ = storage.takeCount()
        var (after, count) = (Int64(0), 0)
        while true {
            let request = ChangesRequest(parts: [.init(type: Names.mass)], after: after, limit: limit)
            let result = try engine.changes(request, as: Names.watch)
            count += result.added.count
            if result.sequence == after { break }
            after = result.sequence
        }
        #expect(count == 2_000 && pages >= 200)
        #expect(storage.takeCount() <= 4 * pages)
    }

    @Test func firstBatchReadsOnlyItsPages() throws {
        let storage = CountingStorage(InMemoryStorage())
        let engine = try HealthEngine(
            storage: storage, configuration: EngineConfiguration(pageCapacity: 10, now: { 0 }))
        let items = (0..<1_000).map { SaveItem.sample(.quantity(Names.mass, 1, "kg", from: Double($0))) }
        try engine.save(items, as: Names.watch)
        _ = storage.takeCount()
        let request = ChangesRequest(parts: [.init(type: Names.mass)], after: 500, limit: 15)
        #expect(try engine.changes(request, as: Names.watch).added.count == 15)
        #expect(storage.takeCount() <= 3)
    }
}
