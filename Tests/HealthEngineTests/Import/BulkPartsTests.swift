import Foundation
import HealthEngine
import HealthImport
import HealthModel
import HealthStorage
import Testing

/// Objects that belong to objects: routes of workouts, and recordings known by their content.
struct BulkPartsTests {
    private static let workoutType = TypeCatalog.description(for: "HKWorkoutTypeIdentifier")!.code
    private static let routeType = TypeCatalog.description(for: "HKWorkoutRouteTypeIdentifier")!.code
    private static let workoutName = "HKWorkoutTypeIdentifier"
    private static let routeName = "HKWorkoutRouteTypeIdentifier"
    private let watch = SourceRevisionRecord(
        source: SourceRecord(bundleIdentifier: "archive.Watch", name: "Watch"), version: "10")

    private func workout(_ start: Double, duration: Double = 600, naming routes: [String] = []) -> ObjectRecord {
        ObjectRecord(
            type: Self.workoutType, start: start, end: start + 3_600, revision: watch,
            body: .workout(
                WorkoutBody(
                    activityType: 37, duration: duration,
                    archived: routes.map {
                        ArchivedElement(name: "WorkoutRoute", attributes: [.init(name: "path", value: $0)])
                    })))
    }

    private func route(_ start: Double, _ latitudes: [Double], path: String = "/a.gpx") -> ObjectRecord {
        ObjectRecord(
            type: Self.routeType, start: start, end: start + 3_600, revision: watch,
            metadata: Metadata([.init(key: "_archived.route.path", value: .string(path))]),
            body: .document(
                DocumentBody(series: [
                    "latitudes": latitudes, "timestamps": latitudes.indices.map { start + Double($0) },
                ])))
    }

    private func commit(_ objects: [ObjectRecord], _ parts: [(Int, ObjectRecord)], to store: TestStore) throws
        -> BulkOutcome
    {
        try BulkImport(engine: store.engine).commit(
            BulkBatch(objects: objects, parts: parts.map { .init(owner: $0.0, object: $0.1) }))
    }

    /// The latitudes of the routes of each workout, workouts in the order of their starts.
    private func routes(of store: TestStore) throws -> [[[Double]]] {
        let found = try select(Self.workoutType, .all, store)
        return try found.objects.sorted { ($0.start, $0.sequence) < ($1.start, $1.sequence) }.map { workout in
            let identity = workout.uuid ?? found.identities.uuid(for: workout.sequence)
            return try select(Self.routeType, .memberOf(identity), store).objects
                .sorted { $0.sequence < $1.sequence }
                .compactMap { route in
                    guard case .document(let body) = route.body else { return nil }
                    return body.series["latitudes"]
                }
        }
    }

    private func select(_ type: TypeCode, _ filter: SampleFilter, _ store: TestStore) throws -> SampleSelection {
        try store.engine.samples(
            SampleRequest(parts: [.init(type: type, filter: filter)]), as: Caller(revision: watch, permission: .owner))
    }

    private func objects(_ type: TypeCode, _ store: TestStore) throws -> [ObjectRecord] {
        try select(type, .all, store).objects
    }

    @Test(arguments: TestStore.Backend.allCases)
    func writesPartsWithTheirOwners(_ backend: TestStore.Backend) throws {
        let store = try TestStore(backend)
        let outcome = try commit(
            [workout(0), workout(10_000)], [(1, route(10_000, [1, 2])), (0, route(0, [3])), (1, route(10_000, [4]))],
            to: store)
        #expect(outcome == BulkOutcome(added: [Self.workoutName: 2, Self.routeName: 3]))
        #expect(try routes(of: store) == [[[3]], [[1, 2], [4]]])
        #expect(try store.engine.check() == [])
    }

    @Test(
        "Objects that a batch replaces are removed with their members, and only if the batch is stored",
        arguments: TestStore.Backend.allCases)
    func replaces(_ backend: TestStore.Backend) throws {
        let store = try TestStore(backend)
        _ = try commit([workout(0), workout(10_000)], [(0, route(0, [1])), (1, route(10_000, [2]))], to: store)
        let found = try select(Self.workoutType, .all, store)
        let poor = try #require(found.objects.first { $0.start == 0 })
        let replaced = poor.uuid ?? found.identities.uuid(for: poor.sequence)

        var refused = BulkBatchBuilder.batch(
            [SampleRecord(type: Names.steps, start: 60, end: 0, value: 1, unit: "count", revision: watch)])
        refused.replaced = [replaced]
        #expect(throws: EngineError.self) { try BulkImport(engine: store.engine).commit(refused) }
        #expect(try routes(of: store) == [[[1]], [[2]]])

        var batch = BulkBatch(objects: [workout(0)], parts: [.init(owner: 0, object: route(0, [1, 3]))])
        batch.replaced = [replaced, UUID()]
        let outcome = try BulkImport(engine: store.engine).commit(batch)
        #expect(outcome == BulkOutcome(added: [Self.workoutName: 1, Self.routeName: 1]))
        #expect(try routes(of: store) == [[[1, 3]], [[2]]])
        #expect(try select(Self.workoutType, .all, store).objects.allSatisfy { $0.sequence != poor.sequence })
        #expect(try store.engine.check() == [])
    }

    @Test(arguments: TestStore.Backend.allCases)
    func theSameAgainAddsNothing(_ backend: TestStore.Backend) throws {
        let store = try TestStore(backend)
        _ = try commit([workout(0)], [(0, route(0, [1, 2]))], to: store)
        let sequence = try store.engine.lastSequence()
        // The file has another name by now.
        let again = try commit([workout(0)], [(0, route(0, [1, 2], path: "/b.gpx"))], to: store)
        #expect(again == BulkOutcome(alreadyThere: [Self.workoutName: 1, Self.routeName: 1]))
        #expect(try store.engine.lastSequence() == sequence)
        #expect(try routes(of: store) == [[[1, 2]]])
    }

    @Test(arguments: TestStore.Backend.allCases)
    func aStoredOwnerGainsNewParts(_ backend: TestStore.Backend) throws {
        let store = try TestStore(backend)
        _ = try commit([workout(0, naming: ["/a.gpx", "/b.gpx"])], [], to: store)
        // The same, with one of the two files.
        let second = try commit([workout(0, naming: ["/b.gpx"])], [(0, route(0, [1]))], to: store)
        #expect(second == BulkOutcome(added: [Self.routeName: 1], alreadyThere: [Self.workoutName: 1]))
        #expect(try routes(of: store) == [[[1]]])
        let stored = try #require(try objects(Self.workoutType, store).first)
        guard case .workout(let body) = stored.body else {
            Issue.record("no workout")
            return
        }
        #expect(body.archived.map { $0["path"] } == ["/b.gpx"])
        // Without any file nothing is lost or added.
        let third = try commit([workout(0, naming: ["/a.gpx", "/b.gpx"])], [], to: store)
        #expect(third == BulkOutcome(alreadyThere: [Self.workoutName: 1]))
        #expect(try objects(Self.workoutType, store).first?.body == stored.body)
        #expect(try store.engine.check() == [])
    }

    @Test(arguments: TestStore.Backend.allCases)
    func anotherWorkoutIsAnother(_ backend: TestStore.Backend) throws {
        let store = try TestStore(backend)
        _ = try commit([workout(0)], [(0, route(0, [1]))], to: store)
        let outcome = try commit([workout(0, duration: 601)], [(0, route(0, [1.5]))], to: store)
        #expect(outcome == BulkOutcome(added: [Self.workoutName: 1, Self.routeName: 1]))
        #expect(try routes(of: store) == [[[1]], [[1.5]]])
    }

    @Test(arguments: TestStore.Backend.allCases)
    func aStoredPartIsLinkedToANewOwner(_ backend: TestStore.Backend) throws {
        let store = try TestStore(backend)
        _ = try commit([route(0, [1])], [], to: store)
        let outcome = try commit([workout(0)], [(0, route(0, [1]))], to: store)
        #expect(outcome == BulkOutcome(added: [Self.workoutName: 1], alreadyThere: [Self.routeName: 1]))
        #expect(try routes(of: store) == [[[1]]])
    }

    @Test func equalPartsKeepTheirNumber() throws {
        let store = try TestStore(.memory)
        _ = try commit([workout(0), workout(0)], [(0, route(0, [1])), (1, route(0, [1]))], to: store)
        #expect(try routes(of: store) == [[[1]], [[1]]])
        let again = try commit([workout(0), workout(0)], [(0, route(0, [1])), (1, route(0, [1]))], to: store)
        #expect(again.added == [:] && again.alreadyThere == [Self.workoutName: 2, Self.routeName: 2])
        #expect(try routes(of: store) == [[[1]], [[1]]])
    }

    @Test func recordingsAreKnownByTheirSeries() throws {
        let store = try TestStore(.memory)
        var nan = route(0, [1, .nan])
        nan.metadata = .empty
        _ = try commit([nan, route(0, [2])], [], to: store)
        var worded = nan
        worded.metadata = Metadata([.init(key: "k", value: .string("v"))])
        #expect(
            try commit([worded, route(0, [2.5])], [], to: store)
                == BulkOutcome(added: [Self.routeName: 1], alreadyThere: [Self.routeName: 1]))
    }

    /// A workout with samples in mixed order, two of which are equal, with and without metadata.
    private func measuredWorkout(_ start: Double) -> ObjectRecord {
        var object = workout(start)
        for second in [3.0, 1, 2, 2, 5] {
            let metadata = second == 1 ? Metadata([.init(key: "k", value: .integer(1))]) : .empty
            for (type, unit) in [(Names.heartRate, "count/min"), (Names.steps, "count")] {
                object.members.append(
                    SampleRecord(
                        type: type, start: start + second, end: start + second, value: 100 + second, unit: unit,
                        revision: watch, metadata: metadata))
            }
        }
        return object
    }

    @Test(
        "Members are the same as records and as columns", arguments: TestStore.Backend.allCases, [false, true])
    func membersInColumns(_ backend: TestStore.Backend, _ columnsFirst: Bool) throws {
        let store = try TestStore(backend, pageCapacity: 3)
        let workouts = [measuredWorkout(0), measuredWorkout(10_000)]
        let batches = [BulkBatch(objects: workouts), BulkBatchBuilder.batch(withColumnsOf: workouts)]
        let names = ["HKQuantityTypeIdentifierHeartRate", "HKQuantityTypeIdentifierStepCount"]
        let first = try BulkImport(engine: store.engine).commit(batches[columnsFirst ? 1 : 0])
        #expect(first == BulkOutcome(added: [Self.workoutName: 2, names[0]: 10, names[1]: 10]))
        let again = try BulkImport(engine: store.engine).commit(batches[columnsFirst ? 0 : 1])
        #expect(again == BulkOutcome(alreadyThere: first.added))

        let stored = try StoredSamples(store.engine)
        for (type, unit) in [(Names.heartRate, "count/min"), (Names.steps, "count")] {
            #expect(stored[type].map(\.value) == [101, 102, 102, 103, 105, 101, 102, 102, 103, 105])
            #expect(stored[type].allSatisfy { $0.unit == unit && $0.revision == watch })
            #expect(stored[type].map { $0.metadata.entries.count } == [1, 0, 0, 0, 0, 1, 0, 0, 0, 0])
        }
        let members = try #require(stored.objects[Self.workoutType]).map(\.members)
        #expect(members.map(\.count) == [10, 10] && Set(members.joined()).count == 20)
        #expect(try store.engine.check() == [])
    }

    @Test func workoutsShareTheirMembers() throws {
        let store = try TestStore(.memory)
        var longer = measuredWorkout(0)
        longer.end += 60
        let outcome = try BulkImport(engine: store.engine).commit(
            BulkBatchBuilder.batch(withColumnsOf: [measuredWorkout(0), longer]))
        #expect(outcome.added["HKQuantityTypeIdentifierHeartRate"] == 5)
        let members = try #require(try StoredSamples(store.engine).objects[Self.workoutType]).map(\.members)
        #expect(members.count == 2 && Set(members[0]) == Set(members[1]))
    }

    @Test func refusesMembersWithoutAnOwner() throws {
        let store = try TestStore(.memory)
        var batch = BulkBatchBuilder.batch(withColumnsOf: [measuredWorkout(0)])
        batch.members[0].owner = 1
        #expect(throws: EngineError.self) { try BulkImport(engine: store.engine).commit(batch) }
        #expect(try objects(Self.workoutType, store) == [])
    }

    @Test func refusesPartsWithoutAnOwner() throws {
        let store = try TestStore(.memory)
        #expect(throws: EngineError.self) { try commit([workout(0)], [(1, route(0, [1]))], to: store) }
        #expect(try objects(Self.workoutType, store) == [])
    }
}
