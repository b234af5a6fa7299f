import Foundation
import HealthEngine
import HealthImport
import HealthModel
import HealthStorage
import HealthTesting
import StorageContract
import Testing

/// A failure at any call of the storage leaves the store as it was.
struct AtomicityTests {
    /// Runs `program` on a fresh store with every possible fault in turn.
    private func failEverywhere(
        _ prepare: (HealthEngine) throws -> Void, _ program: (HealthEngine) throws -> Void
    ) throws {
        var runs = 0
        for point in [Fault.Point.read, .write, .commit] {
            var after = 0
            while true {
                let base = InMemoryStorage(identity: StoreIdentity(uuid: UUID(), seed: 7))
                let faulty = FaultStorage(base)
                let engine = try HealthEngine(
                    storage: faulty, configuration: EngineConfiguration(pageCapacity: 3))
                try prepare(engine)
                let before = try base.read { try StorageContents(of: $0) }
                faulty.inject(Fault(at: point, after: after))
                var hasFailed = false
                do {
                    try program(engine)
                } catch is StorageError {
                    hasFailed = true
                }
                faulty.inject(nil)
                guard hasFailed else { break }
                let left = try base.read { try StorageContents(of: $0) }
                #expect(left == before, "\(point) \(after): \(left.differences(from: before))")
                #expect(try engine.check() == [])
                // The same again succeeds: nothing of the failure is remembered.
                try program(engine)
                #expect(try engine.check() == [])
                after += 1
                runs += 1
            }
        }
        #expect(runs > 10)
    }

    private let uuids = (0..<8).map { _ in UUID() }

    private func sample(_ index: Int, version: Int64 = 1) -> SampleRecord {
        SampleRecord(
            uuid: version == 1 ? uuids[index] : nil, type: Names.mass, start: Double(index % 3),
            end: Double(index), value: Double(index), unit: "kg",
            metadata: Metadata([
                .init(key: MetadataKey.syncIdentifier, value: .string("\(index)")),
                .init(key: MetadataKey.syncVersion, value: .integer(version)),
            ]))
    }

    @Test func savingAndReplacing() throws {
        try failEverywhere { engine in
            try engine.save((3..<8).map { .sample(sample($0)) }, as: Names.phone)
        } _: { engine in
            try engine.save(
                [
                    .sample(sample(4, version: 2)),
                    .object(
                        ObjectRecord(
                            type: Names.bloodPressure, start: 0, end: 0,
                            members: [
                                .quantity(Names.systolic, 120, "mmHg", from: 0),
                                .quantity(Names.diastolic, 80, "mmHg", from: 0),
                            ])),
                ], as: Names.phone)
        }
    }

    @Test func deleting() throws {
        try failEverywhere { engine in
            try engine.save((3..<8).map { .sample(sample($0)) }, as: Names.phone)
        } _: { engine in
            try engine.deleteObjects(of: Names.mass, matching: .end(.greaterThan, 4), as: Names.phone)
        }
    }

    @Test func deletingSeveralTypes() throws {
        try failEverywhere { engine in
            try engine.save((3..<8).map { .sample(sample($0)) }, as: Names.phone)
            try engine.save(
                (0..<5).map { .sample(.quantity(Names.steps, 1, "count", from: Double($0))) }, as: Names.phone)
        } _: { engine in
            try engine.deleteObjects(of: [Names.steps, Names.mass], matching: .start(.greaterThan, 0), as: Names.phone)
        }
    }

    /// The samples that replace the deleted ones are of two sources, and some have the sync identifier of one that is deleted.
    @Test func deletingAndSaving() throws {
        try failEverywhere { engine in
            try engine.save((3..<8).map { .sample(sample($0)) }, as: Names.phone)
        } _: { engine in
            try engine.save(
                [
                    SaveGroup([.sample(sample(3, version: 2)), .sample(sample(1))], as: Names.phone),
                    SaveGroup([.sample(.quantity(Names.steps, 9, "count", from: 5))], as: Names.journal),
                ], deleting: [uuids[3], uuids[6]], as: Names.phone)
        }
    }

    @Test func replacingMembersOfAWorkout() throws {
        let workout = ObjectRecord(
            uuid: uuids[0], type: Names.workout, start: 0, end: 100,
            body: .workout(WorkoutBody(activityType: 37, duration: 100)))
        let former = SampleRecord(uuid: uuids[1], type: Names.heartRate, start: 10, end: 10, value: 2, unit: "count/s")
        try failEverywhere { engine in
            try engine.save([.object(workout)], as: Names.phone)
            try engine.addMembers([former], toObject: uuids[0], as: Names.phone)
        } _: { engine in
            try engine.addMembers(
                [.quantity(Names.heartRate, 3, "count/s", from: 10)], toObject: uuids[0], deleting: [uuids[1]],
                as: Names.phone)
        }
    }

    @Test func importing() throws {
        let records = (0..<5).map { index in
            SampleRecord(
                type: Names.steps, start: Double(index / 2), end: 9, value: 1, unit: "count",
                revision: Names.phone.revision)
        }
        var batch = BulkBatchBuilder.batch(records)
        batch.objects = [
            ObjectRecord(
                type: Names.bloodPressure, start: 0, end: 0, revision: Names.phone.revision,
                members: [.quantity(Names.systolic, 120, "mmHg", from: 0)])
        ]
        let whole = batch
        try failEverywhere { engine in
            _ = try BulkImport(engine: engine).commit(BulkBatchBuilder.batch(Array(records[0..<2])))
        } _: { engine in
            _ = try BulkImport(engine: engine).commit(whole)
        }
    }

    /// An import whose batch failed continues with the same batch as if nothing had happened.
    @Test func claimsOfAFailedBatchAreGivenBack() throws {
        let base = InMemoryStorage()
        let faulty = FaultStorage(base)
        let engine = try HealthEngine(storage: faulty)
        let records = (0..<4).map { _ in
            SampleRecord(
                type: Names.steps, start: 0, end: 9, value: 1, unit: "count",
                revision: Names.phone.revision)
        }
        _ = try BulkImport(engine: engine).commit(BulkBatchBuilder.batch(Array(records[0..<2])))
        let bulk = BulkImport(engine: engine)
        for point in [Fault.Point.commit, .write] {
            faulty.inject(Fault(at: point, after: 0))
            #expect(throws: StorageError.self) { try bulk.commit(BulkBatchBuilder.batch(records)) }
        }
        let outcome = try bulk.commit(BulkBatchBuilder.batch(records))
        #expect(outcome.added.values.reduce(0, +) == 2)
        #expect(outcome.alreadyThere.values.reduce(0, +) == 2)
    }
}
