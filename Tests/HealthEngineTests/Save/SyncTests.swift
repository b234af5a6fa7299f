import Foundation
import HealthEngine
import HealthModel
import HealthImport
import HealthStorage
import Testing

/// Sync identifiers and versions, as the original resolves them.
struct SyncTests {
    private func sample(
        _ value: Double, _ identifier: String, _ version: MetadataValue, type: TypeCode = Names.mass,
        at start: Double = 10
    ) -> SampleRecord {
        SampleRecord(
            uuid: UUID(), type: type, start: start, end: start, value: value, unit: "kg",
            metadata: Metadata([
                .init(key: MetadataKey.syncIdentifier, value: .string(identifier)),
                .init(key: MetadataKey.syncVersion, value: version),
            ]))
    }

    @Test(arguments: TestStore.Backend.allCases)
    func aGreaterVersionReplaces(_ backend: TestStore.Backend) throws {
        let store = try TestStore(backend)
        let old = sample(70, "a", .integer(1))
        let new = sample(71, "a", .double(1.5), at: 20)
        try store.engine.save([.sample(old)], as: Names.phone)
        let outcome = try store.engine.save([.sample(new)], as: Names.phone)
        #expect(outcome == SaveOutcome(saved: 1, ignored: 0, replaced: 1))

        let stored = try StoredSamples(store.engine)
        #expect(stored[Names.mass].map(\.value) == [71])
        #expect(stored[Names.mass].map(\.sequence) == [3])
        let (oldUUID, newUUID) = (try #require(old.uuid), try #require(new.uuid))
        let tombstone = StoredTombstone(
            sequence: 2, type: Names.mass, uuid: oldUUID, syncIdentifier: "a", syncVersion: 1, start: 10, end: 10,
            revision: 1)
        #expect(stored.tombstones == [tombstone])
        // The old identity is free again, the new one is taken.
        let places = try store.engine.storage.read { snapshot in
            [try snapshot.locate(oldUUID), try snapshot.locate(newUUID)]
        }
        #expect(places == [nil, StoredIdentity(type: Names.mass, sequence: 3)])
        #expect(try store.engine.check() == [])
    }

    @Test(arguments: [MetadataValue.integer(2), .integer(1), .double(1.9), .bool(true)])
    func aLowerOrEqualVersionIsIgnored(_ version: MetadataValue) throws {
        let store = try TestStore()
        try store.engine.save([.sample(sample(70, "a", .integer(2)))], as: Names.phone)
        let outcome = try store.engine.save([.sample(sample(71, "a", version))], as: Names.phone)
        #expect(outcome == SaveOutcome(saved: 0, ignored: 1, replaced: 0))
        let stored = try StoredSamples(store.engine)
        #expect(stored[Names.mass].map(\.value) == [70])
        #expect(stored.tombstones.isEmpty)
        #expect(try store.engine.lastSequence() == 1)
    }

    @Test func anotherSourceOrTypeIsAnotherIdentifier() throws {
        let store = try TestStore()
        try store.engine.save([.sample(sample(70, "a", .integer(1)))], as: Names.phone)
        try store.engine.save([.sample(sample(71, "a", .integer(2)))], as: Names.journal)
        try store.engine.save(
            [.sample(sample(60, "a", .integer(3), type: Names.type("HKQuantityTypeIdentifierLeanBodyMass")))],
            as: Names.phone)
        #expect(try StoredSamples(store.engine).count == 3)
        // A new version of the application is the same source.
        let newer = Names.caller("com.apple.health.phone", "iPhone", version: "2.0")
        try store.engine.save([.sample(sample(72, "a", .integer(2)))], as: newer)
        #expect(try StoredSamples(store.engine)[Names.mass].map(\.value).sorted() == [71, 72])
    }

    @Test func versionsWithinOneBatch() throws {
        let store = try TestStore()
        try store.engine.save([.sample(sample(1, "a", .integer(1)))], as: Names.phone)
        let outcome = try store.engine.save(
            [3, 2, 5, 5, 4].map { (version: Int64) in
                .sample(sample(Double(version), "a", .integer(version)))
            }, as: Names.phone)
        #expect(outcome == SaveOutcome(saved: 1, ignored: 3, replaced: 2))
        let stored = try StoredSamples(store.engine)
        #expect(stored[Names.mass].map(\.value) == [5])
        #expect(stored.tombstones.count == 1)
    }

    @Test(arguments: TestStore.Backend.allCases)
    func theSuccessorTakesThePlaceInObjects(_ backend: TestStore.Backend) throws {
        let store = try TestStore(backend)
        let old = sample(70, "a", .integer(1))
        let workout = ObjectRecord(
            uuid: UUID(), type: Names.workout, start: 0, end: 100,
            body: .workout(WorkoutBody(activityType: 37, duration: 100)), members: [old])
        try store.engine.save([.object(workout)], as: Names.phone)
        try store.engine.save([.sample(sample(71, "a", .integer(2)))], as: Names.phone)
        let stored = try StoredSamples(store.engine)
        let successor = try #require(stored[Names.mass].first)
        #expect(stored.objects[Names.workout]?.first?.members == [successor.sequence])
    }

    @Test func objectsAreReplacedLikeSamples() throws {
        let store = try TestStore()
        func workout(_ version: Int64, _ duration: Double) -> ObjectRecord {
            ObjectRecord(
                uuid: UUID(), type: Names.workout, start: 0, end: 100,
                metadata: sample(0, "w", .integer(version)).metadata,
                body: .workout(WorkoutBody(activityType: 37, duration: duration)),
                members: [.quantity(Names.energy, Double(version), "kcal", from: 1)])
        }
        try store.engine.save([.object(workout(1, 50))], as: Names.phone)
        try store.engine.save([.object(workout(2, 60))], as: Names.phone)
        // The members of an ignored object are ignored with it.
        let outcome = try store.engine.save([.object(workout(2, 70))], as: Names.phone)
        #expect(outcome == SaveOutcome(saved: 0, ignored: 1, replaced: 0))
        let stored = try StoredSamples(store.engine)
        #expect(stored.objects[Names.workout]?.count == 1)
        #expect(stored[Names.energy].map(\.value) == [1, 2])
        let last = try #require(stored[Names.energy].last)
        #expect(stored.objects[Names.workout]?.first?.members == [last.sequence])
        #expect(stored.tombstones.map(\.syncVersion) == [1])
    }

    @Test func deletingFreesTheIdentifier() throws {
        let store = try TestStore()
        let first = sample(70, "a", .integer(5))
        try store.engine.save([.sample(first)], as: Names.phone)
        try store.engine.delete([try #require(first.uuid)], as: Names.phone)
        let outcome = try store.engine.save([.sample(sample(71, "a", .integer(1)))], as: Names.phone)
        #expect(outcome.saved == 1)
    }
}
