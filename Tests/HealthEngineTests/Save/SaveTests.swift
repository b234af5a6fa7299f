import Foundation
import HealthEngine
import HealthModel
import HealthImport
import HealthStorage
import Synchronization
import Testing

struct SaveTests {
    @Test(arguments: TestStore.Backend.allCases)
    func keepsEverySampleBitForBit(_ backend: TestStore.Backend) throws {
        let store = try TestStore(backend)
        let uuid = UUID()
        let device = DeviceRecord(name: "Scale", manufacturer: "Öko \"X\"", localIdentifier: "7")
        let sample = SampleRecord(
            uuid: uuid, type: Names.mass, start: 100.125, end: 100.125, value: 150.1, unit: "lb",
            revision: Names.phone.revision, device: device,
            metadata: Metadata([.init(key: "Lunch 🥗", value: .quantity(2, unit: "kcal"))]))
        let outcome = try store.engine.save([.sample(sample)], as: Names.journal)
        #expect(outcome == SaveOutcome(saved: 1))

        let stored = try StoredSamples(store.engine)
        var expected = sample
        // The source is the saving application's, whatever the sample said.
        expected.revision = Names.journal.revision
        expected.sequence = 1
        #expect(stored[Names.mass] == [expected])
        #expect(try store.engine.check() == [])
    }

    @Test func numbersInTheOrderOfTheArray() throws {
        let store = try TestStore(pageCapacity: 2)
        try store.engine.save(
            [5.0, 1, 3, 1, 4].map { .sample(.quantity(Names.steps, $0, "count", from: $0)) },
            as: Names.phone)
        let stored = try StoredSamples(store.engine)[Names.steps]
        #expect(stored.map(\.start) == [1, 1, 3, 4, 5])
        #expect(stored.map(\.sequence) == [2, 4, 3, 5, 1])
        #expect(try store.engine.lastSequence() == 5)
    }

    @Test(arguments: TestStore.Backend.allCases, [3, 1_000])
    func replacesDeletedSamplesInOneCommit(_ backend: TestStore.Backend, _ capacity: Int) throws {
        let store = try TestStore(backend, pageCapacity: capacity)
        let former = [1.0, 2].map { value -> SampleRecord in
            var sample = SampleRecord.quantity(Names.steps, value, "count", from: value)
            sample.uuid = UUID()
            return sample
        }
        try store.engine.save(former.map { .sample($0) }, as: Names.phone)
        try store.engine.save([.sample(.quantity(Names.steps, 3, "count", from: 3))], as: Names.phone)
        let commits = Commits()
        let observation = store.engine.observeCommits { commits.add($0) }
        let outcome = try store.engine.save(
            [
                SaveGroup(
                    [
                        .sample(.quantity(Names.steps, 10, "count", from: 1)),
                        .sample(.quantity(Names.steps, 30, "count", from: 4)),
                    ],
                    as: Names.watch),
                SaveGroup([.sample(.quantity(Names.mass, 70, "kg", from: 5))], as: Names.journal),
            ], deleting: former.compactMap(\.uuid), as: Names.phone)
        #expect(outcome == SaveOutcome(saved: 3))
        #expect(commits.all.map(\.types) == [[Names.steps, Names.mass]])
        #expect(commits.all.map(\.sequences) == [4...8])
        observation.cancel()
        // The last page is written on by the next saves as it is now.
        try store.engine.save([.sample(.quantity(Names.steps, 40, "count", from: 5))], as: Names.phone)
        let stored = try StoredSamples(store.engine)
        #expect(stored[Names.steps].map(\.value) == [10, 3, 30, 40])
        #expect(stored[Names.steps].map(\.revision?.source.name) == ["Watch", "iPhone", "Watch", "iPhone"])
        #expect(stored[Names.mass].map(\.revision?.source.name) == ["Journal"])
        #expect(stored.tombstones.map(\.sequence) == [4, 5])
        #expect(try store.engine.check() == [])
    }

    @Test func savesNothingIfDeletedSamplesAreMissingOrNotOwned() throws {
        let store = try TestStore()
        var foreign = SampleRecord.quantity(Names.steps, 1, "count", from: 1)
        foreign.uuid = UUID()
        try store.engine.save([.sample(foreign)], as: Names.journal)
        let group = SaveGroup([.sample(.quantity(Names.steps, 2, "count", from: 2))], as: Names.phone)
        let taken = try #require(foreign.uuid)
        for uuid in [UUID(), taken] {
            #expect(throws: EngineError.self) { try store.engine.save([group], deleting: [uuid], as: Names.phone) }
        }
        #expect(try store.engine.lastSequence() == 1)
        #expect(try store.engine.save([], deleting: [], as: Names.phone) == SaveOutcome())
        try store.engine.save([], deleting: [taken], as: Names.journal)
        #expect(try StoredSamples(store.engine).count == 0)
    }

    private final class Commits: Sendable {
        private let commits = Mutex<[Commit]>([])
        func add(_ commit: Commit) { commits.withLock { $0.append(commit) } }
        var all: [Commit] { commits.withLock { $0 } }
    }

    @Test func anEmptyBatchDoesNothing() throws {
        let store = try TestStore()
        #expect(try store.engine.save([], as: Names.phone) == SaveOutcome())
        #expect(try store.engine.lastSequence() == 0)
    }

    @Test(arguments: TestStore.Backend.allCases)
    func oneBadItemSavesNothing(_ backend: TestStore.Backend) throws {
        let store = try TestStore(backend)
        #expect(throws: ValidationError.self) {
            try store.engine.save(
                [
                    .sample(.quantity(Names.steps, 1, "count", from: 1)),
                    .sample(.quantity(Names.steps, 1, "kg", from: 1)),
                ], as: Names.phone)
        }
        #expect(throws: EngineError.self) {
            try store.engine.save(
                [
                    .sample(.quantity(Names.steps, 1, "count", from: 1)),
                    .sample(SampleRecord(type: TypeCode(rawValue: 2_000_000), start: 0, end: 1, value: 1)),
                ], as: Names.phone)
        }
        #expect(try StoredSamples(store.engine).count == 0)
        #expect(try store.engine.lastSequence() == 0)
    }

    @Test(arguments: TestStore.Backend.allCases)
    func aStoredUUIDIsRefused(_ backend: TestStore.Backend) throws {
        let store = try TestStore(backend)
        var sample = SampleRecord.quantity(Names.steps, 1, "count", from: 1)
        sample.uuid = UUID()
        try store.engine.save([.sample(sample)], as: Names.phone)
        let other = SampleRecord.quantity(Names.steps, 2, "count", from: 2)
        #expect(throws: EngineError.invalidArgument("An object with the same UUID is already stored.")) {
            try store.engine.save([.sample(other), .sample(sample)], as: Names.phone)
        }
        // Under another type and twice in a batch alike.
        sample.type = Names.energy
        sample.unit = "kcal"
        #expect(throws: EngineError.self) { try store.engine.save([.sample(sample)], as: Names.phone) }
        sample.uuid = UUID()
        #expect(throws: EngineError.self) {
            try store.engine.save([.sample(sample), .sample(sample)], as: Names.phone)
        }
        // A derived UUID identifies a stored sample as well.
        try store.engine.save([.sample(other)], as: Names.phone)
        let derived = try #require(try StoredSamples(store.engine)[Names.steps].last?.uuid)
        var again = other
        again.uuid = derived
        #expect(throws: EngineError.self) { try store.engine.save([.sample(again)], as: Names.phone) }
        #expect(try StoredSamples(store.engine).count == 2)
    }

    @Test func characteristicsAndPagedTypesArentObjects() throws {
        let store = try TestStore()
        for type in ["HKCharacteristicTypeIdentifierBloodType", "HKQuantityTypeIdentifierStepCount"] {
            #expect(throws: EngineError.self) {
                try store.engine.save(
                    [.object(ObjectRecord(type: Names.type(type), start: 0, end: 1))], as: Names.phone)
            }
        }
    }

    /// Swift compares strings by canonical equivalence and takes 0 and -0 for equal; the store keeps what was saved.
    @Test(arguments: TestStore.Backend.allCases, [1, 4])
    func equalMetadataOfDifferentBytesStaysAsItWas(_ backend: TestStore.Backend, samplesPerSave: Int) throws {
        let store = try TestStore(backend)
        let values: [MetadataValue] = [.string("\u{E9}"), .string("e\u{301}"), .double(0), .double(-0.0)]
        let samples = values.enumerated().map { index, value in
            SampleRecord.quantity(
                Names.steps, 1, "count", from: Double(index), metadata: Metadata([.init(key: "k", value: value)]))
        }
        for first in stride(from: 0, to: samples.count, by: samplesPerSave) {
            let part = samples[first..<first + samplesPerSave]
            try store.engine.save(part.map { .sample($0) }, as: Names.phone)
        }
        let stored = try StoredSamples(store.engine)[Names.steps].map(\.metadata)
        #expect(zip(stored, samples).allSatisfy { $0.isIdentical(to: $1.metadata) } && stored.count == 4)
    }

    // MARK: Correlations and workouts

    private func pressure(_ systolic: Double, _ diastolic: Double, at start: Double) -> ObjectRecord {
        ObjectRecord(
            uuid: UUID(), type: Names.bloodPressure, start: start, end: start,
            members: [
                SampleRecord(
                    uuid: UUID(), type: Names.systolic, start: start, end: start, value: systolic,
                    unit: "mmHg"),
                SampleRecord(
                    uuid: UUID(), type: Names.diastolic, start: start, end: start, value: diastolic,
                    unit: "mmHg"),
            ])
    }

    @Test(arguments: TestStore.Backend.allCases)
    func membersAreSavedAndLinked(_ backend: TestStore.Backend) throws {
        let store = try TestStore(backend)
        let outcome = try store.engine.save([.object(pressure(120, 80, at: 5))], as: Names.phone)
        #expect(outcome.saved == 3)
        let stored = try StoredSamples(store.engine)
        #expect(stored[Names.systolic].map(\.value) == [120])
        #expect(stored[Names.diastolic].map(\.value) == [80])
        let owner = try #require(stored.objects[Names.bloodPressure]?.first)
        #expect(owner.members.sorted() == [1, 2])
        #expect(owner.object.sequence == 3)
        #expect(try store.engine.check() == [])
    }

    @Test func aStoredMemberIsOnlyLinked() throws {
        let store = try TestStore()
        let correlation = pressure(120, 80, at: 5)
        let member = try #require(correlation.members.first)
        try store.engine.save([.sample(member)], as: Names.phone)
        try store.engine.save([.object(correlation)], as: Names.phone)
        let stored = try StoredSamples(store.engine)
        #expect(stored[Names.systolic].map(\.sequence) == [1])
        #expect(stored.objects[Names.bloodPressure]?.first?.members == [1, 2])

        // Another application's sample cannot be taken in.
        var foreign = pressure(130, 85, at: 6)
        foreign.members[0] = member
        #expect(throws: EngineError.self) {
            try store.engine.save([.object(foreign)], as: Names.journal)
        }
    }

    @Test func aMemberInTheSameBatchIsOneSample() throws {
        for isFirst in [true, false] {
            let store = try TestStore()
            let correlation = pressure(120, 80, at: 5)
            var items: [SaveItem] = [.object(correlation)]
            items.insert(.sample(correlation.members[0]), at: isFirst ? 0 : 1)
            try store.engine.save(items, as: Names.phone)
            let stored = try StoredSamples(store.engine)
            #expect(stored[Names.systolic].count == 1)
            #expect(stored.objects[Names.bloodPressure]?.first?.members.count == 2)
        }
    }

    @Test func addsMembersToAStoredWorkout() throws {
        let store = try TestStore()
        let workout = ObjectRecord(
            uuid: UUID(), type: Names.workout, start: 0, end: 100,
            body: .workout(WorkoutBody(activityType: 37, duration: 100)))
        let uuid = try #require(workout.uuid)
        var saved = SampleRecord.quantity(Names.energy, 5, "kcal", from: 0, to: 50)
        saved.uuid = UUID()
        saved.device = DeviceRecord(name: "Strap")
        try store.engine.save([.object(workout), .sample(saved)], as: Names.phone)
        var unsaved = SampleRecord.quantity(Names.energy, 7, "kcal", from: 50, to: 100)
        unsaved.uuid = UUID()
        unsaved.device = DeviceRecord(name: "Strap")
        try store.engine.addMembers([saved, unsaved], toObject: uuid, as: Names.phone)
        // Again changes nothing: both are stored and linked.
        try store.engine.addMembers([saved, unsaved], toObject: uuid, as: Names.phone)

        let stored = try StoredSamples(store.engine)
        #expect(stored[Names.energy].map(\.device?.name) == ["Strap", nil])
        #expect(stored.objects[Names.workout]?.first?.members == [2, 3])
        #expect(throws: EngineError.self) {
            try store.engine.addMembers([unsaved], toObject: UUID(), as: Names.phone)
        }
        #expect(throws: EngineError.authorizationDenied(Names.workout)) {
            try store.engine.addMembers(
                [.quantity(Names.energy, 7, "kcal", from: 60)], toObject: uuid, as: Names.journal)
        }
    }
}
