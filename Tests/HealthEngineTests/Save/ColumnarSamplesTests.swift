import Foundation
import HealthEngine
import HealthModel
import HealthReading
import HealthStorage
import HealthTesting
import Testing

@Suite("Plain samples")
struct ColumnarSamplesTests {
    private static func batch(_ samples: [SampleRecord]) -> ColumnarSamples {
        var batch = ColumnarSamples()
        for sample in samples {
            batch.append(
                type: sample.type, start: sample.start, end: sample.end, value: sample.value, unit: sample.unit,
                uuid: sample.uuid)
        }
        return batch
    }

    private static func uuid(_ round: Int, _ index: Int) -> String {
        String(format: "%08X-0000-4000-8000-%012X", round * 7_919, index)
    }

    /// The stored samples, without the UUIDs that the store derived.
    private static func contents(_ store: TestStore) throws -> [[SampleRecord]] {
        let stored = try StoredSamples(store.engine)
        let identities = DerivedIdentities(seed: store.engine.identity().seed)
        return [Names.steps, Names.mass].map { type in
            stored[type].map { sample in
                var sample = sample
                // Each store derives others.
                if let uuid = sample.uuid, identities.sequence(of: uuid) != nil { sample.uuid = nil }
                return sample
            }
        }
    }

    /// Random batches of two types, out of order, some with UUIDs, saved both ways.
    @Test(arguments: TestStore.Backend.allCases)
    func areSavedAsTheSameItems(_ backend: TestStore.Backend) throws {
        var random = SplitMix64(seed: 20)
        let (columns, items) = (try TestStore(backend, pageCapacity: 300), try TestStore(backend, pageCapacity: 300))
        for round in 0..<12 {
            let withIdentities = round % 3 == 1
            let samples = (0..<Int.random(in: 1...400, using: &random)).map { index -> SampleRecord in
                let start = Double(round * 1_000 + (round % 2 == 0 ? index : Int.random(in: 0..<2_000, using: &random)))
                var sample: SampleRecord =
                    round > 3 && Bool.random(using: &random)
                    ? .quantity(Names.mass, Double(index), index % 5 == 0 ? "lb" : "kg", from: start)
                    : .quantity(Names.steps, Double(index), "count", from: start)
                if withIdentities, index > 2 { sample.uuid = UUID(uuidString: Self.uuid(round, index)) }
                return sample
            }
            let first = try columns.engine.save(Self.batch(samples), as: Names.phone)
            let outcome = try items.engine.save(samples.map { .sample($0) }, as: Names.phone)
            #expect(outcome.saved == samples.count)
            #expect(try #require(first) + Int64(samples.count) - 1 == items.engine.lastSequence())
        }
        let (own, other) = (try Self.contents(columns), try Self.contents(items))
        #expect(own == other)
        #expect(own.allSatisfy { !$0.isEmpty })
        #expect(try columns.engine.check() == [])
    }

    @Test func becomeTheItemsThatTheyWere() throws {
        let samples: [SampleRecord] = [
            .quantity(Names.steps, 1, "count", from: 5), .quantity(Names.mass, 70, "kg", from: 4),
            .quantity(Names.mass, 150, "lb", from: 3),
        ]
        let items = Self.batch(samples).items.compactMap { item -> SampleRecord? in
            if case .sample(let sample) = item { sample } else { nil }
        }
        #expect(items == samples)
    }

    @Test(arguments: [
        SampleRecord.quantity(Names.steps, 1, "kg", from: 9),
        SampleRecord(type: Names.steps, start: 9, end: 8, value: 1, unit: "count"),
        SampleRecord(type: Names.steps, start: .nan, end: 8, value: 1, unit: "count"),
        SampleRecord(type: Names.steps, start: 9, end: .infinity, value: 1, unit: "count"),
        SampleRecord(type: Names.steps, start: 9, end: 63_113_904_000, value: 1, unit: "count"),
    ])
    func oneThatIsInvalidSavesNothing(_ sample: SampleRecord) throws {
        let store = try TestStore()
        let batch = Self.batch([.quantity(Names.steps, 1, "count", from: 1), sample])
        #expect(throws: ValidationError.self) { try store.engine.save(batch, as: Names.phone) }
        #expect(try store.engine.lastSequence() == 0)
    }

    @Test func aUUIDThatIsTakenSavesNothing() throws {
        let store = try TestStore()
        var sample = SampleRecord.quantity(Names.steps, 1, "count", from: 1)
        sample.uuid = UUID()
        _ = try store.engine.save(Self.batch([sample]), as: Names.phone)
        var other = SampleRecord.quantity(Names.steps, 2, "count", from: 2)
        #expect(throws: EngineError.self) { try store.engine.save(Self.batch([other, sample]), as: Names.phone) }
        other.uuid = UUID()
        #expect(throws: EngineError.self) { try store.engine.save(Self.batch([other, other]), as: Names.phone) }
        // A UUID that the store derived for a sample without one is taken, too.
        _ = try store.engine.save(Self.batch([.quantity(Names.steps, 2, "count", from: 2)]), as: Names.phone)
        let derived = DerivedIdentities(seed: store.engine.identity().seed).uuid(for: try store.engine.lastSequence())
        other.uuid = derived
        #expect(throws: EngineError.self) { try store.engine.save(Self.batch([other]), as: Names.phone) }
        #expect(try StoredSamples(store.engine)[Names.steps].count == 2)
    }

    @Test func needThePermissionForEveryType() throws {
        let store = try TestStore()
        let application = Caller(revision: Names.phone.revision, permission: .table)
        try store.engine.authorization.set(
            TypeAuthorization(share: .authorized), of: Names.steps, bundleIdentifier: application.bundleIdentifier)
        let allowed = Self.batch([.quantity(Names.steps, 1, "count", from: 1)])
        #expect(try store.engine.save(allowed, as: application) == 1)
        let both = Self.batch([.quantity(Names.steps, 1, "count", from: 1), .quantity(Names.mass, 1, "kg", from: 1)])
        #expect(throws: EngineError.authorizationNotDetermined(Names.mass)) {
            try store.engine.save(both, as: application)
        }
    }
}
