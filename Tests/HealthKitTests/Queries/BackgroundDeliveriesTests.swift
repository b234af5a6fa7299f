import HealthEngine
import HealthStorage
import HealthTesting
import Testing

@testable import HealthKit

@Suite struct BackgroundDeliveriesTests {
    @Test func deadlinesDoubleUntilTheMaximumOfFailures() {
        var tracker = DeliveryTracker()
        let first = tracker.open(isRepeatable: true)
        #expect(first.deadline == 30)
        let second = tracker.deadlinePassed(first)!
        #expect(second.attempt == 1)
        #expect(second.deadline == 60)
        let third = tracker.deadlinePassed(second)!
        #expect(third.deadline == 120)
        #expect(tracker.deadlinePassed(third) == nil)
        #expect(tracker.hasGivenUp)
        #expect(tracker.open(isRepeatable: true).deadline == nil)
    }

    @Test func completionInAnyAttemptResetsFailures() {
        var tracker = DeliveryTracker()
        let first = tracker.open(isRepeatable: true)
        let second = tracker.deadlinePassed(first)!
        tracker.complete(first)
        #expect(tracker.failures == 0)
        #expect(tracker.deadlinePassed(second) == nil)
        #expect(tracker.failures == 0)
    }

    @Test func failuresOfDifferentCallsAddUp() {
        var tracker = DeliveryTracker()
        let calls = (0..<3).map { _ in tracker.open(isRepeatable: true) }
        #expect(tracker.deadlinePassed(calls[0]) != nil)
        #expect(tracker.deadlinePassed(calls[1]) != nil)
        #expect(tracker.deadlinePassed(calls[2]) == nil)
        #expect(tracker.hasGivenUp)
    }

    @Test func aLateCompletionResumesDeliveries() {
        var tracker = DeliveryTracker()
        var call: DeliveryTracker.Delivery? = tracker.open(isRepeatable: true)
        let last = call!
        while let next = call { call = tracker.deadlinePassed(next) }
        #expect(tracker.hasGivenUp)
        tracker.complete(last)
        #expect(tracker.open(isRepeatable: true).deadline == 30)
    }

    @Test("A call isn't repeated when its types aren't registered any longer")
    func withoutRegistration() {
        var tracker = DeliveryTracker()
        let call = tracker.open(isRepeatable: true)
        #expect(tracker.deadlinePassed(call, isRepeatable: false) == nil)
        #expect(tracker.failures == 0)
        #expect(tracker.deadlinePassed(call) == nil)
    }

    @Test("A call is repeated although the registrations can't be read at its deadline")
    func unreadableRegistrations() async throws {
        let storage = FaultStorage(try StorageProviders.shared.openInMemory())
        let clock = HandClock()
        let store = HKHealthStore(
            configuration: HKHealthStore.Configuration(
                location: .inMemory(name: nil), authorization: .allowAll, clock: clock.clock),
            engine: try HealthEngine(storage: storage), availability: DeviceAvailability())
        try await store.enableBackgroundDelivery(for: FreshStore.steps, frequency: .immediate)
        let calls = Calls<Void>()
        let query = HKObserverQuery(sampleType: FreshStore.steps, predicate: nil) { _, _, _ in calls.add(()) }
        store.execute(query)
        try await store.save(FreshStore.steps(1))
        await calls.next()
        // The settings change, so that the registrations are read again.
        try await store.enableBackgroundDelivery(for: FreshStore.heartRate, frequency: .immediate)
        storage.inject(Fault(at: .read, after: 0))
        clock.advance(by: 30)
        await calls.next()
        storage.inject(nil)
        store.stop(query)
    }

    @Test("Registering a type resets the count of missed deliveries; disabling ends their repetition")
    func registrations() async throws {
        let clock = HandClock()
        let store = FreshStore.make(authorization: .allowAll, clock: clock.clock)
        try await store.enableBackgroundDelivery(for: FreshStore.steps, frequency: .immediate)
        let calls = Calls<Void>()
        // It never completes a call.
        let query = HKObserverQuery(sampleType: FreshStore.steps, predicate: nil) { _, _, _ in calls.add(()) }
        store.execute(query)
        try await store.save(FreshStore.steps(1))
        await calls.next()
        for wait in [30.0, 60, 120] {
            #expect(clock.waits == [wait])
            clock.advance(by: wait)
            if wait < 120 { await calls.next() }
        }
        // Given up: the call after a commit is made once.
        try await store.save(FreshStore.steps(2, at: 60))
        await calls.next()
        #expect(clock.waits.isEmpty)
        try await store.enableBackgroundDelivery(for: FreshStore.steps, frequency: .immediate)
        try await store.save(FreshStore.steps(3, at: 120))
        await calls.next()
        #expect(clock.waits == [30])
        try await store.disableAllBackgroundDelivery()
        clock.advance(by: 30)
        try await store.save(FreshStore.steps(4, at: 180))
        await calls.next()
        #expect(calls.all.count == 6 && clock.waits.isEmpty)
        store.stop(query)
    }
}
