import Foundation
import HealthEngine
import HealthModel
import HealthImport
import HealthStorage
import Testing

struct DeleteTests {
    private static let notFound = EngineError.invalidArgument("Failed to find some objects for deletion.")

    private func sample(_ start: Double, type: TypeCode = Names.steps, unit: String = "count") -> SampleRecord {
        SampleRecord(uuid: UUID(), type: type, start: start, end: start + 1, value: start, unit: unit)
    }

    private func uuid(_ sample: SampleRecord) throws -> UUID { try #require(sample.uuid) }

    @Test(arguments: TestStore.Backend.allCases, [1, 2, 7, 1_000])
    func deletesOwnSamplesAndLeavesTombstones(_ backend: TestStore.Backend, _ capacity: Int) throws {
        let store = try TestStore(backend, pageCapacity: capacity)
        let samples = (0..<20).map { sample(Double($0)) }
        try store.engine.save(samples.map { .sample($0) }, as: Names.phone)
        let victims = [samples[3], samples[11], samples[0]]
        try store.engine.delete(try victims.map(uuid), as: Names.phone)
        let stored = try StoredSamples(store.engine)
        #expect(stored[Names.steps].count == 17)
        #expect(stored.tombstones.map(\.sequence) == [21, 22, 23])
        let deleted = try victims.map(uuid)
        #expect(stored.tombstones.map(\.uuid) == deleted)
        #expect(throws: Self.notFound) { try store.engine.delete([uuid(victims[0])], as: Names.phone) }
        // A deleted identity may be stored again.
        try store.engine.save([.sample(victims[0])], as: Names.phone)
        #expect(try store.engine.check() == [])
    }

    @Test func theOriginalsTexts() throws {
        let store = try TestStore()
        #expect(throws: EngineError.invalidArgument("dataObjects cannot be empty")) {
            try store.engine.delete([], as: Names.phone)
        }
        #expect(throws: Self.notFound) { try store.engine.delete([UUID()], as: Names.phone) }
    }

    @Test(arguments: TestStore.Backend.allCases)
    func isAtomicAndForOwnersOnly(_ backend: TestStore.Backend) throws {
        let store = try TestStore(backend)
        let own = sample(1)
        let foreign = sample(2)
        try store.engine.save([.sample(own)], as: Names.phone)
        try store.engine.save([.sample(foreign)], as: Names.journal)
        #expect(throws: Self.notFound) {
            try store.engine.delete([uuid(own), uuid(foreign)], as: Names.phone)
        }
        #expect(throws: Self.notFound) { try store.engine.delete([uuid(own), UUID()], as: Names.phone) }
        #expect(try StoredSamples(store.engine).count == 2)
        #expect(try StoredSamples(store.engine).tombstones.isEmpty)
        // The person may delete anything.
        let person = Names.caller("org.openhealthkit.hk", "hk", permission: .owner)
        try store.engine.delete([uuid(own), uuid(foreign), uuid(own)], as: person)
        #expect(try StoredSamples(store.engine).count == 0)
        #expect(try StoredSamples(store.engine).tombstones.count == 2)
    }

    @Test func derivedIdentitiesCanBeDeleted() throws {
        let store = try TestStore(pageCapacity: 2)
        try store.engine.save(
            (0..<9).map { .sample(.quantity(Names.steps, 1, "count", from: Double($0 % 4))) },
            as: Names.phone)
        let victim = try #require(try StoredSamples(store.engine)[Names.steps].dropFirst(4).first)
        try store.engine.delete([try uuid(victim)], as: Names.phone)
        let stored = try StoredSamples(store.engine)
        #expect(!stored[Names.steps].contains { $0.sequence == victim.sequence })
        #expect(stored[Names.steps].count == 8)
        let deleted = try uuid(victim)
        #expect(stored.tombstones.map(\.uuid) == [deleted])
    }

    @Test(arguments: TestStore.Backend.allCases)
    func membersOfADeletedCorrelationStay(_ backend: TestStore.Backend) throws {
        let store = try TestStore(backend)
        let members = [
            sample(1, type: Names.systolic, unit: "mmHg"), sample(1, type: Names.diastolic, unit: "mmHg"),
        ]
        let correlation = ObjectRecord(
            uuid: UUID(), type: Names.bloodPressure, start: 1, end: 1, members: members)
        try store.engine.save([.object(correlation)], as: Names.phone)
        // A deleted member leaves the correlation.
        try store.engine.delete([uuid(members[0])], as: Names.phone)
        #expect(try StoredSamples(store.engine).objects[Names.bloodPressure]?.first?.members.count == 1)
        #expect(try store.engine.check() == [])
        try store.engine.delete([try #require(correlation.uuid)], as: Names.phone)
        let stored = try StoredSamples(store.engine)
        #expect(stored.objects[Names.bloodPressure] == nil)
        #expect(stored[Names.diastolic].count == 1)
        #expect(stored.tombstones.map(\.type) == [Names.systolic, Names.bloodPressure])
        #expect(try store.engine.check() == [])
    }

    @Test(arguments: TestStore.Backend.allCases)
    func deletesSeveralTypesInOneTransaction(_ backend: TestStore.Backend) throws {
        let store = try TestStore(backend, pageCapacity: 7)
        let items: [SaveItem] = (0..<10).flatMap { index -> [SaveItem] in
            [.sample(sample(Double(index))), .sample(sample(Double(index), type: Names.energy, unit: "kcal"))]
        }
        try store.engine.save(items, as: Names.phone)
        let filter = SampleFilter.start(.greaterThanOrEqual, 6)
        let types = [Names.energy, Names.steps, Names.energy]
        #expect(try store.engine.deleteObjects(of: types, matching: filter, as: Names.phone) == 8)
        #expect(try store.engine.deleteObjects(of: types, matching: filter, as: Names.phone) == 0)
        let stored = try StoredSamples(store.engine)
        #expect(stored[Names.steps].count == 6 && stored[Names.energy].count == 6)
        #expect(stored.tombstones.map(\.sequence) == Array(21...28))
        // Nothing of one type goes if another one may not be changed.
        let application = Caller(revision: Names.phone.revision, permission: .table)
        try store.engine.authorization.set(
            TypeAuthorization(share: .authorized), of: Names.steps, bundleIdentifier: application.bundleIdentifier)
        #expect(throws: EngineError.authorizationNotDetermined(Names.energy)) {
            try store.engine.deleteObjects(of: [Names.steps, Names.energy], matching: .all, as: application)
        }
        #expect(try StoredSamples(store.engine).count == 12)
        #expect(try store.engine.check() == [])
    }

    @Test(arguments: TestStore.Backend.allCases)
    func deletesTheSamplesOfAFilter(_ backend: TestStore.Backend) throws {
        let store = try TestStore(backend, pageCapacity: 7)
        try store.engine.save((0..<30).map { .sample(sample(Double($0))) }, as: Names.phone)
        try store.engine.save((0..<30).map { .sample(sample(Double($0))) }, as: Names.journal)
        try store.engine.save([.sample(sample(5, type: Names.energy, unit: "kcal"))], as: Names.phone)
        let filter = SampleFilter.and([.start(.greaterThanOrEqual, 10), .start(.lessThan, 20)])
        #expect(
            try store.engine.deleteObjects(of: Names.steps, matching: filter, as: Names.phone) == 10)
        #expect(try store.engine.deleteObjects(of: Names.steps, matching: filter, as: Names.phone) == 0)
        let stored = try StoredSamples(store.engine)
        #expect(stored[Names.steps].count == 50)
        #expect(stored[Names.energy].count == 1)
        #expect(stored.tombstones.count == 10)
        let own = stored[Names.steps].filter { $0.revision == Names.phone.revision }.map(\.start)
        let kept: [Double] = (0..<30).filter { $0 < 10 || $0 >= 20 }.map { Double($0) }
        #expect(own == kept)
        #expect(try store.engine.check() == [])
    }
}
