import Foundation
import HealthEngine
import HealthStorage
import Testing

@testable import HealthKit

@Suite struct HKObserverQueryTests {
    private let name = FreshStore.name()

    private func observe(
        _ store: HKHealthStore, _ calls: Calls<HKError?>, _ predicate: NSPredicate? = nil
    ) -> HKObserverQuery {
        let query = HKObserverQuery(sampleType: FreshStore.steps, predicate: predicate) { _, completion, error in
            completion()
            calls.add(error as? HKError)
        }
        store.execute(query)
        return query
    }

    @Test func thereIsAnInitialCallWhenThereIsData() async throws {
        let store = FreshStore.make(named: name)
        try await store.save(FreshStore.steps(1))
        let calls = Calls<HKError?>()
        let query = observe(store, calls)
        #expect(await calls.next() == nil)
        store.stop(query)
    }

    @Test func thereIsNoneWithoutData() async throws {
        let store = FreshStore.make(named: name)
        try await store.save([FreshStore.pulse(60), FreshStore.steps(1, at: -1_000)])
        let calls = Calls<HKError?>()
        let later = HKQuery.predicateForSamples(withStart: FreshStore.epoch, end: nil, options: .strictStartDate)
        let query = observe(store, calls, later)
        // The one call there is comes from the save.
        try await store.save(FreshStore.steps(2))
        _ = await calls.next()
        _ = try await HKQueryTests.fence(store)
        #expect(calls.all.count == 1)
        store.stop(query)
    }

    @Test func savesAndDeletionsOfTheTypeAreReported() async throws {
        let store = FreshStore.make(named: name)
        let calls = Calls<HKError?>()
        let query = observe(store, calls)
        let sample = FreshStore.steps(1)
        try await store.save(sample)
        _ = await calls.next()
        try await store.save(FreshStore.pulse(60))
        try await store.delete(sample)
        _ = await calls.next()
        #expect(calls.all.count == 2)
        store.stop(query)
    }

    /// A sample that is stored when the commit of another type is processed, but hasn't been notified yet, doesn't count as
    /// seen.
    @Test func changesBehindTheCommitOfAnotherTypeAreReported() async throws {
        let store = FreshStore.make(named: name)
        let engine = try store.connection.engine()
        try await store.save(FreshStore.pulse(60))
        let calls = Calls<Set<HKSampleType>>()
        let called = DispatchSemaphore(value: 0)
        let types: [HKSampleType] = [FreshStore.steps, FreshStore.heartRate]
        let query = HKObserverQuery(
            queryDescriptors: types.map { HKQueryDescriptor(sampleType: $0, predicate: nil) }
        ) { _, types, completion, _ in
            completion()
            called.signal()
            calls.add(types ?? [])
        }
        store.execute(query)
        #expect(await calls.next() == [FreshStore.heartRate])
        called.wait()
        engine.holdNotifications()
        try await store.save(FreshStore.pulse(61, at: 60))
        try await store.save(FreshStore.steps(1))
        // After the query, this is notified of each commit: of the second when the query has been called for the
        // first.
        let pulse = try #require(try engine.code(of: FreshStore.heartRate.identifier))
        let observation = engine.observeCommits { commit in
            if commit.types.contains(pulse) { called.wait() }
        }
        engine.releaseNotifications()
        #expect(await calls.next() == [FreshStore.heartRate])
        #expect(await calls.next() == [FreshStore.steps])
        observation.cancel()
        store.stop(query)
    }

    @Test func onlyMatchingSamplesAreReported() async throws {
        let store = FreshStore.make(named: name)
        let calls = Calls<HKError?>()
        let many = HKQuery.predicateForQuantitySamples(
            with: .greaterThan, quantity: HKQuantity(unit: .count(), doubleValue: 10))
        let query = observe(store, calls, many)
        try await store.save(FreshStore.steps(1))
        try await store.save(FreshStore.steps(11, at: 60))
        _ = await calls.next()
        _ = try await HKQueryTests.fence(store)
        #expect(calls.all.count == 1)
        store.stop(query)
    }

    @Test func theDescriptorFormNamesTheTypes() async throws {
        let store = FreshStore.make(named: name)
        try await store.save([FreshStore.steps(1), FreshStore.asleep(at: 0, lasting: 60)])
        let calls = Calls<Set<HKSampleType>?>()
        let types: [HKSampleType] = [FreshStore.steps, FreshStore.heartRate, FreshStore.sleep]
        let query = HKObserverQuery(
            queryDescriptors: types.map { HKQueryDescriptor(sampleType: $0, predicate: nil) }
        ) { _, changed, completion, _ in
            completion()
            calls.add(changed)
        }
        store.execute(query)
        #expect(await calls.next() == [FreshStore.steps, FreshStore.sleep])
        try await store.save(FreshStore.pulse(60))
        #expect(await calls.next() == [FreshStore.heartRate])
        try await store.save([FreshStore.pulse(61, at: 1), FreshStore.steps(1, at: 60)])
        #expect(await calls.next() == [FreshStore.steps, FreshStore.heartRate])
        store.stop(query)
    }

    @Test func anotherApplicationsDataIsReportedOnlyIfItMayBeRead() async throws {
        let other = FreshStore.make(named: name, app: "org.example.other")
        let store = FreshStore.make(
            named: name, authorization: .handler { .init(share: $0.share, read: []) })
        try await store.requestAuthorization(toShare: [FreshStore.steps], read: [FreshStore.steps])
        let calls = Calls<HKError?>()
        let query = observe(store, calls)
        try await other.save(FreshStore.steps(1))
        try await store.save(FreshStore.steps(2, at: 60))
        _ = await calls.next()
        _ = try await HKQueryTests.fence(store)
        #expect(calls.all.count == 1)
        store.stop(query)
    }

    @Test func aTypeWithoutAnAuthorizationRequestFails() async throws {
        let store = FreshStore.make(authorization: .handler { _ in .none })
        let calls = Calls<HKError?>()
        _ = observe(store, calls)
        #expect(await calls.next()?.code == .errorAuthorizationNotDetermined)
    }

    @Test func aBlockIsAskedToo() async throws {
        let store = FreshStore.make(named: name)
        let calls = Calls<HKError?>()
        let many = NSPredicate { object, _ in
            ((object as? HKQuantitySample)?.quantity.doubleValue(for: .count()) ?? 0) > 10
        }
        let query = observe(store, calls, many)
        try await store.save(FreshStore.steps(1))
        try await store.save(FreshStore.steps(11, at: 60))
        _ = await calls.next()
        _ = try await HKQueryTests.fence(store)
        #expect(calls.all.count == 1)
        store.stop(query)
    }
}
