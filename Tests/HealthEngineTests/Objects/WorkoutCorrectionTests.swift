import Foundation
import HealthEngine
import HealthImport
import HealthModel
import HealthPages
import HealthStorage
import Testing

@Suite("A workout is corrected by another one in its place")
struct WorkoutCorrectionTests {
    private static let owner = Names.caller("org.example.person", "Person", permission: .owner)
    private static let bike = SourceRevisionRecord(source: SourceRecord(bundleIdentifier: "archive.Bike", name: "Bike"))
    private static let route = Names.type("HKWorkoutRouteTypeIdentifier")
    private static let effort = Names.type("HKQuantityTypeIdentifierWorkoutEffortScore")

    /// A ride of 100 s with a heart rate and an energy of 1 kcal in each second.
    private static func ride(metadata: Metadata = .empty) -> ObjectRecord {
        var body = WorkoutBody(
            activityType: 3_000, duration: 90, totalEnergyBurned: QuantityRecord(100, unit: "kcal"),
            totalDistance: QuantityRecord(500, unit: "m"),
            events: [
                .init(type: 1, start: 20, end: 20), .init(type: 2, start: 30, end: 30),
                .init(type: 3, start: 80, end: 100),
            ])
        body.statistics = [
            .init(
                type: "HKQuantityTypeIdentifierHeartRate", start: 0, end: 100, unit: "count/min", average: 149.5,
                minimum: 100, maximum: 199)
        ]
        let members = (0..<100).flatMap { second -> [SampleRecord] in
            let start = Double(second)
            return [
                .quantity(Names.heartRate, 100 + start, "count/min", from: start),
                .quantity(Names.energy, 1, "kcal", from: start, to: start + 1),
            ]
        }
        return ObjectRecord(
            type: Names.workout, start: 0, end: 100, revision: bike, device: DeviceRecord(name: "Edge"),
            metadata: metadata, body: .workout(body), members: members)
    }

    private static func path(_ seconds: ClosedRange<Int> = 0...100) -> ObjectRecord {
        ObjectRecord(
            type: route, start: Double(seconds.lowerBound), end: Double(seconds.upperBound), revision: bike,
            body: .document(
                DocumentBody(series: [
                    "timestamps": seconds.map(Double.init), "latitudes": seconds.map { 50 + Double($0) / 1_000 },
                    "longitudes": seconds.map { 8 + Double($0) / 1_000 },
                ])))
    }

    private static func batch() -> BulkBatch {
        var batch = BulkBatchBuilder.batch([], [ride()])
        batch.parts = [.init(owner: 0, object: path())]
        return batch
    }

    private func imported(_ backend: TestStore.Backend = .memory) throws -> TestStore {
        let store = try TestStore(backend)
        _ = try BulkImport(engine: store.engine).commit(Self.batch())
        return store
    }

    private func workout(_ store: TestStore) throws -> ObjectRecord {
        let found = try store.engine.samples(
            SampleRequest(parts: [.init(type: Names.workout)]), as: Self.owner
        ).objects
        #expect(found.count == 1)
        return try #require(found.first)
    }

    private func body(_ record: ObjectRecord) throws -> WorkoutBody {
        guard case .workout(let body) = record.body else { throw EngineError.noData }
        return body
    }

    @Test("The activity and the title, with all that belongs to it", arguments: TestStore.Backend.allCases)
    func activity(_ backend: TestStore.Backend) throws {
        let store = try imported(backend)
        let engine = store.engine
        let before = try workout(store)
        let old = try #require(before.uuid)
        let rating = SampleRecord(
            uuid: UUID(), type: Self.effort, start: 0, end: 100, value: 7, unit: "appleEffortScore")
        try engine.workoutEffort.relate(rating, toWorkout: old, activity: nil, as: Self.owner)
        let outcome = try engine.correctWorkout(
            old, WorkoutCorrection(activityType: 13, title: "To work"), as: Self.owner)
        let after = try workout(store)
        #expect(after.uuid == outcome.uuid && outcome.uuid != old)
        #expect((outcome.samplesOutside, outcome.locationsOutside, outcome.isMoved) == (0, 0, false))
        var expected = try body(before)
        expected.activityType = 13
        #expect(try body(after) == expected)
        #expect((after.start, after.end) == (before.start, before.end))
        #expect(after.revision == before.revision && after.device == before.device)
        #expect(after.metadata["Title"] == .string("To work"))
        #expect(after.members.count == 200)
        func count(_ filter: SampleFilter, _ type: TypeCode) throws -> Int {
            try engine.samples(SampleRequest(parts: [.init(type: type, filter: filter)]), as: Self.owner).count
        }
        #expect(try count(.memberOf(outcome.uuid), Self.route) == 1)
        #expect(try count(.effortRelated(workout: outcome.uuid, activity: nil), Self.effort) == 1)
        #expect(try count(.effortRelated(workout: old, activity: nil), Self.effort) == 0)
        #expect(try StoredSamples(engine).tombstones.map(\.uuid) == [old])
        #expect(try engine.check().isEmpty)
        // The same again changes nothing.
        let again = try engine.correctWorkout(outcome.uuid, WorkoutCorrection(activityType: 13), as: Self.owner)
        #expect(again.uuid == outcome.uuid)
    }

    @Test("A shorter workout has the figures of what remains, and the rest stays in the store")
    func shorter() throws {
        let store = try imported()
        let engine = store.engine
        let outcome = try engine.correctWorkout(
            try #require(workout(store).uuid), WorkoutCorrection(end: 49.5), as: Self.owner)
        #expect((outcome.samplesOutside, outcome.locationsOutside, outcome.isMoved) == (100, 51, false))
        let after = try workout(store)
        let body = try body(after)
        #expect(after.end == 49.5 && body.duration == 39.5)
        #expect(body.events.map(\.type) == [1, 2])
        #expect(body.totalEnergyBurned == QuantityRecord(50, unit: "kcal"))
        // Nothing measured it.
        #expect(body.totalDistance == QuantityRecord(500, unit: "m"))
        let figures = try #require(body.statistics.first)
        #expect((figures.minimum, figures.maximum, figures.end) == (100, 149, 49.5))
        #expect(after.members.count == 100)
        #expect(try StoredSamples(engine).samples[Names.heartRate]?.count == 100)
        let routes = try engine.samples(
            SampleRequest(parts: [.init(type: Self.route, filter: .memberOf(outcome.uuid))]), as: Self.owner
        ).objects
        guard case .document(let document)? = routes.first?.body else { throw EngineError.noData }
        #expect(document.series.values.allSatisfy { $0.count == 50 } && routes.count == 1)
        #expect(try engine.check().isEmpty)
    }

    @Test("A workout whose clock was wrong is moved with all it has")
    func moved() throws {
        let store = try imported()
        let outcome = try store.engine.correctWorkout(
            try #require(workout(store).uuid), WorkoutCorrection(start: 3_600, end: 3_700), as: Self.owner)
        #expect((outcome.samplesOutside, outcome.locationsOutside, outcome.isMoved) == (200, 101, true))
        let after = try workout(store)
        let body = try body(after)
        #expect(after.members.count == 200 && body.duration == 90)
        #expect(body.events.map(\.start) == [3_620, 3_630, 3_680])
        #expect(body.totalEnergyBurned == QuantityRecord(100, unit: "kcal"))
    }

    @Test("A clock error shorter than the workout moves it as well", arguments: [50.0...150, -100...0, -50...52])
    func shifted(_ times: ClosedRange<Double>) throws {
        let store = try imported()
        let uuid = try #require(workout(store).uuid)
        let correction = WorkoutCorrection(start: times.lowerBound, end: times.upperBound)
        let outcome = try store.engine.correctWorkout(uuid, correction, as: Self.owner)
        #expect(outcome.isMoved && !outcome.hasLosses)
        let after = try workout(store)
        let body = try body(after)
        #expect(after.members.count == 200)
        #expect(body.events.map(\.start) == [20, 30, 80].map { $0 + times.lowerBound })
        #expect(body.totalEnergyBurned == QuantityRecord(100, unit: "kcal"))
        #expect(try routeLengths(store, outcome.uuid) == [101])
    }

    private func routeLengths(_ store: TestStore, _ workout: UUID) throws -> [Int] {
        try store.engine.samples(
            SampleRequest(parts: [.init(type: Self.route, filter: .memberOf(workout))]), as: Self.owner
        ).objects.map { route in
            guard case .document(let document) = route.body else { throw EngineError.noData }
            return document.series["timestamps"]?.count ?? 0
        }
    }

    @Test("A preview says what is outside, and changes nothing", arguments: TestStore.Backend.allCases)
    func preview(_ backend: TestStore.Backend) throws {
        let store = try imported(backend)
        let uuid = try #require(workout(store).uuid)
        let outcome = try store.engine.previewCorrection(uuid, WorkoutCorrection(end: 49.5), as: Self.owner)
        #expect((outcome.uuid, outcome.samplesOutside, outcome.locationsOutside) == (uuid, 100, 51))
        #expect(outcome.hasLosses)
        let after = try workout(store)
        #expect(after.uuid == uuid && after.end == 100 && after.members.count == 200)
        #expect(try routeLengths(store, uuid) == [101])
        #expect(try StoredSamples(store.engine).tombstones.isEmpty)
        #expect(try store.engine.check().isEmpty)
    }

    @Test("Of several routes, one that is wholly outside of the new times goes")
    func routes() throws {
        let store = try TestStore()
        var batch = BulkBatchBuilder.batch([], [Self.ride()])
        batch.parts = [0...40, 60...100].map { .init(owner: 0, object: Self.path($0)) }
        _ = try BulkImport(engine: store.engine).commit(batch)
        let outcome = try store.engine.correctWorkout(
            try #require(workout(store).uuid), WorkoutCorrection(end: 49.5), as: Self.owner)
        #expect(outcome.locationsOutside == 41)
        #expect(try routeLengths(store, outcome.uuid) == [41])
        #expect(try StoredSamples(store.engine).objects[Self.route]?.count == 1)
        #expect(try StoredSamples(store.engine).tombstones.count == 2)
        #expect(try store.engine.check().isEmpty)
    }

    @Test("A workout without links to samples, as in Apple’s archives, has the figures of those of its source")
    func unlinked() throws {
        let store = try TestStore()
        var ride = Self.ride()
        let samples = ride.members.map { sample in
            var sample = sample
            sample.revision = Self.bike
            return sample
        }
        ride.members = []
        var batch = BulkBatchBuilder.batch(samples, [ride])
        batch.parts = [.init(owner: 0, object: Self.path())]
        _ = try BulkImport(engine: store.engine).commit(batch)
        // Another source measured as well.
        try store.engine.save([.sample(.quantity(Names.heartRate, 40, "count/min", from: 10))], as: Names.phone)
        let outcome = try store.engine.correctWorkout(
            try #require(workout(store).uuid), WorkoutCorrection(end: 49.5), as: Self.owner)
        #expect((outcome.samplesOutside, outcome.locationsOutside, outcome.isMoved) == (0, 51, false))
        let after = try workout(store)
        let figures = try #require(body(after).statistics.first)
        #expect((figures.minimum, figures.maximum, figures.end) == (100, 149, 49.5))
        #expect(after.members.isEmpty)
        #expect(try StoredSamples(store.engine).samples[Names.heartRate]?.count == 101)
    }

    @Test(
        "Importing the same again adds nothing",
        arguments: [
            WorkoutCorrection(activityType: 13), WorkoutCorrection(title: "Hills"), WorkoutCorrection(end: 49.5),
            WorkoutCorrection(start: 3_600, end: 3_700),
        ])
    func again(_ correction: WorkoutCorrection) throws {
        let store = try imported()
        let first = try store.engine.correctWorkout(
            try #require(workout(store).uuid), correction, as: Self.owner)
        // A correction of the correction is still recognized.
        let last = try store.engine.correctWorkout(
            first.uuid, WorkoutCorrection(activityType: 37, title: "Mine"), as: Self.owner)
        let before = try StoredSamples(store.engine)
        let outcome = try BulkImport(engine: store.engine).commit(Self.batch())
        #expect(outcome.added.isEmpty)
        #expect(outcome.alreadyThere["HKWorkoutTypeIdentifier"] == 1)
        let after = try StoredSamples(store.engine)
        #expect(try workout(store).uuid == last.uuid)
        #expect(after.objects[Names.workout]?.map(\.object) == before.objects[Names.workout]?.map(\.object))
        #expect(after.objects[Self.route]?.count == before.objects[Self.route]?.count)
        #expect(after.samples.mapValues(\.count) == before.samples.mapValues(\.count))
    }

    @Test("A file that has the identity of a corrected workout adds nothing, also in another form of the workout")
    func identity() throws {
        let store = try TestStore()
        var batch = Self.batch()
        let uuid = UUID()
        batch.objects[0].uuid = uuid
        _ = try BulkImport(engine: store.engine).commit(batch)
        let outcome = try store.engine.correctWorkout(uuid, WorkoutCorrection(activityType: 13), as: Self.owner)
        // An older export has less of it.
        batch.objects[0].metadata.set("Device", .string("Edge"))
        batch.objects[0].body = .workout(WorkoutBody(activityType: 3_000, duration: 80))
        batch.objects[0].members = []
        #expect(try BulkImport(engine: store.engine).commit(batch).added.isEmpty)
        #expect(try workout(store).uuid == outcome.uuid)
    }

    @Test("A workout that is corrected between the batches of an import is known to the next")
    func between() throws {
        let store = try TestStore()
        _ = try BulkImport(engine: store.engine).commit(Self.batch())
        let bulk = BulkImport(engine: store.engine)
        var other = Self.batch()
        other.objects[0].start = -500
        _ = try bulk.commit(other)
        let uuid = try #require(
            store.engine.samples(
                SampleRequest(parts: [.init(type: Names.workout, filter: .start(.equal, 0))]), as: Self.owner
            ).objects.first?.uuid)
        _ = try store.engine.correctWorkout(uuid, WorkoutCorrection(activityType: 13), as: Self.owner)
        #expect(try bulk.commit(Self.batch()).added.isEmpty)
    }

    @Test("An application’s sync version gives way to a later one only")
    func sync() throws {
        let store = try TestStore()
        let metadata = Metadata([
            .init(key: MetadataKey.syncIdentifier, value: .string("ride")),
            .init(key: MetadataKey.syncVersion, value: .integer(1)),
        ])
        func save(_ version: Int64) throws -> SaveOutcome {
            var ride = Self.ride(metadata: metadata)
            ride.members = []
            ride.metadata.set(MetadataKey.syncVersion, .integer(version))
            return try store.engine.save([.object(ride)], as: Names.journal)
        }
        #expect(try save(1).saved == 1)
        _ = try store.engine.correctWorkout(
            try #require(workout(store).uuid), WorkoutCorrection(activityType: 13), as: Self.owner)
        #expect(try workout(store).metadata[MetadataKey.syncVersion] == .integer(2))
        #expect(try save(2).ignored == 1)
        #expect(try save(3).replaced == 1)
        #expect(try body(workout(store)).activityType == 3_000)
    }

    @Test("Only the person corrects, and no workout ends before it starts")
    func mistakes() throws {
        let store = try imported()
        let uuid = try #require(workout(store).uuid)
        #expect(throws: EngineError.authorizationDenied(Names.workout)) {
            try store.engine.correctWorkout(uuid, WorkoutCorrection(activityType: 13), as: Names.journal)
        }
        #expect(throws: EngineError.self) {
            try store.engine.correctWorkout(uuid, WorkoutCorrection(end: -1), as: Self.owner)
        }
        #expect(throws: EngineError.self) {
            try store.engine.correctWorkout(UUID(), WorkoutCorrection(title: "x"), as: Self.owner)
        }
        #expect(try workout(store).uuid == uuid)
    }
}
