import Foundation
import HealthEngine
import HealthKit
import HealthStorage
import HealthTesting
import Synchronization
import Testing

/// Execution, handlers and the end of queries, whatever they ask.
@Suite struct HKQueryTests {
    @Test func executingAQueryAgainEndsTheProcess() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let store = HKHealthStore(configuration: .inMemory)
            let query = HKSampleQuery(
                sampleType: HKQuantityType(.stepCount), predicate: nil, limit: HKObjectQueryNoLimit,
                sortDescriptors: nil
            ) { _, _, _ in }
            store.execute(query)
            store.execute(query)
        }
        #expect(result.errorText.contains("already been executed and cannot be executed again"))
    }

    @Test func aPredicateThatDoesNotFitTheTypeEndsTheProcess() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let today = HKQuery.predicateForSamples(
                withStart: Date(), end: nil, options: .strictStartDate)
            HKHealthStore(configuration: .inMemory).execute(
                HKActivitySummaryQuery(predicate: today) { _, _, _ in })
        }
        #expect(
            result.errorText.contains("Unexpected dataType of class HKActivitySummaryType for startDate predicate"))
    }

    @Test func aHandlerCannotBeSetAfterExecution() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let query = HKActivitySummaryQuery(predicate: nil) { _, _, _ in }
            HKHealthStore(configuration: .inMemory).execute(query)
            query.updateHandler = { _, _, _ in }
        }
        #expect(result.errorText.contains("updateHandler cannot be changed after the query was executed"))
    }

    @Test func aHandlerMayExecuteStopAndSave() async throws {
        let store = FreshStore.make()
        let calls = Calls<Int?>()
        let outer = HKSampleQuery(
            sampleType: FreshStore.steps, predicate: nil, limit: 0, sortDescriptors: nil
        ) { query, _, _ in
            store.stop(query)
            store.save(FreshStore.steps(1)) { _, _ in
                store.execute(
                    HKSampleQuery(
                        sampleType: FreshStore.steps, predicate: nil, limit: 0, sortDescriptors: nil
                    ) { _, samples, _ in calls.add(samples?.count) })
            }
        }
        store.execute(outer)
        #expect(await calls.next() == 1)
    }

    @Test("Handlers and threads that wait for a call, as bridges to other languages do, don't delay each other")
    func handlersMayWait() async throws {
        let store = FreshStore.make()
        let calls = Calls<Bool>()
        let count = 16
        @Sendable func wait(for call: (@escaping @Sendable () -> Void) -> Void) {
            let done = DispatchSemaphore(value: 0)
            call { done.signal() }
            calls.add(done.wait(timeout: .now() + 2) == .success)
        }
        for _ in 0..<count {
            store.execute(
                HKSampleQuery(sampleType: FreshStore.steps, predicate: nil, limit: 0, sortDescriptors: nil) { _, _, _ in
                    wait { done in
                        store.execute(
                            HKSampleQuery(
                                sampleType: FreshStore.steps, predicate: nil, limit: 0, sortDescriptors: nil
                            ) { _, _, _ in done() })
                    }
                })
            store.save(FreshStore.steps(1)) { _, _ in
                wait { done in store.save(FreshStore.steps(2)) { _, _ in done() } }
            }
            DispatchQueue.global().async {
                wait { done in store.save(FreshStore.steps(3)) { _, _ in done() } }
            }
        }
        for _ in 0..<3 * count { #expect(await calls.next() == true) }
    }

    @Test func aOneShotQueryCallsOnceThoughDataIsAdded() async throws {
        let store = FreshStore.make()
        let calls = Calls<Int?>()
        store.execute(
            HKSampleQuery(sampleType: FreshStore.steps, predicate: nil, limit: 0, sortDescriptors: nil) {
                _, samples, _ in calls.add(samples?.count)
            })
        #expect(await calls.next() == 0)
        try await store.save(FreshStore.steps(1))
        // Another query runs after the notification; by then the first would have been called again.
        #expect(try await Self.fence(store) == 1)
        #expect(calls.all.count == 1)
    }

    @Test func aStoppedQueryIsSilent() async throws {
        let store = FreshStore.make()
        let updates = Calls<Int>()
        let results = Calls<Int>()
        let query = HKAnchoredObjectQuery(
            type: FreshStore.steps, predicate: nil, anchor: nil, limit: HKObjectQueryNoLimit
        ) { _, samples, _, _, _ in results.add(samples?.count ?? -1) }
        query.updateHandler = { _, samples, _, _, _ in updates.add(samples?.count ?? -1) }
        store.execute(query)
        _ = await results.next()
        try await store.save(FreshStore.steps(1))
        #expect(await updates.next() == 1)
        store.stop(query)
        store.stop(query)
        try await store.save(FreshStore.steps(2, at: 60))
        #expect(try await Self.fence(store) == 2)
        #expect(updates.all == [1])
    }

    @Test func aQueryStoppedInItsHandlerIsSilent() async throws {
        let store = FreshStore.make()
        let calls = Calls<Void>()
        let query = HKObserverQuery(sampleType: FreshStore.steps, predicate: nil) { query, completion, _ in
            store.stop(query)
            completion()
            calls.add(())
        }
        store.execute(query)
        try await store.save(FreshStore.steps(1))
        await calls.next()
        try await store.save(FreshStore.steps(2, at: 60))
        _ = try await Self.fence(store)
        #expect(calls.all.count == 1)
    }

    /// The next commit is of a type that none of the queries is for.
    @Test func failedUpdateIsReadAfterTheNextCommit() async throws {
        let storage = FaultStorage(try StorageProviders.shared.openInMemory())
        let store = try Self.store(over: storage)
        // The numbers of new samples, of steps, and of days with data; -1 for an error.
        let (added, sums, days) = (Calls<Int>(), Calls<Double>(), Calls<Int>())
        let anchored = HKAnchoredObjectQuery(
            type: FreshStore.steps, predicate: nil, anchor: nil, limit: HKObjectQueryNoLimit
        ) { _, samples, _, _, _ in added.add(samples?.count ?? -1) }
        anchored.updateHandler = { _, samples, _, _, _ in added.add(samples?.count ?? -1) }
        let statistics = HKStatisticsCollectionQuery(
            quantityType: FreshStore.steps, quantitySamplePredicate: nil, options: .cumulativeSum,
            anchorDate: FreshStore.epoch, intervalComponents: DateComponents(day: 1))
        statistics.initialResultsHandler = { _, collection, _ in sums.add(Self.sum(collection)) }
        statistics.statisticsUpdateHandler = { _, _, collection, _ in sums.add(Self.sum(collection)) }
        let summaries = HKActivitySummaryQuery(predicate: nil) { _, summaries, _ in days.add(summaries?.count ?? -1) }
        summaries.updateHandler = { _, summaries, _ in days.add(summaries?.count ?? -1) }
        let queries: [HKQuery] = [anchored, statistics, summaries]
        for query in queries { store.execute(query) }
        #expect(await added.next() == 0)
        #expect(await sums.next() == 0)
        #expect(await days.next() == 0)
        storage.lock()
        let energy = HKQuantitySample(
            type: HKQuantityType(.activeEnergyBurned), quantity: HKQuantity(unit: .kilocalorie(), doubleValue: 30),
            start: FreshStore.epoch, end: FreshStore.epoch + 60)
        try await store.save([FreshStore.steps(5), energy])
        #expect(await added.next() == -1)
        #expect(await sums.next() == -1)
        #expect(await days.next() == -1)
        storage.unlock()
        try await store.save(FreshStore.pulse(60))
        #expect(await added.next() == 1)
        #expect(await sums.next() == 5)
        #expect(await days.next() == 1)
        for query in queries { store.stop(query) }
    }

    /// There may be no other commit for a long time.
    @Test func failedReadIsRepeated() async throws {
        let storage = FaultStorage(try StorageProviders.shared.openInMemory())
        let clock = HandClock()
        let store = try Self.store(over: storage, clock: clock.clock)
        let (added, calls) = (Calls<Int>(), Calls<Bool>())
        let anchored = HKAnchoredObjectQuery(
            type: FreshStore.steps, predicate: nil, anchor: nil, limit: HKObjectQueryNoLimit
        ) { _, samples, _, _, _ in added.add(samples?.count ?? -1) }
        anchored.updateHandler = { _, samples, _, _, _ in added.add(samples?.count ?? -1) }
        store.execute(anchored)
        #expect(await added.next() == 0)
        storage.lock()
        let observer = HKObserverQuery(sampleType: FreshStore.steps, predicate: nil) { _, completion, error in
            completion()
            calls.add(error == nil)
        }
        store.execute(observer)
        #expect(await calls.next() == false)
        try await store.save(FreshStore.steps(5))
        #expect(await added.next() == -1)
        storage.unlock()
        clock.advance(by: 1)
        #expect(await added.next() == 1)
        // The commit made the observer try, too, which failed for the second time.
        clock.advance(by: 1)
        #expect(await calls.next() == true)
        // What fails again is tried again after a longer time, and reported once.
        storage.lock()
        try await store.save(FreshStore.steps(6, at: 60))
        #expect(await added.next() == -1)
        #expect(clock.waits == [1])
        clock.advance(by: 1)
        while !clock.waits.contains(2) { await Task.yield() }
        storage.unlock()
        clock.advance(by: 1)
        #expect(added.all == [0, -1, 1, -1])
        clock.advance(by: 1)
        #expect(await added.next() == 1)
        #expect(added.all == [0, -1, 1, -1, 1])
        for query in [anchored, observer] { store.stop(query) }
    }

    @Test("An observer whose store can't be opened at first begins when it can")
    func anObserverOfAStoreThatOpensLater() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        // The store's file can't be where a folder is.
        let file = folder.appendingPathComponent("health.sqlite")
        try FileManager.default.createDirectory(at: file, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let clock = HandClock()
        let store = HKHealthStore(
            configuration: HKHealthStore.Configuration(
                location: .file(file), authorization: .allowAll, clock: clock.clock))
        let calls = Calls<Bool>()
        let observer = HKObserverQuery(sampleType: FreshStore.steps, predicate: nil) { _, completion, error in
            completion()
            calls.add(error == nil)
        }
        store.execute(observer)
        #expect(await calls.next() == false)
        try FileManager.default.removeItem(at: file)
        try await store.save(FreshStore.steps(1))
        #expect(clock.waits == [1])
        clock.advance(by: 1)
        #expect(await calls.next() == true)
        try await store.save(FreshStore.steps(2, at: 60))
        #expect(await calls.next() == true)
        store.stop(observer)
    }

    /// The first of the types is found to have changed before the search for the second fails.
    @Test func anObserverReportsAllTypesAfterAnError() async throws {
        let storage = FaultStorage(try StorageProviders.shared.openInMemory())
        let store = try Self.store(over: storage)
        try await store.save(FreshStore.pulse(60))
        let calls = Calls<Set<HKSampleType>?>()
        let many = HKQuery.predicateForQuantitySamples(
            with: .greaterThan, quantity: HKQuantity(unit: .count(), doubleValue: 10))
        let query = HKObserverQuery(
            queryDescriptors: [
                HKQueryDescriptor(sampleType: FreshStore.heartRate, predicate: nil),
                HKQueryDescriptor(sampleType: FreshStore.steps, predicate: many),
            ]
        ) { _, types, completion, _ in
            completion()
            calls.add(types)
        }
        store.execute(query)
        #expect(await calls.next() == [FreshStore.heartRate])
        storage.lock()
        try await store.save([FreshStore.pulse(61, at: 60), FreshStore.steps(11)])
        #expect(await calls.next() == nil)
        storage.unlock()
        try await store.save(FreshStore.asleep(at: 0, lasting: 60))
        #expect(await calls.next() == [FreshStore.heartRate, FreshStore.steps])
        store.stop(query)
    }

    /// Nothing but an observer could tell a watcher that there is something to read.
    @Test func anObserverThatCouldNotBeginBeginsWithTheNextCommit() async throws {
        let storage = FaultStorage(try StorageProviders.shared.openInMemory())
        let engine = try HealthEngine(storage: storage)
        let store = try Self.store(over: storage, engine)
        let application = HKHealthStore.Configuration.Application.current.bundleIdentifier
        try await store.enableBackgroundDelivery(for: FreshStore.steps, frequency: .immediate)
        try engine.backgroundDelivery.setTarget(.program(path: "/bin/true", arguments: []), of: application)
        try await store.save(FreshStore.steps(5))
        let (added, calls) = (Calls<Int>(), Calls<Bool>())
        let anchored = HKAnchoredObjectQuery(
            type: FreshStore.steps, predicate: nil, anchor: nil, limit: HKObjectQueryNoLimit
        ) { _, samples, _, _, _ in added.add(samples?.count ?? -1) }
        anchored.updateHandler = { _, samples, _, _, _ in added.add(samples?.count ?? -1) }
        let observer = HKObserverQuery(sampleType: FreshStore.steps, predicate: nil) { _, completion, error in
            completion()
            calls.add(error == nil)
        }
        storage.lock()
        for query in [anchored, observer] { store.execute(query) }
        #expect(await added.next() == -1)
        #expect(await calls.next() == false)
        storage.unlock()
        try await store.save(FreshStore.pulse(60))
        #expect(await calls.next() == true)
        try await store.save(FreshStore.steps(6))
        #expect(await calls.next() == true)
        // What it completed is acknowledged, as by one that began at once.
        let last = try engine.lastSequence()
        #expect(
            try engine.backgroundDelivery.application(application)?.registrations.values.map(\.acknowledged) == [last])
        store.stop(observer)
        // The handler of initial results is called once.
        #expect(added.all == [-1])
    }

    private static func store(
        over storage: FaultStorage, _ engine: HealthEngine? = nil, clock: HKHealthStore.Configuration.Clock = .system
    ) throws -> HKHealthStore {
        HKHealthStore(
            configuration: HKHealthStore.Configuration(
                location: .inMemory(name: nil), authorization: .allowAll, clock: clock),
            engine: try engine ?? HealthEngine(storage: storage), availability: DeviceAvailability())
    }

    private static func sum(_ collection: HKStatisticsCollection?) -> Double {
        guard let collection else { return -1 }
        return collection.statistics().reduce(0) { $0 + ($1.sumQuantity()?.doubleValue(for: .count()) ?? 0) }
    }

    @Test func stoppingAQueryThatNeverRanDoesNothing() {
        let query = HKSampleQuery(
            sampleType: FreshStore.steps, predicate: nil, limit: 0, sortDescriptors: nil
        ) { _, _, _ in Issue.record("must not be called") }
        FreshStore.make().stop(query)
    }

    @Test func aQueryThatStaysOutlivesTheStoreThatExecutedIt() async throws {
        let name = FreshStore.name()
        let calls = Calls<Void>()
        let query = HKObserverQuery(sampleType: FreshStore.steps, predicate: nil) { _, completion, _ in
            completion()
            calls.add(())
        }
        var store: HKHealthStore? = FreshStore.make(named: name)
        store?.execute(query)
        store = nil
        let later = FreshStore.make(named: name)
        try await later.save(FreshStore.steps(1))
        await calls.next()
        later.stop(query)
    }

    @Test func propertiesAreThoseGiven() {
        let predicate = HKQuery.predicateForSamples(withStart: FreshStore.epoch, end: nil)
        let query = HKSampleQuery(
            sampleType: FreshStore.steps, predicate: predicate, limit: 3,
            sortDescriptors: [NSSortDescriptor(key: HKSampleSortIdentifierStartDate, ascending: false)]
        ) { _, _, _ in }
        #expect(query.objectType == FreshStore.steps)
        #expect(query.predicate == predicate)
        #expect(query.limit == 3)
        #expect(query.sortDescriptors?.count == 1)
        let several = HKSampleQuery(
            queryDescriptors: [FreshStore.steps, FreshStore.heartRate].map {
                HKQueryDescriptor(sampleType: $0, predicate: nil)
            }, limit: 0
        ) { _, _, _ in }
        #expect(several.objectType == nil)
    }

    /// How many step samples a new query finds.
    static func fence(_ store: HKHealthStore) async throws -> Int {
        try await HKSampleQueryDescriptor(
            predicates: [.quantitySample(type: FreshStore.steps)], sortDescriptors: []
        ).result(for: store).count
    }
}
