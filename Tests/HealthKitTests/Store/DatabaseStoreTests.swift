import Foundation
import HealthEngine
import HealthStorage
import HealthStoragePostgreSQL
import PostgreSQLTestSupport
import Testing

@testable import HealthKit

/// Stores in a PostgreSQL database, as ``FileStoreTests`` tests those in files.
@Suite struct DatabaseStoreTests {
    private let address: String

    init() throws {
        PostgreSQLStores.register()
        address = try PostgreSQLServer.shared().url("schema=healthkit&person=\(UUID().uuidString)")
    }

    private func configuration(_ address: String? = nil) -> HKHealthStore.Configuration {
        .init(
            location: .database(address ?? self.address), application: .init(bundleIdentifier: "org.example.app"),
            authorization: .allowAll)
    }

    private func store() -> HKHealthStore { HKHealthStore(configuration: configuration()) }

    @Test func dataOutlivesTheStore() async throws {
        let sample = FreshStore.steps(42)
        try await store().save(sample)
        let read = try await HKSampleQueryDescriptor(
            predicates: [.quantitySample(type: FreshStore.steps)], sortDescriptors: []
        ).result(for: store())
        #expect(read.map(\.uuid) == [sample.uuid])
    }

    @Test func oneAddressHasOneEngine() throws {
        let first = store()
        let engine = try first.connection.engine()
        #expect(try store().connection.engine() === engine)
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
        await calls.next()
        // A second registry connects by itself, as another process or machine would.
        let other = StoreConnection(store.connection.configuration, registry: EngineRegistry())
        let items = try RecordEncoder.items([FreshStore.steps(1)])
        _ = try other.engine().save(items, as: other.caller)
        await calls.next()
        store.stop(query)
    }

    @Test func statisticsAnchorsAndDeletions() async throws {
        let store = store()
        try await store.save((0..<100).map { FreshStore.steps(Double($0), at: Double($0) * 60) })
        let sum = try await HKStatisticsQueryDescriptor(
            predicate: .quantitySample(type: FreshStore.steps), options: .cumulativeSum
        ).result(for: store)
        #expect(sum?.sumQuantity()?.doubleValue(for: .count()) == 4_950)
        let first = try await HKAnchoredObjectQueryDescriptor(
            predicates: [.quantitySample(type: FreshStore.steps)], anchor: nil
        ).result(for: store)
        #expect(first.addedSamples.count == 100)
        try await store.delete(Array(first.addedSamples.prefix(3)))
        let next = try await HKAnchoredObjectQueryDescriptor(
            predicates: [.quantitySample(type: FreshStore.steps)], anchor: first.newAnchor
        ).result(for: self.store())
        #expect(next.deletedObjects.count == 3 && next.addedSamples.isEmpty)
    }

    @Test func anAddressThatIsNotRegisteredIsInaccessible() async throws {
        let store = HKHealthStore(configuration: configuration("nosql://host/database"))
        let error = await #expect(throws: HKError.self) { try await store.save(FreshStore.steps(1)) }
        #expect(error?.code == .errorDatabaseInaccessible)
    }

    @Test func authorizationOutlivesTheStore() async throws {
        func asking(_ answer: HKHealthStore.Configuration.AuthorizationAnswer) -> HKHealthStore {
            var configuration = configuration()
            configuration.authorization = .handler { _ in answer }
            return HKHealthStore(configuration: configuration)
        }
        try await asking(.init(share: [FreshStore.steps], read: []))
            .requestAuthorization(toShare: [FreshStore.steps], read: [FreshStore.steps])
        let later = asking(.none)
        try await later.requestAuthorization(toShare: [FreshStore.steps], read: [])
        #expect(later.authorizationStatus(for: FreshStore.steps) == .sharingAuthorized)
    }
}
