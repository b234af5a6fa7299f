import Foundation
import GRDB
import HealthEngine
import HealthModel
import HealthStorage
import HealthStorageSQLite
import Testing

/// Samples under the codes of former types move to the type of the catalog when the store is opened.
struct FormerTypesTests {
    private static let former = TypeCode(rawValue: 1021)
    private static let type = Names.type("HKCategoryTypeIdentifierAudioExposureEvent")

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

    @Test func theCatalogKnowsFormerSpellings() {
        let event = TypeCatalog.description(for: "HKCategoryTypeIdentifierEnvironmentalAudioExposureEvent")
        #expect(event?.identifier == "HKCategoryTypeIdentifierAudioExposureEvent")
        #expect(event?.code == Self.type)
        #expect(TypeCatalog.description(for: Self.former) == event)
        let mind = TypeCatalog.description(for: "HKDataTypeIdentifierStateOfMind")
        #expect(mind?.identifier == "HKDataTypeStateOfMind")
        #expect(mind?.code == TypeCode(rawValue: 7004))
        #expect(mind?.shortName == "stateOfMind")
    }

    @Test(arguments: TestStore.Backend.allCases, [2, 1_000])
    func samplesMove(_ backend: TestStore.Backend, _ pageCapacity: Int) throws {
        let store = try TestStore(backend, pageCapacity: pageCapacity)
        let (one, two) = (UUID(), UUID())
        // Both types by turns, at equal starts and without order.
        for (index, start) in [30.0, 10, 20, 10, 20, 30, 5].enumerated() {
            let type = index.isMultiple(of: 2) ? Self.former : Self.type
            let sample = event(
                type, at: start, uuid: index == 0 ? one : index == 1 ? two : nil, sync: index == 2 ? "a" : nil)
            try store.engine.save([.sample(sample)], as: Names.phone)
        }
        let before = try StoredSamples(store.engine)
        #expect(before[Self.former].count == 4)
        #expect(before[Self.type].count == 3)

        let again = try HealthEngine(
            storage: store.engine.storage, configuration: EngineConfiguration(pageCapacity: pageCapacity, now: { 0 }))
        let after = try StoredSamples(again)
        #expect(after[Self.former].isEmpty)
        #expect(after[Self.type].map(\.start) == [5, 10, 10, 20, 20, 30, 30])
        #expect(after[Self.type].map(\.sequence) == [7, 2, 4, 3, 5, 1, 6])
        #expect(try again.check() == [])
        #expect(try again.storage.read { try $0.locate(one) } == StoredIdentity(type: Self.type, sequence: 1))
        #expect(try again.storage.read { try $0.locate(two) } == StoredIdentity(type: Self.type, sequence: 2))
        // The sync identifier still holds against a sample of the same version.
        let outcome = try again.save([.sample(event(Self.type, at: 40, sync: "a"))], as: Names.phone)
        #expect(outcome == SaveOutcome(saved: 0, ignored: 1, replaced: 0))
        #expect(try StoredSamples(HealthEngine(storage: again.storage))[Self.type].count == 7)
    }

    // MARK: - Types that have entered the catalog

    /// A store with samples of types that the catalog doesn't know, whose identifiers are then changed to those of
    /// types of the catalog: what a store of an earlier version looks like.
    private final class EarlierStore {
        let directory = FileManager.default.temporaryDirectory
            .appendingPathComponent("FormerTypesTests-\(UUID().uuidString)")
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
            try DatabaseQueue(path: path).write { database in
                for (old, new) in identifiers {
                    try database.execute(
                        sql: "UPDATE type SET identifier = ? WHERE identifier = ?", arguments: [new, old])
                }
            }
        }
    }

    private static let variability = Names.type("HKQuantityTypeIdentifierHeartRateVariabilityRMSSD")
    private static let menopause = Names.type("HKCategoryTypeIdentifierMenopausalState")

    private func quantity(_ type: TypeCode, _ value: Double, _ unit: String = "ms", at start: Double) -> SampleRecord {
        SampleRecord(uuid: UUID(), type: type, start: start, end: start + 1, value: value, unit: unit)
    }

    @Test func samplesOfTypesThatEnteredTheCatalogAreFoundUnderThem() throws {
        let store = try EarlierStore()
        var engine = try store.open()
        let (beats, state) = try engine.storage.write { transaction in
            (
                try transaction.intern(typeIdentifier: "FutureQuantity", kind: .quantity),
                try transaction.intern(typeIdentifier: "FutureCategory#category", kind: .category)
            )
        }
        try engine.close()
        engine = try store.open()
        let samples = (0..<7).map { quantity(beats, Double(30 + $0), at: Double($0 / 2)) }
        try engine.save(samples.map { .sample($0) }, as: Names.phone)
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
        #expect(after[Self.variability].map(\.value) == [30, 31, 32, 33, 35, 36, 2])
        #expect(after[Self.variability].map(\.uuid) == (samples.filter { $0.uuid != deleted } + [long]).map(\.uuid))
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
        #expect(members == [after[Self.variability][2].sequence])

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

    @Test func registrationsUnderFormerIdentifiersMove() throws {
        let store = try TestStore(.file)
        let (former, current) = (
            "HKCategoryTypeIdentifierEnvironmentalAudioExposureEvent", "HKCategoryTypeIdentifierAudioExposureEvent"
        )
        let deliveries = store.engine.backgroundDelivery
        try deliveries.setFrequency(2, of: former, for: "one")
        try deliveries.setFrequency(3, of: "HKQuantityTypeIdentifierStepCount", for: "one")
        try deliveries.setFrequency(1, of: former, for: "two")
        try deliveries.setFrequency(4, of: current, for: "two")
        let permission = TypeAuthorization(share: .denied, read: .authorized)
        try store.engine.authorization.set([Self.former: permission], bundleIdentifier: "one")
        let again = try HealthEngine(storage: store.engine.storage)
        #expect(
            try again.backgroundDelivery.frequencies(of: "one") == [current: 2, "HKQuantityTypeIdentifierStepCount": 3])
        #expect(try again.backgroundDelivery.frequencies(of: "two") == [current: 4])
        #expect(try again.authorization.decisions(bundleIdentifier: "one") == [Self.type: permission])
    }
}
