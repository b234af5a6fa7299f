import Foundation
import HealthEngine
import Testing

@testable import HealthKit

/// Stores in files: one engine for each, other processes, and files that aren't stores.
@Suite struct FileStoreTests {
    /// A folder that is removed with the test.
    private final class Folder: Sendable {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("HealthKit-\(UUID())")

        init() throws {
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        }

        deinit {
            try? FileManager.default.removeItem(at: url)
        }
    }

    private let folder: Folder

    init() throws {
        folder = try Folder()
    }

    private func store(_ name: String = "health.sqlite") -> HKHealthStore {
        HKHealthStore(
            configuration: .init(
                location: .file(folder.url.appendingPathComponent(name)),
                application: .init(bundleIdentifier: "org.example.app"), authorization: .allowAll))
    }

    @Test func dataOutlivesTheStore() async throws {
        let sample = FreshStore.steps(42)
        try await store("deep/er/health.sqlite").save(sample)
        let read = try await HKSampleQueryDescriptor(
            predicates: [.quantitySample(type: FreshStore.steps)], sortDescriptors: []
        ).result(for: store("deep/er/health.sqlite"))
        #expect(read.map(\.uuid) == [sample.uuid])
    }

    @Test func oneFileHasOneEngineWhateverItIsCalled() throws {
        let first = store()
        let engine = try first.connection.engine()
        #expect(try store().connection.engine() === engine)
        #expect(try store("../\(folder.url.lastPathComponent)/health.sqlite").connection.engine() === engine)
        let link = folder.url.appendingPathComponent("link")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: folder.url)
        #expect(try store("link/health.sqlite").connection.engine() === engine)
        #expect(try store("other.sqlite").connection.engine() !== engine)
    }

    @Test func observesChangesOfOtherProcesses() async throws {
        let store = store()
        let calls = Calls<Void>()
        let query = HKObserverQuery(sampleType: FreshStore.steps, predicate: nil) { _, completion, _ in
            completion()
            calls.add(())
        }
        try await store.save(FreshStore.steps(2, at: 60))
        store.execute(query)
        // The initial call: from now on the query listens.
        await calls.next()
        // A second registry opens the file by itself, as another process would.
        let other = StoreConnection(store.connection.configuration, registry: EngineRegistry())
        let items = try RecordEncoder.items([FreshStore.steps(1)])
        _ = try other.engine().save(items, as: other.caller)
        await calls.next()
        store.stop(query)
    }

    @Test func fileThatIsNotAStoreIsInaccessible() async throws {
        let file = folder.url.appendingPathComponent("health.sqlite")
        let bytes = Data("This isn't a database, but long enough to look at. ".utf8)
        try bytes.write(to: file)
        let store = store()
        let error = await #expect(throws: HKError.self) { try await store.save(FreshStore.steps(1)) }
        #expect(error?.code == .errorDatabaseInaccessible)
        #expect(throws: HKError.self) { try store.biologicalSex() }
        let calls = Calls<HKError?>()
        let query = HKObserverQuery(sampleType: FreshStore.steps, predicate: nil) { _, _, error in
            calls.add(error as? HKError)
        }
        store.execute(query)
        #expect(await calls.next()?.code == .errorDatabaseInaccessible)
        #expect(try Data(contentsOf: file) == bytes)
        // Once the file is out of the way, the same store works.
        try FileManager.default.removeItem(at: file)
        try await store.save(FreshStore.steps(1))
    }

    @Test func anchorsOutliveTheStore() async throws {
        func read(_ anchor: HKQueryAnchor?) async throws -> (Int, HKQueryAnchor) {
            let result = try await HKAnchoredObjectQueryDescriptor(
                predicates: [.quantitySample(type: FreshStore.steps)], anchor: anchor
            ).result(for: store())
            return (result.addedSamples.count, result.newAnchor)
        }
        try await store().save([FreshStore.steps(1), FreshStore.steps(2, at: 60)])
        let (count, anchor) = try await read(nil)
        #expect(count == 2)
        let data = try NSKeyedArchiver.archivedData(withRootObject: anchor, requiringSecureCoding: true)
        try await store().save(FreshStore.steps(3, at: 120))
        let back = try NSKeyedUnarchiver.unarchivedObject(ofClass: HKQueryAnchor.self, from: data)
        #expect(try await read(back).0 == 1)
    }

    @Test func authorizationOutlivesTheStore() async throws {
        func asking(_ answer: HKHealthStore.Configuration.AuthorizationAnswer) -> HKHealthStore {
            var configuration = store().connection.configuration
            configuration.authorization = .handler { _ in answer }
            return HKHealthStore(configuration: configuration)
        }
        try await asking(.init(share: [FreshStore.steps], read: []))
            .requestAuthorization(toShare: [FreshStore.steps], read: [FreshStore.steps])
        let later = asking(.none)
        try await later.requestAuthorization(toShare: [FreshStore.steps], read: [])
        #expect(later.authorizationStatus(for: FreshStore.steps) == .sharingAuthorized)
        try await later.save(FreshStore.steps(1))
    }
}
