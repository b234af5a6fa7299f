import Foundation
import GRDB
import HealthEngine
import HealthModel
import HealthImport
import HealthStorage
import HealthStorageFiles
import HealthStorageSQLite
import Testing

/// Samples of types that the catalog has by now are found under them when the store is opened.
struct TypeMigrationTests {
    private func event(_ type: TypeCode, at start: Double, uuid: UUID? = nil, sync: String? = nil) -> SampleRecord {
        let metadata = sync.map {
            Metadata([
                .init(key: MetadataKey.syncIdentifier, value: .string($0)),
                .init(key: MetadataKey.syncVersion, value: .integer(1)),
            ])
        }
        return SampleRecord(
            uuid: uuid, type: type, start: start, end: start + 1, value: 1, unit: "", metadata: metadata ?? .empty)
    }

    /// A store with samples of types that the catalog doesn't know, whose identifiers are then changed to those of
    /// types of the catalog: what a store looks like that another version of the program wrote.
    private final class OtherStore {
        let directory = FileManager.default.temporaryDirectory
            .appendingPathComponent("TypeMigrationTests-\(UUID().uuidString)")
        private var path: String { directory.appendingPathComponent("health.sqlite").path }

        init() throws {
            try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        }

        deinit { try? FileManager.default.removeItem(at: directory) }

        func open() throws -> HealthEngine {
            try HealthEngine(
                storage: SQLiteStorage(path: path), configuration: EngineConfiguration(pageCapacity: 3, now: { 0 }))
        }

        func rename(_ identifiers: [String: String]) throws {
            let access = try ChecksummedFile.access(to: path, isWritable: true, waiting: 0)
            let queue = try DatabaseQueue(path: access.uri(of: path))
            try queue.write { database in
                for (old, new) in identifiers {
                    try database.execute(
                        sql: "UPDATE type SET identifier = ? WHERE identifier = ?", arguments: [new, old])
                }
            }
            try queue.close()
            withExtendedLifetime(access) {}
        }
    }

    private static let variability = Names.type("HKQuantityTypeIdentifierHeartRateVariabilityRMSSD")
    private static let menopause = Names.type("HKCategoryTypeIdentifierMenopausalState")

    private func quantity(_ type: TypeCode, _ value: Double, _ unit: String = "ms", at start: Double) -> SampleRecord {
        SampleRecord(uuid: UUID(), type: type, start: start, end: start + 1, value: value, unit: unit)
    }

    @Test func samplesOfTypesThatEnteredTheCatalogAreFoundUnderThem() throws {
        let store = try OtherStore()
        var engine = try store.open()
        let (beats, state) = try engine.storage.write { transaction in
            (
                try transaction.intern(typeIdentifier: "FutureQuantity", kind: .quantity),
                try transaction.intern(typeIdentifier: "FutureCategory#category", kind: .category)
            )
        }
        try engine.close()
        engine = try store.open()
        let samples = (0..<7).map { (number: Int) -> SampleRecord in
            quantity(beats, Double(30 + number), at: Double(number / 2))
        }
        try engine.save(samples.map { .sample($0) }, as: Names.phone)
        // Of the catalog's type there are samples before, at the same starts and after.
        let known = [-1, 0, 1.5, 3, 50].map { quantity(Self.variability, 90, at: $0) }
        try engine.save(known.map { .sample($0) }, as: Names.phone)
        let wrongUnit = quantity(beats, 70, "kg", at: 3)
        var states = [event(state, at: 1, uuid: UUID(), sync: "state"), event(state, at: 2)]
        states[1].value = 99
        try engine.save([.sample(wrongUnit), .sample(states[0]), .sample(states[1])], as: Names.phone)
        let series = QuantitySeries(starts: [10, 10.5], ends: [10.5, 11], values: [1, 3])
        let long = quantity(beats, 2, at: 10)
        try engine.save(long, series: series, as: Names.phone)
        let workout = ObjectRecord(
            uuid: UUID(), type: Names.workout, start: 0, end: 20,
            body: .workout(WorkoutBody(activityType: 37, duration: 20)))
        try engine.save([.object(workout)], as: Names.phone)
        try engine.addMembers([samples[2]], toObject: try #require(workout.uuid), as: Names.phone)
        let deleted = try #require(samples[4].uuid)
        try engine.delete([deleted], as: Names.phone)
        try engine.authorization.set(
            [beats: TypeAuthorization(share: .authorized, read: .denied)], bundleIdentifier: "app")
        try engine.authorization.set(
            [state: TypeAuthorization(share: .authorized), Self.menopause: TypeAuthorization(share: .denied)],
            bundleIdentifier: "other")
        try engine.sources.setOrder(["b", "a"], disabled: ["a"], of: beats)
        let sequence = try engine.storage.read { try $0.lastSequence() }
        try engine.close()
        try store.rename([
            "FutureQuantity": "HKQuantityTypeIdentifierHeartRateVariabilityRMSSD",
            "FutureCategory#category": "HKCategoryTypeIdentifierMenopausalState#category",
        ])

        engine = try store.open()
        let after = try StoredSamples(engine)
        #expect(after[Self.variability].map(\.value) == [90, 30, 31, 90, 32, 33, 90, 35, 36, 90, 2, 90])
        let moved = after[Self.variability].filter { $0.value != 90 }
        #expect(moved.map(\.uuid) == (samples.filter { $0.uuid != deleted } + [long]).map(\.uuid))
        #expect(after[Self.menopause].map(\.uuid) == [states[0].uuid])
        // What the type doesn't allow stays.
        #expect(after[beats].map(\.uuid) == [wrongUnit.uuid])
        #expect(after[state].map(\.value) == [99])
        #expect(try engine.check() == [])
        #expect(try engine.storage.read { try $0.lastSequence() } == sequence)
        #expect(
            try engine.quantitySeries(of: [try #require(long.uuid)], type: Self.variability, as: Names.phone).values
                .first == series)
        let members = try #require(after.objects[Names.workout]?.first?.members)
        #expect(members == [moved[2].sequence])

        // Deletions before, permissions and the order of sources count for the known type.
        let changes = try engine.changes(
            ChangesRequest(parts: [SampleRequest.Part(type: Self.variability, filter: .all)]), as: Names.phone)
        #expect(changes.deleted.map(\.uuid) == [deleted] && changes.deleted.map(\.type) == [Self.variability])
        let app = try engine.authorization.decisions(bundleIdentifier: "app")
        #expect(app == [Self.variability: TypeAuthorization(share: .authorized, read: .denied)])
        let other = try engine.authorization.decisions(bundleIdentifier: "other")
        #expect(
            other == [Self.menopause: TypeAuthorization(share: .denied)], "the decision about the known type remains")

        // A sync identifier still holds.
        var again = event(Self.menopause, at: 5, sync: "state")
        again.end = again.start
        let outcome = try engine.save([.sample(again)], as: Names.phone)
        #expect(outcome == SaveOutcome(saved: 0, ignored: 1, replaced: 0))
        try engine.close()

        // Once: what stayed isn't moved again, and nothing is written.
        engine = try store.open()
        let settled = try engine.storage.read { try $0.values(namespace: "engine") }
        try engine.close()
        engine = try store.open()
        #expect(try engine.storage.read { try $0.values(namespace: "engine") } == settled)
        #expect(try StoredSamples(engine)[beats].count == 1)
        try engine.close()
    }
}
