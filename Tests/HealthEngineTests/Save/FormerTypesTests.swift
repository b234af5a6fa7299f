import Foundation
import HealthEngine
import HealthModel
import HealthStorage
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
        #expect(try StoredSamples(HealthEngine(storage: again.storage)) [Self.type].count == 7)
    }
}
