import Dispatch
import Foundation
import HealthEngine
import HealthModel
import HealthImport
import HealthStorage
import Synchronization
import Testing

@Suite struct ObjectMembersTests {
    private let routeType = Names.type("HKWorkoutRouteTypeIdentifier")
    private let effortType = Names.type("HKQuantityTypeIdentifierWorkoutEffortScore")

    private func workout(_ uuid: UUID? = UUID()) -> ObjectRecord {
        ObjectRecord(
            uuid: uuid, type: Names.workout, start: 0, end: 100,
            body: .workout(WorkoutBody(activityType: 37, duration: 100)))
    }

    private func route() -> ObjectRecord {
        ObjectRecord(
            uuid: UUID(), type: routeType, start: 0, end: 100,
            body: .document(DocumentBody(series: ["timestamps": [0, 100]])))
    }

    private func beat(_ start: Double, uuid: UUID? = UUID()) -> SampleRecord {
        SampleRecord(
            uuid: uuid, type: Names.heartRate, start: start, end: start, value: 100, unit: "count/min")
    }

    private func members(_ type: TypeCode, of uuid: UUID, in engine: HealthEngine) throws -> Int {
        try engine.samples(
            SampleRequest(parts: [.init(type: type, filter: .memberOf(uuid))]), as: Names.journal
        ).count
    }

    @Test(arguments: TestStore.Backend.allCases)
    func anObjectOwnsSamplesAndObjects(_ backend: TestStore.Backend) throws {
        let store = try TestStore(backend, pageCapacity: 8)
        let engine = store.engine
        let owner = workout()
        let identity = try #require(owner.uuid)
        let beats = (0..<50).map { beat(Double($0), uuid: $0 % 2 == 0 ? UUID() : nil) }
        let places = try engine.saveMembers(beats, as: Names.journal)
        #expect(places.count == 50)
        #expect(Set(places.map(\.sequence)).count == 50)
        try engine.save(owner, owning: places, parts: [route()], as: Names.journal)
        #expect(try members(Names.heartRate, of: identity, in: engine) == 50)
        #expect(try members(routeType, of: identity, in: engine) == 1)
        try engine.addParts([route()], toObject: identity, as: Names.journal)
        #expect(try members(routeType, of: identity, in: engine) == 2)
        #expect(try engine.check().isEmpty)
        let stored = try engine.samples(
            SampleRequest(parts: [.init(type: Names.workout)]), as: Names.journal)
        #expect(stored.objects.first?.members.count == 50)
        // Objects owned are deleted like any other, and their links with them.
        _ = try engine.deleteObjects(of: routeType, matching: .all, as: Names.journal)
        #expect(try members(routeType, of: identity, in: engine) == 0)
        try engine.delete([identity], as: Names.journal)
        #expect(try members(Names.heartRate, of: identity, in: engine) == 0)
        #expect(try engine.check().isEmpty)
    }

    @Test func storedMembersAreFoundAndForeignOnesRefused() throws {
        let store = try TestStore()
        let mine = beat(1)
        _ = try store.engine.saveMembers([mine], as: Names.journal)
        let again = try store.engine.saveMembers([mine, beat(2)], as: Names.journal)
        #expect(again.count == 2 && again[0].sequence < again[1].sequence)
        #expect(try StoredSamples(store.engine)[Names.heartRate].count == 2)
        #expect(throws: EngineError.self) { try store.engine.saveMembers([mine], as: Names.tracker) }
    }

    @Test func missingMembersAreSkipped() throws {
        let store = try TestStore()
        let (kept, gone) = (beat(1), beat(2))
        let places = try store.engine.saveMembers([kept, gone], as: Names.journal)
        try store.engine.delete([try #require(gone.uuid)], as: Names.journal)
        let owner = workout()
        try store.engine.save(owner, owning: places, as: Names.journal)
        #expect(try members(Names.heartRate, of: try #require(owner.uuid), in: store.engine) == 1)
    }

    @Test func partsNeedAStoredOwnerOfTheCaller() throws {
        let store = try TestStore()
        #expect(throws: EngineError.self) {
            try store.engine.addParts([route()], toObject: UUID(), as: Names.journal)
        }
        let owner = workout()
        try store.engine.save([.object(owner)], as: Names.journal)
        #expect(throws: EngineError.authorizationDenied(Names.workout)) {
            try store.engine.addParts([route()], toObject: try #require(owner.uuid), as: Names.tracker)
        }
        #expect(try StoredSamples(store.engine).objects[routeType] == nil)
    }

    // MARK: Effort

    private func effort(_ value: Double) -> SampleRecord {
        SampleRecord(uuid: UUID(), type: effortType, start: 0, end: 100, value: value, unit: "appleEffortScore")
    }

    private func related(_ workout: UUID, in engine: HealthEngine) throws -> Int {
        try engine.samples(
            SampleRequest(
                parts: [.init(type: effortType, filter: .effortRelated(workout: workout, activity: nil))]),
            as: Names.journal
        ).count
    }

    @Test(arguments: TestStore.Backend.allCases)
    func effortIsRelatedAndTakenBack(_ backend: TestStore.Backend) throws {
        let store = try TestStore(backend)
        let engine = store.engine
        let owner = workout()
        let identity = try #require(owner.uuid)
        try engine.save([.object(owner)], as: Names.watch)
        let (first, second) = (effort(3), effort(5))
        try engine.workoutEffort.relate(first, toWorkout: identity, activity: nil, as: Names.journal)
        try engine.workoutEffort.relate(second, toWorkout: identity, activity: nil, as: Names.journal)
        #expect(try related(identity, in: engine) == 2)
        let (relations, sequence) = try engine.workoutEffort.relations(after: 0)
        #expect(relations.map(\.samples) == [[try #require(first.uuid), try #require(second.uuid)]])
        #expect(relations[0].workout == identity && relations[0].activity == nil)
        try engine.workoutEffort.unrelate(
            try #require(first.uuid), type: effortType, fromWorkout: identity, activity: nil, as: Names.journal)
        #expect(try engine.workoutEffort.relations(after: sequence).relations.map(\.samples.count) == [1])
        #expect(try related(identity, in: engine) == 1)
        #expect(throws: EngineError.self) {
            try engine.workoutEffort.unrelate(
                try #require(first.uuid), type: effortType, fromWorkout: identity, activity: nil, as: Names.journal)
        }
        #expect(throws: EngineError.self) {
            try engine.workoutEffort.relate(first, toWorkout: UUID(), activity: nil, as: Names.journal)
        }
        #expect(try engine.check().isEmpty)
    }

    // MARK: The running session

    @Test func oneSessionRunsAtATime() throws {
        let store = try TestStore()
        let engine = store.engine
        #expect(try engine.workoutSession.active() == nil)
        var first = ActiveWorkoutSession(token: UUID(), bundleIdentifier: "a", contents: Data([1]))
        let second = ActiveWorkoutSession(token: UUID(), bundleIdentifier: "b", contents: Data([2]))
        try engine.workoutSession.begin { first }
        first.contents = Data([3])
        try engine.workoutSession.update { first }
        #expect(try engine.workoutSession.active() == first)
        try engine.workoutSession.begin { second }
        // The one before can neither write nor end what is no longer its own.
        try engine.workoutSession.update { first }
        try engine.workoutSession.end(first.token)
        #expect(try engine.workoutSession.active() == second)
        try engine.workoutSession.end(second.token)
        #expect(try engine.workoutSession.active() == nil)
    }

    @Test func theLastRecordOfASessionIsTheLatest() throws {
        let store = try TestStore()
        let engine = store.engine
        let session = ActiveWorkoutSession(token: UUID(), bundleIdentifier: "a", contents: Data())
        try engine.workoutSession.begin { session }
        let changes = Mutex<UInt8>(0)
        DispatchQueue.concurrentPerform(iterations: 64) { _ in
            changes.withLock { $0 += 1 }
            try? engine.workoutSession.update {
                var session = session
                session.contents = Data([changes.withLock { $0 }])
                return session
            }
        }
        #expect(try engine.workoutSession.active()?.contents == Data([64]))
    }

    @Test func savedMembersAreFoundAgain() throws {
        let store = try TestStore()
        let (one, two) = (UUID(), UUID())
        func beat(_ uuid: UUID, _ start: Double) -> SampleRecord {
            SampleRecord(uuid: uuid, type: Names.heartRate, start: start, end: start, value: 1, unit: "count/s")
        }
        try store.engine.save([.sample(beat(one, 5))], as: Names.journal)
        let places = try store.engine.saveMembers([beat(two, 4), beat(one, 5)], as: Names.journal)
        #expect(places.map(\.sequence) == [2, 1])
        #expect(try StoredSamples(store.engine)[Names.heartRate].map(\.uuid) == [two, one])
        #expect(
            try store.engine.saveMembers([beat(one, 5), beat(two, 4)], as: Names.journal).map(\.sequence) == [1, 2])
        // Another application's members can't be taken.
        #expect(throws: EngineError.self) { try store.engine.saveMembers([beat(one, 5)], as: Names.tracker) }
        #expect(try StoredSamples(store.engine).count == 2)
        #expect(try store.engine.check() == [])
    }
}
