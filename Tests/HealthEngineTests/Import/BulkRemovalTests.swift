import HealthEngine
import HealthImport
import HealthModel
import HealthStorage
import Testing

/// Removing what an archive no longer has.
struct BulkRemovalTests {
    private let phone = SourceRevisionRecord(
        source: SourceRecord(bundleIdentifier: "archive.Phone", name: "Phone"), version: "16")
    private let stepsName = "HKQuantityTypeIdentifierStepCount"

    private func steps(_ start: Double, _ value: Double = 10) -> SampleRecord {
        SampleRecord(type: Names.steps, start: start, end: start + 60, value: value, unit: "count", revision: phone)
    }

    private func pressure(_ start: Double) -> ObjectRecord {
        func member(_ type: TypeCode, _ value: Double) -> SampleRecord {
            SampleRecord(type: type, start: start, end: start, value: value, unit: "mmHg", revision: phone)
        }
        return ObjectRecord(
            type: Names.bloodPressure, start: start, end: start, revision: phone,
            members: [member(Names.systolic, 120), member(Names.diastolic, 80)])
    }

    /// Imports these, in batches of `size`, and removes what is missing.
    private func mirror(
        _ samples: [SampleRecord], _ objects: [ObjectRecord] = [], to store: TestStore, size: Int = 1_000,
        protecting: Set<String> = []
    ) throws -> [String: Int] {
        let bulk = BulkImport(engine: store.engine)
        for first in stride(from: 0, to: samples.count, by: size) {
            _ = try bulk.commit(BulkBatchBuilder.batch(Array(samples[first..<min(first + size, samples.count)])))
        }
        if !objects.isEmpty { _ = try bulk.commit(BulkBatchBuilder.batch([], objects)) }
        return try bulk.removeMissing(protecting: protecting)
    }

    @Test(arguments: TestStore.Backend.allCases)
    func removesImportedSamples(_ backend: TestStore.Backend) throws {
        let store = try TestStore(backend, pageCapacity: 4)
        let archive = (0..<30).map { steps(Double($0)) }
        #expect(try mirror(archive, to: store) == [:])
        let sequence = try store.engine.lastSequence()
        let rest = archive.filter { !$0.start.truncatingRemainder(dividingBy: 3).isZero }
        #expect(try mirror(rest + [steps(100)], to: store, size: 7) == [stepsName: 10])
        let stored = try StoredSamples(store.engine)
        #expect(stored[Names.steps].map(\.start) == rest.map(\.start) + [100])
        // Anchored queries report every one.
        #expect(stored.tombstones.count == 10 && stored.tombstones.allSatisfy { $0.sequence > sequence })
        #expect(Set(stored.tombstones.map(\.uuid)).count == 10)
        #expect(try mirror(rest + [steps(100)], to: store) == [:])
        #expect(try store.engine.check() == [])
    }

    @Test("A correlation that has changed keeps its members' number", arguments: TestStore.Backend.allCases)
    func changedCorrelation(_ backend: TestStore.Backend) throws {
        let store = try TestStore(backend, pageCapacity: 3)
        let (old, other) = (pressure(10), pressure(20))
        var new = old
        new.metadata = Metadata([.init(key: "note", value: .string("changed"))])
        let samples = old.members + other.members
        _ = try mirror(samples, [old, other], to: store)
        // The new one's members are the samples themselves, whether the archive lists them or not.
        for (listed, object) in [(samples, new), (samples, old), ([], new)] {
            _ = try mirror(listed, [object, other], to: store)
            let stored = try StoredSamples(store.engine)
            #expect(
                stored[Names.systolic].map(\.start) == [10, 20] && stored[Names.diastolic].map(\.start) == [10, 20])
            #expect(try mirror(listed, [object, other], to: store) == [:])
            #expect(try store.engine.check() == [])
        }
    }

    @Test func staysWhatWasSaved() throws {
        let store = try TestStore(pageCapacity: 3)
        try store.engine.save([.sample(steps(1)), .sample(steps(50))], as: Names.journal)
        _ = try mirror((0..<4).map { steps(Double($0)) }, to: store)
        try store.engine.save([.sample(steps(60))], as: Names.journal)
        #expect(try mirror([steps(3)], to: store) == [stepsName: 3])
        #expect(try StoredSamples(store.engine)[Names.steps].map(\.start) == [1, 3, 50, 60])
        // An archive of nothing leaves what was saved, and only that.
        #expect(try mirror([], to: store) == [stepsName: 1])
        #expect(try StoredSamples(store.engine)[Names.steps].map(\.start) == [1, 50, 60])
        #expect(try store.engine.check() == [])
    }

    @Test func equalSamplesGoByNumber() throws {
        let store = try TestStore()
        _ = try mirror(Array(repeating: steps(1), count: 5), to: store)
        #expect(try mirror(Array(repeating: steps(1), count: 2), to: store) == [stepsName: 3])
        #expect(try StoredSamples(store.engine)[Names.steps].count == 2)
    }

    @Test func withoutRemovalEverythingStays() throws {
        let store = try TestStore()
        _ = try mirror([steps(1), steps(2)], to: store)
        _ = try BulkImport(engine: store.engine).commit(BulkBatchBuilder.batch([steps(2)]))
        #expect(try StoredSamples(store.engine)[Names.steps].count == 2)
    }

    @Test func aProtectedTypeStays() throws {
        let store = try TestStore()
        _ = try mirror([steps(1), steps(2)], [pressure(5)], to: store)
        let removed = try mirror([steps(1)], to: store, protecting: [stepsName])
        #expect(removed[stepsName] == nil && removed["HKCorrelationTypeIdentifierBloodPressure"] == 1)
        #expect(try StoredSamples(store.engine)[Names.steps].count == 2)
    }

    @Test func membersStayWithTheirCorrelation() throws {
        let store = try TestStore()
        _ = try mirror([], [pressure(1), pressure(2)], to: store)
        // The archive lists no member by itself.
        let names = [
            "HKCorrelationTypeIdentifierBloodPressure", "HKQuantityTypeIdentifierBloodPressureSystolic",
            "HKQuantityTypeIdentifierBloodPressureDiastolic",
        ]
        #expect(
            try mirror([], [pressure(2)], to: store) == Dictionary(uniqueKeysWithValues: names.map { ($0, 1) }))
        let stored = try StoredSamples(store.engine)
        #expect(stored[Names.systolic].map(\.start) == [2] && stored[Names.diastolic].map(\.start) == [2])
        #expect(stored.objects[Names.bloodPressure]?.first?.members.count == 2)
        #expect(try store.engine.check() == [])
    }

    @Test func summariesOfOtherDaysGo() throws {
        let store = try TestStore()
        func summary(_ day: Int, _ energy: Double) -> ObjectRecord {
            var body = ActivitySummaryBody(year: 2024, month: 5, day: day)
            body.activeEnergyBurned = QuantityRecord(energy, unit: "kcal")
            return ObjectRecord(
                type: Names.summary, start: Double(day) * 86_400, end: Double(day + 1) * 86_400,
                body: .activitySummary(body))
        }
        _ = try mirror([], [summary(1, 300), summary(2, 100), summary(3, 5)], to: store)
        #expect(
            try mirror([], [summary(1, 300), summary(2, 400)], to: store) == ["HKActivitySummaryTypeIdentifier": 1])
        let stored = try StoredSamples(store.engine)
        #expect(stored.objects[Names.summary]?.count == 2 && stored.tombstones.isEmpty)
    }

    @Test func importsWithoutARecordOfTheirSequencesRemoveNothing() throws {
        // A store whose imports left no record of their sequences loses nothing.
        let store = try TestStore()
        _ = try mirror([steps(1), steps(2)], to: store)
        try store.engine.storage.write { try $0.setValue(nil, namespace: "archive.state", key: "sequences") }
        #expect(try mirror([steps(1)], to: store) == [:])
    }
}
