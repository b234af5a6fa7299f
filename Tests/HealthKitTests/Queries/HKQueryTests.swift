import Foundation
import HealthKit
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

    @Test func aOneShotQueryCallsOnceThoughDataIsAdded() async throws {
        let store = FreshStore.make()
        let calls = Calls<Int?>()
        store.execute(
            HKSampleQuery(sampleType: FreshStore.steps, predicate: nil, limit: 0, sortDescriptors: nil) {
                _, samples, _ in calls.add(samples?.count)
            })
        #expect(await calls.next() == 0)
        try await store.save(FreshStore.steps(1))
        // Another query runs after the commit was told; by then the first would have been called again.
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
