import Foundation
import HealthEngine
import HealthImport
import HealthModel
import HealthStorage
import Synchronization
import Testing

struct BulkImportTests {
    private let watch = SourceRevisionRecord(
        source: SourceRecord(bundleIdentifier: "archive.Watch", name: "Anna’s\u{a0}Watch"), version: "9.1")
    private let phone = SourceRevisionRecord(
        source: SourceRecord(bundleIdentifier: "archive.Phone", name: "Phone"), version: "16")

    private func steps(
        _ start: Double, _ value: Double = 10, _ revision: SourceRevisionRecord? = nil,
        device: DeviceRecord? = nil, metadata: Metadata = .empty
    ) -> SampleRecord {
        SampleRecord(
            type: Names.steps, start: start, end: start + 60, value: value, unit: "count",
            revision: revision ?? phone, device: device, metadata: metadata, creation: start + 90)
    }

    private func commit(
        _ samples: [SampleRecord], _ objects: [ObjectRecord] = [], to store: TestStore
    ) throws -> BulkOutcome {
        try BulkImport(engine: store.engine).commit(BulkBatchBuilder.batch(samples, objects))
    }

    private let stepsName = "HKQuantityTypeIdentifierStepCount"

    // MARK: Repetition

    /// A storage that, once, repeats a transaction before which another writer has committed.
    private final class RepeatingStorage: HealthStorage {
        private struct Discarded: Error {}

        let base: any HealthStorage
        let other = Mutex<(@Sendable () throws -> Void)?>(nil)

        init(_ base: any HealthStorage) { self.base = base }

        func read<Value>(_ body: (any StorageSnapshot) throws -> Value) throws -> Value { try base.read(body) }

        func write<Value>(_ body: (any StorageTransaction) throws -> Value) throws -> Value {
            let other = other.withLock { other in
                defer { other = nil }
                return other
            }
            if let other {
                #expect(throws: Discarded.self) {
                    try base.write { transaction in
                        _ = try body(transaction)
                        throw Discarded()
                    }
                }
                try other()
            }
            return try base.write(body)
        }

        func observeForeignCommits(_ handler: @escaping @Sendable () -> Void) -> StorageSubscription {
            base.observeForeignCommits(handler)
        }

        func close() throws { try base.close() }
    }

    @Test("A batch that the storage repeats recognizes what was stored meanwhile")
    func repeatedBatches() throws {
        let base = try StorageProviders.shared.openInMemory()
        let storage = RepeatingStorage(base)
        let (engine, other) = (try HealthEngine(storage: storage), try HealthEngine(storage: base))
        let type = try #require(TypeCatalog.description(for: "HKWorkoutTypeIdentifier")).code
        let workout = ObjectRecord(
            type: type, start: 1_000, end: 2_000, revision: phone,
            body: .workout(WorkoutBody(activityType: 37, duration: 1_000)))
        let bulk = BulkImport(engine: engine)
        _ = try bulk.commit(BulkBatchBuilder.batch([steps(1)], []))
        storage.other.withLock { pending in
            pending = { _ = try BulkImport(engine: other).commit(BulkBatchBuilder.batch([], [workout])) }
        }
        #expect(try bulk.commit(BulkBatchBuilder.batch([], [workout])).alreadyThere == ["HKWorkoutTypeIdentifier": 1])
        #expect(
            try bulk.commit(BulkBatchBuilder.batch([], [workout])).added == ["HKWorkoutTypeIdentifier": 1],
            "one matches one")
        #expect(try engine.check() == [])
    }

    // MARK: Samples

    @Test(arguments: TestStore.Backend.allCases)
    func sortsNumbersAndFillsPages(_ backend: TestStore.Backend) throws {
        let store = try TestStore(backend, pageCapacity: 4)
        let records = [5.0, 1, 3, 1, 9, 7, 2, 8, 6, 4].enumerated().map { index, start in
            steps(
                start, Double(index), index.isMultiple(of: 2) ? watch : phone, metadata: index == 3 ? .byHand : .empty)
        }
        let outcome = try commit(records, to: store)
        #expect(outcome == BulkOutcome(added: [stepsName: 10]))
        let stored = try StoredSamples(store.engine)
        #expect(stored.pageSizes[Names.steps] == [4, 4, 2])
        let expected = records.enumerated().sorted {
            ($0.element.start, $0.offset) < ($1.element.start, $1.offset)
        }.map(\.element)
        #expect(stored[Names.steps].map(\.value) == expected.map(\.value))
        #expect(stored[Names.steps].map(\.revision) == expected.map(\.revision))
        #expect(stored[Names.steps].map(\.metadata) == expected.map(\.metadata))
        #expect(stored[Names.steps].map(\.creation) == expected.map(\.creation))
        #expect(stored[Names.steps].map(\.sequence) == Array(1...10))
        #expect(try store.engine.check() == [])
    }

    @Test(arguments: TestStore.Backend.allCases)
    func theSameAgainAddsNothing(_ backend: TestStore.Backend) throws {
        let store = try TestStore(backend, pageCapacity: 7)
        var records = (0..<40).map { steps(Double($0 % 13), Double($0 % 3)) }
        #expect(try commit(records, to: store).added == [stepsName: 40])
        let before = try StoredSamples(store.engine)
        #expect(try commit(records, to: store) == BulkOutcome(alreadyThere: [stepsName: 40]))
        #expect(try store.engine.lastSequence() == 40)
        #expect(try StoredSamples(store.engine).samples == before.samples)
        // A newer archive: one equal sample more, and one that differs in each thing that counts.
        records.append(records[0])
        records.append(steps(0, 0, watch))
        records.append(steps(0, 0, device: DeviceRecord(name: "x")))
        records.append(steps(0, 0, metadata: .byHand))
        records.append(steps(0, 0.5))
        var other = steps(0, 0)
        other.creation = nil
        records.append(other)
        other = steps(0, 0)
        other.end += 1
        records.append(other)
        #expect(
            try commit(records, to: store)
                == BulkOutcome(added: [stepsName: 7], alreadyThere: [stepsName: 40]))
        #expect(try commit(records, to: store).added.isEmpty)
        #expect(try store.engine.check() == [])
    }

    @Test func equalSamplesAcrossBatchesOfOneImport() throws {
        let store = try TestStore(pageCapacity: 2)
        let twins = [steps(1), steps(1)]
        let first = BulkImport(engine: store.engine)
        for _ in 0..<3 { #expect(try first.commit(BulkBatchBuilder.batch(twins)).added == [stepsName: 2]) }
        // Six equal samples are stored; an archive of seven, cut otherwise, brings one.
        let second = BulkImport(engine: store.engine)
        var added = 0
        for size in [1, 3, 2, 1] {
            let batch = BulkBatchBuilder.batch(Array(repeating: steps(1), count: size))
            added += try second.commit(batch).added[stepsName] ?? 0
        }
        #expect(added == 1)
        #expect(try StoredSamples(store.engine)[Names.steps].count == 7)
    }

    @Test func samplesSavedByApplicationsAreRecognized() throws {
        let store = try TestStore()
        let app = Names.caller("org.example.app", "App", product: "iPhone14,5", version: "3")
        try store.engine.save(
            [
                .sample(
                    SampleRecord(
                        uuid: UUID(), type: Names.mass, start: 5, end: 5, value: 70, unit: "kg",
                        device: DeviceRecord(name: "Scale", localIdentifier: "abc")))
            ], as: app)
        let archived = SampleRecord(
            type: Names.mass, start: 5, end: 5, value: 70, unit: "kg",
            revision: SourceRevisionRecord(
                source: SourceRecord(bundleIdentifier: "archive.App", name: "App"), version: "3"),
            device: DeviceRecord(name: "Scale"))
        #expect(try commit([archived], to: store).added.isEmpty)
    }

    @Test func longGroupsOfOneInstant() throws {
        let store = try TestStore(pageCapacity: 50)
        let records = (0..<300).map { steps(1, Double($0 % 40)) }
        _ = try commit(records, to: store)
        let more = records + [steps(1, 3), steps(1, 40)]
        #expect(
            try commit(more, to: store)
                == BulkOutcome(added: [stepsName: 2], alreadyThere: [stepsName: 300]))
    }

    @Test func givenUUIDs() throws {
        let store = try TestStore()
        var sample = steps(1)
        sample.uuid = UUID()
        var twin = sample
        twin.start = 0
        #expect(
            try commit([sample, twin], to: store)
                == BulkOutcome(added: [stepsName: 1], alreadyThere: [stepsName: 1]))
        #expect(try commit([sample], to: store).alreadyThere == [stepsName: 1])
        #expect(try StoredSamples(store.engine)[Names.steps].map(\.uuid) == [sample.uuid])
        #expect(try store.engine.check() == [])
    }

    @Test(arguments: TestStore.Backend.allCases)
    func typesOutsideTheCatalog(_ backend: TestStore.Backend) throws {
        let store = try TestStore(backend)
        // Two archives number their unknown types differently.
        for local in [TypeCode(rawValue: 1_000_000), TypeCode(rawValue: 1_000_007)] {
            var builder = BulkBatchBuilder()
            if local.rawValue > 1_000_000 {
                builder.describe(
                    TypeDescription(code: .firstUnknown, identifier: "HKOther", kind: .category))
            }
            builder.describe(
                TypeDescription(code: local, identifier: "HKQuantityTypeIdentifierNew", kind: .quantity))
            builder.add(
                SampleRecord(type: local, start: 1, end: 2, value: 3, unit: "furlong", revision: phone))
            _ = try BulkImport(engine: store.engine).commit(builder.batch)
        }
        let overview = try store.engine.typeOverview(as: Names.phone)
        #expect(overview.map(\.type.identifier) == ["HKQuantityTypeIdentifierNew"])
        #expect(overview.map(\.count) == [1])
    }

    @Test func refusesWhatWouldBreakPages() throws {
        let store = try TestStore()
        func refuse(_ change: (inout BulkBatch) -> Void) {
            var batch = BulkBatchBuilder.batch([steps(1), steps(2)])
            change(&batch)
            #expect(throws: EngineError.self) { try BulkImport(engine: store.engine).commit(batch) }
        }
        refuse { $0.columns[0].ends[1] = 1.5 }
        refuse { $0.columns[0].starts[0] = .nan }
        refuse { $0.columns[0].ends[0] = .infinity }
        refuse { $0.columns[0].units[0] = 9 }
        refuse { $0.columns[0].revisions[1] = 9 }
        refuse { $0.columns[0].metadata.numbers[1] = 9 }
        refuse { $0.columns[0].ends.removeLast() }
        refuse { $0.columns[0].devices.append(0) }
        refuse { $0.columns[0].type = Names.workout }
        refuse { $0.columns[0].type = TypeCode(rawValue: 1_234_567) }
        #expect(try store.engine.lastSequence() == 0)
    }

    @Test func sourcesAreKnownByTheirDevices() throws {
        let store = try TestStore()
        _ = try commit(
            [
                steps(1, 1, watch, device: DeviceRecord(name: "Apple Watch", model: "Watch", softwareVersion: "9.1")),
                steps(2, 1, phone, device: DeviceRecord(name: "iPhone", model: "iPhone", softwareVersion: "16")),
            ], to: store)
        #expect(
            try store.engine.sources.order(of: Names.steps).map(\.source.bundleIdentifier)
                == ["archive.Watch", "archive.Phone"])
    }

    // MARK: Objects

    private func member(_ type: TypeCode, _ value: Double, at start: Double) -> SampleRecord {
        SampleRecord(type: type, start: start, end: start, value: value, unit: "mmHg", revision: phone)
    }

    private func pressure(_ systolic: Double, _ diastolic: Double, at start: Double) -> ObjectRecord {
        ObjectRecord(
            type: Names.bloodPressure, start: start, end: start, revision: phone, creation: start + 1,
            members: [
                member(Names.systolic, systolic, at: start), member(Names.diastolic, diastolic, at: start),
            ])
    }

    private let pressureName = "HKCorrelationTypeIdentifierBloodPressure"

    @Test(arguments: TestStore.Backend.allCases, [0, 1, 2])
    func membersListedByThemselvesAreOneSample(_ backend: TestStore.Backend, _ order: Int) throws {
        let store = try TestStore(backend, pageCapacity: 3)
        let correlations = [
            pressure(120, 80, at: 1), pressure(120, 80, at: 1), pressure(130, 85, at: 2),
        ]
        // As top-level records they carry a creation date, which the nested ones need not.
        let alone = correlations.flatMap(\.members).map { member in
            var alone = member
            alone.creation = nil
            return alone
        }
        let batches: [BulkBatch] =
            switch order {
            case 0: [BulkBatchBuilder.batch(alone, correlations)]
            case 1: [BulkBatchBuilder.batch(alone), BulkBatchBuilder.batch([], correlations)]
            default: [BulkBatchBuilder.batch([], correlations), BulkBatchBuilder.batch(alone)]
            }
        for round in 0..<2 {
            let bulk = BulkImport(engine: store.engine)
            var added: [String: Int] = [:]
            for batch in batches { added.merge(try bulk.commit(batch).added, uniquingKeysWith: +) }
            let names = [
                "HKQuantityTypeIdentifierBloodPressureSystolic", "HKQuantityTypeIdentifierBloodPressureDiastolic",
            ]
            #expect(added == (round == 0 ? [pressureName: 3, names[0]: 3, names[1]: 3] : [:]))
        }
        let stored = try StoredSamples(store.engine)
        #expect(stored[Names.systolic].map(\.value) == [120, 120, 130])
        let members = try #require(stored.objects[Names.bloodPressure]).flatMap(\.members)
        #expect(members.count == 6)
        #expect(Set(members).count == 6)
        #expect(try store.engine.check() == [])
    }

    @Test func aNewerArchiveAddsItsNewCorrelation() throws {
        let store = try TestStore()
        let old = [pressure(120, 80, at: 1)]
        _ = try commit([], old, to: store)
        // The same values at the same instant once more: a separate correlation with its own members.
        let outcome = try commit(old.flatMap(\.members) + old.flatMap(\.members), old + old, to: store)
        #expect(outcome.added[pressureName] == 1)
        #expect(outcome.alreadyThere[pressureName] == 1)
        let stored = try StoredSamples(store.engine)
        #expect(stored[Names.systolic].count == 2)
        #expect(Set(try #require(stored.objects[Names.bloodPressure]).flatMap(\.members)).count == 4)
    }

    @Test(arguments: TestStore.Backend.allCases)
    func workoutsByContent(_ backend: TestStore.Backend) throws {
        let store = try TestStore(backend)
        func workout(_ start: Double, _ duration: Double) -> ObjectRecord {
            var body = WorkoutBody(activityType: 37, duration: duration)
            body.events = [WorkoutBody.Event(type: 1, start: start + 1, end: start + 1)]
            body.totalDistance = QuantityRecord(.nan, unit: "km")
            return ObjectRecord(
                type: Names.workout, start: start, end: start + 100, revision: watch,
                device: DeviceRecord(name: "Apple Watch", model: "Watch"),
                metadata: Metadata([.init(key: "HKIndoorWorkout", value: .bool(false))]),
                body: .workout(body))
        }
        let name = "HKWorkoutTypeIdentifier"
        let archive = [workout(1, 100), workout(1, 100), workout(1, 90), workout(500, 100)]
        #expect(try commit([], archive, to: store).added == [name: 4])
        let outcome = try commit([], archive + [workout(1, 100), workout(2, 100)], to: store)
        #expect(outcome == BulkOutcome(added: [name: 2], alreadyThere: [name: 4]))
        #expect(try store.engine.check() == [])
    }

    @Test func aDayHasOneSummary() throws {
        let store = try TestStore()
        func summary(_ day: Int, _ energy: Double) -> ObjectRecord {
            var body = ActivitySummaryBody(year: 2024, month: 5, day: day)
            body.activeEnergyBurned = QuantityRecord(energy, unit: "kcal")
            return ObjectRecord(
                type: Names.summary, start: Double(day) * 86_400, end: Double(day + 1) * 86_400,
                revision: phone, body: .activitySummary(body))
        }
        let name = "HKActivitySummaryTypeIdentifier"
        #expect(try commit([], [summary(1, 300), summary(2, 100)], to: store).added == [name: 2])
        let outcome = try commit([], [summary(1, 300), summary(2, 400), summary(3, 5)], to: store)
        #expect(outcome == BulkOutcome(added: [name: 2], alreadyThere: [name: 1]))
        #expect(try StoredSamples(store.engine).objects[Names.summary]?.count == 3)
    }

    @Test func refusesInvalidObjects() throws {
        let store = try TestStore()
        var pressure = pressure(120, 80, at: 1)
        pressure.revision = nil
        pressure.members[0].revision = nil
        #expect(throws: EngineError.self) { try commit([], [pressure], to: store) }
        pressure = self.pressure(120, 80, at: 1)
        pressure.end = 0
        #expect(throws: EngineError.self) { try commit([], [pressure], to: store) }
        pressure = self.pressure(120, 80, at: 1)
        pressure.members[1].type = Names.workout
        #expect(throws: EngineError.self) { try commit([steps(1)], [pressure], to: store) }
        #expect(try store.engine.lastSequence() == 0)
    }

    @Test func observersAreNotifiedOfABatchOnce() throws {
        let store = try TestStore()
        let bulk = BulkImport(engine: store.engine)
        let batch = BulkBatchBuilder.batch([steps(1)], [pressure(120, 80, at: 1)])
        // Written by handlers, which never run two at a time, and read when none runs.
        final class Log: @unchecked Sendable {
            var commits: [Commit] = []
        }
        let log = Log()
        let observation = store.engine.observeCommits { log.commits.append($0) }
        _ = try bulk.commit(batch)
        _ = try BulkImport(engine: store.engine).commit(batch)
        #expect(
            log.commits == [
                Commit(
                    types: [Names.steps, Names.bloodPressure, Names.systolic, Names.diastolic],
                    sequences: 1...4)
            ])
        observation.cancel()
    }
}
