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
    func typesWithoutOwnSamplesAreRefused(type: HKObjectType) async {
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
        // Given up: a new commit is notified, but its completion isn't awaited.
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

    // MARK: Acknowledgement

    /// A store whose application is started by `hk daemon`, with its engine.
    private func reachable(clock: HKHealthStore.Configuration.Clock = .system) async throws -> (
        HKHealthStore, HealthEngine
    ) {
        let store = FreshStore.make(clock: clock)
        let engine = try store.connection.engine()
        try await store.enableBackgroundDelivery(for: steps, frequency: .immediate)
        try engine.backgroundDelivery.setTarget(.program(path: "/bin/true", arguments: []), of: "org.example.app")
        return (store, engine)
    }

    private func acknowledged(_ engine: HealthEngine) throws -> Int64? {
        try engine.backgroundDelivery.application("org.example.app")?.registrations[steps.identifier]?.acknowledged
    }

    @Test func completingACallAcknowledgesTheDelivery() async throws {
        let (store, engine) = try await reachable()
        try await store.save(FreshStore.steps(1))
        let attempt = try #require(try engine.backgroundDelivery.begin { _ in 60 }.begun.first)
        let calls = Calls<HKObserverQueryCompletionHandler>()
        let query = HKObserverQuery(sampleType: steps, predicate: nil) { _, completion, _ in calls.add(completion) }
        store.execute(query)
        let completion = await calls.next()
        #expect(try acknowledged(engine) == 0)
        completion()
        // It is stored when the completion handler returns: the program may exit right after it.
        #expect(try acknowledged(engine) == attempt.delivery.types[steps.identifier])
        #expect(try engine.backgroundDelivery.application("org.example.app")?.deliveries.isEmpty == true)
        // So does a program that simply runs.
        try await store.save(FreshStore.steps(2, at: 60))
        let second = await calls.next()
        second()
        #expect(try engine.backgroundDelivery.begin { _ in 60 }.begun.isEmpty)
        store.stop(query)
    }

    @Test func everyObserverMustComplete() async throws {
        let (store, engine) = try await reachable()
        try await store.save(FreshStore.steps(1))
        let first = Calls<HKObserverQueryCompletionHandler>()
        let second = Calls<HKObserverQueryCompletionHandler>()
        let queries = [first, second].map { calls in
            HKObserverQuery(sampleType: steps, predicate: nil) { _, completion, _ in calls.add(completion) }
        }
        for query in queries { store.execute(query) }
        let (one, two) = (await first.next(), await second.next())
        one()
        #expect(try acknowledged(engine) == 0)
        two()
        #expect(try acknowledged(engine) == engine.lastSequence())
        for query in queries { store.stop(query) }
    }

    @Test func changesThatAPredicateLeavesOutAreAcknowledgedWithoutACall() async throws {
        let (store, engine) = try await reachable()
        let calls = Calls<Void>()
        let predicate = HKQuery.predicateForObjects(withMetadataKey: "wanted")
        let query = HKObserverQuery(sampleType: steps, predicate: predicate) { _, completion, _ in
            completion()
            calls.add(())
        }
        store.execute(query)
        try await store.save(FreshStore.steps(1))
        try await store.save(FreshStore.steps(2, at: 60, metadata: ["wanted": "yes"]))
        await calls.next()
        #expect(try acknowledged(engine) == engine.lastSequence())
        try await store.save(FreshStore.steps(3, at: 120))
        try await store.save(FreshStore.steps(4, at: 180, metadata: ["wanted": "yes"]))
        await calls.next()
        #expect(try acknowledged(engine) == engine.lastSequence())
        store.stop(query)
    }

    /// A program that runs writes an acknowledgement only for changes of the types that it observes.
    @Test func changesOfOtherTypesWriteNothing() async throws {
        let (store, engine) = try await reachable()
        let calls = Calls<Void>()
        let queries = [steps, FreshStore.heartRate].map { type in
            HKObserverQuery(sampleType: type, predicate: nil) { _, completion, _ in
                completion()
                calls.add(())
            }
        }
        for query in queries { store.execute(query) }
        try await store.save(FreshStore.steps(1))
        await calls.next()
        let position = try engine.lastSequence()
        #expect(try acknowledged(engine) == position)
        for offset in 1...3 {
            try await store.save(FreshStore.pulse(60, at: Double(offset)))
            await calls.next()
        }
        #expect(try acknowledged(engine) == position)
        for query in queries { store.stop(query) }
        // An observer that was stopped before it completed its call can still complete it.
        let completions = Calls<HKObserverQueryCompletionHandler>()
        let last = HKObserverQuery(sampleType: steps, predicate: nil) { _, completion, _ in completions.add(completion)
        }
        try await store.save(FreshStore.steps(2, at: 60))
        store.execute(last)
        let completion = await completions.next()
        store.stop(last)
        completion()
        #expect(try acknowledged(engine) == engine.lastSequence())
    }

    /// A program that is started because the last sample was deleted must be notified of it, although there is no data.
    @Test(arguments: [false, true])
    func aDeletionIsDeliveredToAProgramThatStarts(withPredicate: Bool) async throws {
        let (store, engine) = try await reachable()
        let sample = FreshStore.steps(1)
        try await store.save(sample)
        try engine.backgroundDelivery.acknowledge([steps.identifier: engine.lastSequence()], of: "org.example.app")
        try await store.delete(sample)
        let attempt = try #require(try engine.backgroundDelivery.begin { _ in 60 }.begun.first)
        let calls = Calls<HKObserverQueryCompletionHandler>()
        let predicate = withPredicate ? HKQuery.predicateForObjects(withMetadataKey: "wanted") : nil
        let query = HKObserverQuery(sampleType: steps, predicate: predicate) { _, completion, _ in calls.add(completion)
        }
        store.execute(query)
        let completion = await calls.next()
        #expect(try acknowledged(engine) != attempt.delivery.types[steps.identifier])
        completion()
        #expect(try acknowledged(engine) == attempt.delivery.types[steps.identifier])
        store.stop(query)
    }

    /// A registration of another process counts at once.
    @Test func aTargetThatIsRegisteredLaterIsNoticed() async throws {
        let name = FreshStore.name()
        let store = FreshStore.make(named: name)
        let engine = try store.connection.engine()
        let calls = Calls<Void>()
        let query = HKObserverQuery(sampleType: steps, predicate: nil) { _, completion, _ in
            completion()
            calls.add(())
        }
        store.execute(query)
        try await store.save(FreshStore.steps(1))
        await calls.next()
        let deliveries = engine.backgroundDelivery
        try deliveries.setFrequency(1, of: steps.identifier, for: "org.example.app")
        try deliveries.setTarget(.program(path: "/bin/true", arguments: []), of: "org.example.app")
        try await store.save(FreshStore.steps(2, at: 60))
        await calls.next()
        #expect(try acknowledged(engine) == engine.lastSequence())
        store.stop(query)
    }
}
