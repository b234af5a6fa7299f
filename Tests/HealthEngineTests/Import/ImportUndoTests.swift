import Foundation
import HealthEngine
import HealthImport
import HealthModel
import Testing

@Suite("An import is undone as a whole")
struct ImportUndoTests {
    private static let owner = Names.caller("org.example.person", "Person", permission: .owner)
    private static let phone = SourceRevisionRecord(
        source: SourceRecord(bundleIdentifier: "archive.Phone", name: "Phone"))

    private func steps(_ starts: Range<Int>) -> [SampleRecord] {
        starts.map { start in
            SampleRecord(
                type: Names.steps, start: Double(start), end: Double(start) + 1, value: 1, unit: "count",
                revision: Self.phone)
        }
    }

    private func pressure(_ start: Double) -> ObjectRecord {
        let values = [(Names.systolic, 120.0), (Names.diastolic, 80.0)].map { type, value in
            SampleRecord(type: type, start: start, end: start, value: value, unit: "mmHg", revision: Self.phone)
        }
        return ObjectRecord(
            type: Names.bloodPressure, start: start, end: start, revision: Self.phone, members: values)
    }

    /// Imports batches as one import, between which something else happens, and adds it to the list.
    private func run(_ batches: [BulkBatch], in store: TestStore, between: () throws -> Void = {}) throws {
        let recorder = CommitRecorder()
        let bulk = BulkImport(engine: store.engine)
        for batch in batches {
            _ = try CommitRecorder.$current.withValue(recorder) { try bulk.commit(batch) }
            try between()
        }
        try store.engine.imports.addReport([], added: recorder.sequences)
    }

    private func starts(_ store: TestStore) throws -> [Double] {
        try StoredSamples(store.engine).samples[Names.steps, default: []].map(\.start).sorted()
    }

    @Test("What was there before, between its batches and later stays", arguments: TestStore.Backend.allCases)
    func others(_ backend: TestStore.Backend) throws {
        let store = try TestStore(backend, pageCapacity: 8)
        let engine = store.engine
        try run([BulkBatchBuilder.batch(steps(0..<10))], in: store)
        var next = 100
        // The second has what the first had; an application saves between its batches.
        try run(
            [BulkBatchBuilder.batch(steps(0..<20)), BulkBatchBuilder.batch(steps(20..<30), [pressure(5)])], in: store
        ) {
            try engine.save([.sample(steps(next..<next + 1)[0])], as: Names.phone)
            next += 1
        }
        try run([BulkBatchBuilder.batch(steps(15..<40))], in: store)
        let contents = try engine.contents(ofImport: 2)
        #expect(contents.total == 23)
        #expect(contents.counts.first?.count == 20 && contents.counts.first?.source == "Phone")
        let anchor = try StoredSamples(engine).tombstones.count
        #expect(try engine.undoImport(2) == 23)
        #expect(try starts(store) == (Array(0..<10) + Array(30..<40) + [100, 101]).map(Double.init))
        #expect(try StoredSamples(engine).tombstones.count == anchor + 23)
        #expect(try StoredSamples(engine).objects[Names.bloodPressure, default: []].isEmpty)
        #expect(try engine.check().isEmpty)
        #expect(try engine.imports.reports().map(\.number) == [3, 1])
        #expect(throws: EngineError.self) { try engine.undoImport(2) }
        // Everything comes back.
        try run(
            [BulkBatchBuilder.batch(steps(0..<20), [pressure(5)]), BulkBatchBuilder.batch(steps(20..<30))], in: store)
        #expect(try starts(store) == (Array(0..<40) + [100, 101]).map(Double.init))
        #expect(try StoredSamples(engine).objects[Names.bloodPressure]?.first?.members.count == 2)
        #expect(try engine.imports.reports().map(\.number) == [4, 3, 1])
    }

    @Test("A value of a blood pressure of another import stays with it")
    func members() throws {
        let store = try TestStore()
        try run([BulkBatchBuilder.batch(pressure(5).members)], in: store)
        try run([BulkBatchBuilder.batch([], [pressure(5)])], in: store)
        #expect(try store.engine.contents(ofImport: 1).total == 0)
        #expect(try store.engine.undoImport(1) == 0)
        #expect(try StoredSamples(store.engine).objects[Names.bloodPressure]?.first?.members.count == 2)
        #expect(try store.engine.undoImport(2) == 1)
    }

    @Test("A workout that was corrected goes with its import")
    func corrected() throws {
        let store = try TestStore()
        let workout = ObjectRecord(
            type: Names.workout, start: 0, end: 100, revision: Self.phone,
            body: .workout(WorkoutBody(activityType: 3_000, duration: 100)))
        try run([BulkBatchBuilder.batch([], [workout])], in: store)
        let stored = try store.engine.samples(
            SampleRequest(parts: [.init(type: Names.workout)]), as: Self.owner
        ).objects
        let uuid = try #require(stored.first?.uuid)
        // The import has rated it.
        let recorder = CommitRecorder()
        let rating = SampleRecord(
            uuid: UUID(), type: Names.type("HKQuantityTypeIdentifierWorkoutEffortScore"), start: 0, end: 100, value: 7,
            unit: "appleEffortScore")
        try CommitRecorder.$current.withValue(recorder) {
            try store.engine.workoutEffort.relate(rating, toWorkout: uuid, activity: nil, as: Self.owner)
        }
        try store.engine.imports.addReport([], added: recorder.sequences)
        _ = try store.engine.correctWorkout(uuid, WorkoutCorrection(activityType: 13), as: Self.owner)
        #expect(try store.engine.undoImport(1) == 1)
        #expect(try StoredSamples(store.engine).objects[Names.workout, default: []].isEmpty)
        // The rating and its relation.
        #expect(try store.engine.undoImport(2) == 2)
        #expect(try store.engine.workoutEffort.relations(after: 0).relations.isEmpty)
    }
}
