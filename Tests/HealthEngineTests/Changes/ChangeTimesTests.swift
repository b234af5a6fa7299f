import Foundation
import HealthEngine
import HealthModel
import HealthStorage
import Synchronization
import Testing

/// When a store was changed, to the quarter of an hour.
@Suite struct ChangeTimesTests {
    private final class Clock: Sendable {
        let now = Mutex(0.0)
    }

    private let clock = Clock()

    private func engine(over storage: any HealthStorage) throws -> HealthEngine {
        try HealthEngine(
            storage: storage, configuration: EngineConfiguration(now: { [clock] in clock.now.withLock { $0 } }))
    }

    private func save(_ value: Double, at time: Double, _ engine: HealthEngine, _ uuid: UUID? = nil) throws {
        clock.now.withLock { $0 = time }
        var sample = SampleRecord.quantity(Names.steps, value, "count", from: 5)
        sample.uuid = uuid
        try engine.save([.sample(sample)], as: Names.phone)
    }

    private func values(since time: Double, _ engine: HealthEngine) throws -> [Double] {
        let request = ChangesRequest(
            parts: [.init(type: Names.steps)], after: try engine.changePosition(since: time).sequence)
        return try engine.changes(request, as: Names.phone).added.found.map(\.value)
    }

    @Test(arguments: TestStore.Backend.allCases)
    func changesAreFoundByTheirTime(_ backend: TestStore.Backend) throws {
        let store = try TestStore(backend)
        var engine = try engine(over: store.emptyStorage())
        #expect(try engine.changePosition(since: 0).sequence == 0)
        let uuid = UUID()
        try save(1, at: 100, engine, uuid)
        try save(2, at: 899, engine)
        try save(3, at: 3_600, engine)
        // Another process doesn't know what was recorded.
        engine = try self.engine(over: engine.storage)
        try save(4, at: 4_000, engine)
        try save(5, at: 9_000, engine)
        #expect(try values(since: 0, engine) == [1, 2, 3, 4, 5])
        #expect(try values(since: 900, engine) == [3, 4, 5])
        #expect(try values(since: 3_700, engine) == [3, 4, 5])
        #expect(try values(since: 4_500, engine) == [5])
        #expect(try values(since: 9_900, engine) == [])
        #expect(try engine.changePosition(since: 1_000).time == 900)
        // A deletion is a change, too, and settings aren't.
        clock.now.withLock { $0 = 20_000 }
        try engine.imports.setMetadata(["a": "b"])
        clock.now.withLock { $0 = 30_000 }
        try engine.delete([uuid], as: Names.phone)
        let position = try engine.changePosition(since: 19_000)
        let changes = try engine.changes(
            ChangesRequest(parts: [.init(type: Names.steps)], after: position.sequence), as: Names.phone)
        #expect(changes.added.count == 0 && changes.deleted.map(\.uuid) == [uuid])
        #expect(try engine.changePosition(since: 30_600).sequence == engine.lastSequence())
    }

    @Test func aClockThatWasSetBackHidesNothing() throws {
        let store = try TestStore()
        defer { withExtendedLifetime(store) {} }
        let engine = try engine(over: store.engine.storage)
        try save(1, at: 9_000, engine)
        try save(2, at: 0, engine)
        try save(3, at: 9_000, engine)
        #expect(try values(since: 9_000, engine) == [1, 2, 3])
    }
}
