import Foundation
import HealthEngine
import Testing

@testable import HealthKit

@Suite struct BackgroundDeliveryTests {
    private let steps = FreshStore.steps

    @Test func registrationsAreKeptInTheStore() async throws {
        let name = FreshStore.name()
        let store = FreshStore.make(named: name)
        let other = FreshStore.make(named: name, app: "org.example.other")
        try await store.enableBackgroundDelivery(for: steps, frequency: .hourly)
        let calls = Calls<Bool>()
        store.enableBackgroundDelivery(for: FreshStore.sleep, frequency: .immediate) { success, _ in
            calls.add(success)
        }
        #expect(await calls.next())
        let engine = try store.connection.engine()
        #expect(
            try engine.backgroundDelivery.frequencies(of: "org.example.app") == [
                "HKQuantityTypeIdentifierStepCount": 2, "HKCategoryTypeIdentifierSleepAnalysis": 1,
            ])
        try await other.disableAllBackgroundDelivery()
        #expect(try engine.backgroundDelivery.frequencies(of: "org.example.app").count == 2)
        try await store.disableBackgroundDelivery(for: steps)
        #expect(try engine.backgroundDelivery.frequencies(of: "org.example.app").count == 1)
        try await store.disableAllBackgroundDelivery()
        #expect(try engine.backgroundDelivery.frequencies(of: "org.example.app").isEmpty)
    }

    @Test(arguments: [HKCorrelationType(.food), HKCharacteristicType(.bloodType), HKObjectType.activitySummaryType()])
    func typesWithoutSamplesOfTheirOwnAreRefused(type: HKObjectType) async {
        let error = await #expect(throws: HKError.self) {
            try await FreshStore.make().enableBackgroundDelivery(for: type, frequency: .daily)
        }
        #expect(error?.code == .errorInvalidArgument)
    }

    /// A call that is not completed comes again after 30 s, then after 60 s more, and not a fourth time.
    @Test func aCallThatIsNotCompletedIsRepeatedTwice() async throws {
        let clock = HandClock()
        let store = FreshStore.make(clock: clock.clock)
        try await store.enableBackgroundDelivery(for: steps, frequency: .immediate)
        let calls = Calls<Void>()
        let query = HKObserverQuery(sampleType: steps, predicate: nil) { _, _, _ in calls.add(()) }
        store.execute(query)
        try await store.save(FreshStore.steps(1))
        await calls.next()
        for wait in [30.0, 60, 120] {
            #expect(clock.waits == [wait])
            clock.advance(by: wait)
            if wait < 120 { await calls.next() }
        }
        // Given up: a new commit is told, but nobody waits for it to be completed.
        try await store.save(FreshStore.steps(2, at: 60))
        await calls.next()
        #expect(clock.waits.isEmpty)
        #expect(calls.all.count == 4)
        store.stop(query)
    }

    @Test func aCompletedCallIsNotRepeated() async throws {
        let clock = HandClock()
        let store = FreshStore.make(clock: clock.clock)
        try await store.enableBackgroundDelivery(for: steps, frequency: .immediate)
        let calls = Calls<Void>()
        let query = HKObserverQuery(sampleType: steps, predicate: nil) { _, completion, _ in
            completion()
            calls.add(())
        }
        store.execute(query)
        try await store.save(FreshStore.steps(1))
        await calls.next()
        clock.advance(by: 1_000)
        try await store.save(FreshStore.steps(2, at: 60))
        await calls.next()
        #expect(calls.all.count == 2)
        store.stop(query)
    }

    @Test func typesThatAreNotRegisteredAreNotWaitedFor() async throws {
        let clock = HandClock()
        let store = FreshStore.make(clock: clock.clock)
        try await store.enableBackgroundDelivery(for: FreshStore.heartRate, frequency: .immediate)
        let calls = Calls<Void>()
        let query = HKObserverQuery(sampleType: steps, predicate: nil) { _, _, _ in calls.add(()) }
        store.execute(query)
        try await store.save(FreshStore.steps(1))
        await calls.next()
        #expect(clock.waits.isEmpty)
        store.stop(query)
    }
}
