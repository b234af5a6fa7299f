import Foundation
import HealthModel
import Testing

@testable import HealthKit

/// The behavior that all families of objects have in common: they are saved, found, observed, deleted and archived.
@Suite struct ObjectFamilyTests {
    private func document(_ sample: HKSample?) -> DocumentBody? { (sample as? any DocumentSample)?.storedDocument }

    private func only(_ sample: HKSample, in store: HKHealthStore) async throws -> [HKSample] {
        let descriptor = HKSampleQueryDescriptor(
            predicates: [.sample(type: sample.sampleType)], sortDescriptors: [])
        return try await descriptor.result(for: store)
    }

    @Test(arguments: 0..<8)
    func savedFoundAndDeleted(_ index: Int) async throws {
        let sample = try ObjectFamilies.samples()[index]
        let store = FreshStore.make()
        try await store.save(sample)
        let found = try await only(sample, in: store)
        #expect(found == [sample])
        #expect(found.first.map { type(of: $0) } == type(of: sample))
        #expect(document(found.first) == document(sample))
        #expect(document(sample) != nil)
        #expect(found.first?.startDate == sample.startDate && found.first?.endDate == sample.endDate)
        #expect(found.first?.sourceRevision.source.bundleIdentifier == "org.example.app")
        try await store.delete(sample)
        #expect(try await only(sample, in: store).isEmpty)
    }

    @Test(arguments: 0..<8)
    func anchorsReportBoth(_ index: Int) async throws {
        let sample = try ObjectFamilies.samples()[index]
        let store = FreshStore.make()
        var descriptor = HKAnchoredObjectQueryDescriptor(
            predicates: [.sample(type: sample.sampleType)], anchor: nil)
        let empty = try await descriptor.result(for: store)
        #expect(empty.addedSamples.isEmpty)
        descriptor.anchor = empty.newAnchor
        try await store.save(sample)
        let added = try await descriptor.result(for: store)
        #expect(added.addedSamples == [sample] && added.deletedObjects.isEmpty)
        #expect(document(added.addedSamples.first) == document(sample))
        descriptor.anchor = added.newAnchor
        try await store.delete(sample)
        let deleted = try await descriptor.result(for: store)
        #expect(deleted.addedSamples.isEmpty)
        #expect(deleted.deletedObjects.map(\.uuid) == [sample.uuid])
    }

    @Test(arguments: 0..<8)
    func observersHear(_ index: Int) async throws {
        let sample = try ObjectFamilies.samples()[index]
        let store = FreshStore.make()
        let calls = Calls<Bool>()
        let query = HKObserverQuery(sampleType: sample.sampleType, predicate: nil) { _, done, error in
            done()
            calls.add(error == nil)
        }
        try await store.save(sample)
        store.execute(query)
        // Existing objects are reported first, then every change.
        #expect(await calls.next())
        try await store.delete(sample)
        #expect(await calls.next())
        store.stop(query)
    }

    @Test(arguments: 0..<8)
    func archivesRoundTrip(_ index: Int) throws {
        let sample = try ObjectFamilies.samples()[index]
        let data = try NSKeyedArchiver.archivedData(withRootObject: sample, requiringSecureCoding: true)
        let back = try NSKeyedUnarchiver.unarchivedObject(ofClasses: [type(of: sample)], from: data) as? HKSample
        #expect(back == sample)
        #expect(back.map { type(of: $0) } == type(of: sample))
        #expect(document(back) == document(sample))
        #expect(back?.context.metadata == sample.context.metadata)
        #expect(back?.device == sample.device)
    }

    @Test(arguments: 0..<6)
    func partsRoundTrip(_ index: Int) throws {
        let part = try ObjectFamilies.parts()[index]
        let data = try NSKeyedArchiver.archivedData(withRootObject: part, requiringSecureCoding: true)
        let back = try NSKeyedUnarchiver.unarchivedObject(ofClasses: [type(of: part)], from: data) as? NSObject
        #expect(back == part)
        #expect(back?.hash == part.hash)
        #expect(back !== part)
        if let copying = part as? any NSCopying {
            #expect(copying.copy(with: nil) as AnyObject === part)
        }
    }

    @Test func objectsWithoutADocumentHaveNothing() throws {
        for sample in try ObjectFamilies.samples() {
            let bare = HKSample.make(
                SampleBase(identity: UUID(), context: sample.context, start: 0, end: 0),
                ObjectRecord(type: sample.context.type.code, start: 0, end: 0))
            ObjectFamilies.use(bare)
        }
    }

    @Test func otherApplicationsObjectsStay() async throws {
        let name = FreshStore.name()
        let mine = FreshStore.make(named: name, app: "org.example.one")
        let theirs = FreshStore.make(named: name, app: "org.example.two")
        let sample = ObjectFamilies.stateOfMind()
        try await mine.save(sample)
        await #expect(throws: HKError.self) { try await theirs.delete(sample) }
        #expect(try await only(sample, in: theirs) == [sample])
    }
}
