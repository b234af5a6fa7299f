import Foundation
import HealthKit
@testable import HealthKit
import Testing

@Suite struct HKSampleQueryTests {
    private let store = FreshStore.make()

    private func saveAll() async throws {
        try await store.save([
            FreshStore.steps(3, at: 120), FreshStore.pulse(70, at: 90), FreshStore.steps(1),
            FreshStore.asleep(at: 30, lasting: 600), FreshStore.steps(2, at: 60), FreshStore.pulse(60, at: 10),
        ])
    }

    private func run(
        _ make: (@escaping @Sendable (HKSampleQuery, [HKSample]?, (any Error)?) -> Void) -> HKSampleQuery
    ) async -> [HKSample]? {
        let calls = Calls<[HKSample]?>()
        store.execute(make { calls.add($2 == nil ? $1 : nil) })
        return await calls.next()
    }

    private func offsets(_ samples: [HKSample]?) -> [TimeInterval]? {
        samples?.map { $0.startDate.timeIntervalSince(FreshStore.epoch) }
    }

    @Test func samplesComeInTheOrderTheyWereSaved() async throws {
        try await saveAll()
        let found = await run {
            HKSampleQuery(
                sampleType: FreshStore.steps, predicate: nil, limit: HKObjectQueryNoLimit,
                sortDescriptors: nil, resultsHandler: $0)
        }
        #expect(offsets(found) == [120, 0, 60])
    }

    @Test func theLimitCountsAfterSorting() async throws {
        try await saveAll()
        let found = await run {
            HKSampleQuery(
                sampleType: FreshStore.steps, predicate: nil, limit: 2,
                sortDescriptors: [NSSortDescriptor(key: HKSampleSortIdentifierStartDate, ascending: false)],
                resultsHandler: $0)
        }
        #expect(offsets(found) == [120, 60])
    }

    @Test func aStartAfterTheEndMatchesNothing() async throws {
        try await saveAll()
        // It overlaps both dates.
        try await store.save(FreshStore.steps(9, at: -2_000, lasting: 5_000))
        for options: HKQueryOptions in [[], .strictStartDate, .strictEndDate, [.strictStartDate, .strictEndDate]] {
            let backwards = HKQuery.predicateForSamples(
                withStart: FreshStore.epoch + 1_000, end: FreshStore.epoch - 1_000, options: options)
            let found = await run {
                HKSampleQuery(
                    sampleType: FreshStore.steps, predicate: backwards, limit: 0, sortDescriptors: nil,
                    resultsHandler: $0)
            }
            #expect(found?.isEmpty == true)
        }
    }

    @Test func noMatchIsAnEmptyArray() async throws {
        let found = await run {
            HKSampleQuery(
                sampleType: FreshStore.steps, predicate: nil, limit: 0, sortDescriptors: nil,
                resultsHandler: $0)
        }
        #expect(found?.isEmpty == true)
    }

    @Test func severalDescriptorsGiveTheirUnionOnce() async throws {
        try await saveAll()
        let early = HKQuery.predicateForSamples(
            withStart: FreshStore.epoch, end: FreshStore.epoch + 70, options: .strictStartDate)
        let found = await run {
            HKSampleQuery(
                queryDescriptors: [
                    HKQueryDescriptor(sampleType: FreshStore.steps, predicate: early),
                    HKQueryDescriptor(sampleType: FreshStore.sleep, predicate: nil),
                    HKQueryDescriptor(
                        sampleType: FreshStore.steps,
                        predicate: HKQuery.predicateForQuantitySamples(
                            with: .greaterThan, quantity: HKQuantity(unit: .count(), doubleValue: 1))),
                ], limit: 0,
                sortDescriptors: [NSSortDescriptor(key: HKSampleSortIdentifierStartDate, ascending: true)],
                resultsHandler: $0)
        }
        #expect(offsets(found) == [0, 30, 60, 120])
        let unsorted = await run {
            HKSampleQuery(
                queryDescriptors: [
                    HKQueryDescriptor(sampleType: FreshStore.steps, predicate: nil),
                    HKQueryDescriptor(sampleType: FreshStore.heartRate, predicate: nil),
                ], limit: 2, resultsHandler: $0)
        }
        #expect(unsorted?.count == 2)
    }

    @Test func aBlockIsAskedAfterTheRestAndBeforeTheLimit() async throws {
        try await saveAll()
        let odd = NSPredicate { object, _ in
            guard let sample = object as? HKQuantitySample else { return false }
            return sample.quantity.doubleValue(for: .count()) != 2
        }
        let found = await run {
            HKSampleQuery(
                sampleType: FreshStore.steps, predicate: odd, limit: 2,
                sortDescriptors: [NSSortDescriptor(key: HKSampleSortIdentifierStartDate, ascending: true)],
                resultsHandler: $0)
        }
        #expect(offsets(found) == [0, 120])
    }

    @Test func aSampleThatOneDescriptorTakesIsNotAskedTheOthersBlock() async throws {
        try await saveAll()
        let nothing = NSPredicate { _, _ in false }
        let late = HKQuery.predicateForSamples(withStart: FreshStore.epoch + 100, end: nil, options: .strictStartDate)
        let found = await run {
            HKSampleQuery(
                queryDescriptors: [
                    HKQueryDescriptor(sampleType: FreshStore.steps, predicate: nothing),
                    HKQueryDescriptor(sampleType: FreshStore.steps, predicate: late),
                ], limit: 0, resultsHandler: $0)
        }
        #expect(offsets(found) == [120])
    }

    @Test func anErrorComesWithoutSamples() async {
        let store = FreshStore.make(authorization: .handler { _ in .none })
        let calls = Calls<([HKSample]?, (any Error)?)>()
        store.execute(
            HKSampleQuery(sampleType: FreshStore.steps, predicate: nil, limit: 0, sortDescriptors: nil) {
                calls.add(($1, $2))
            })
        let (samples, error) = await calls.next()
        #expect(samples == nil)
        #expect((error as? HKError)?.code == .errorAuthorizationNotDetermined)
    }

    @Test func noDescriptorsEndTheProcess() async {
        await #expect(processExitsWith: .failure) {
            _ = HKSampleQuery(queryDescriptors: [], limit: 0) { _, _, _ in }
        }
    }

    @Test func theAsyncFormSortsAndLimits() async throws {
        try await saveAll()
        let descriptor = HKSampleQueryDescriptor(
            predicates: [.quantitySample(type: FreshStore.heartRate)],
            sortDescriptors: [SortDescriptor(\.startDate, order: .reverse)], limit: 1)
        let found = try await descriptor.result(for: store)
        #expect(offsets(found) == [90])
        let mixed = try await HKSampleQueryDescriptor(
            predicates: [.sample(type: FreshStore.steps), .sample(type: FreshStore.sleep)],
            sortDescriptors: [SortDescriptor(\HKSample.endDate)]
        ).result(for: store)
        #expect(offsets(mixed) == [0, 60, 120, 30])
    }

    @Test func aCancelledTaskThrows() async {
        let task = Task { [store] in
            // Cancelled before it asks.
            withUnsafeCurrentTask { $0?.cancel() }
            return try await HKQueryTests.fence(store)
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}

struct ArraySampleClassTests {
    private static let instant = Date(timeIntervalSinceReferenceDate: 700_000_000)

    private let steps = HKQuantitySample(
        type: HKQuantityType(.stepCount), quantity: HKQuantity(unit: .count(), doubleValue: 10), start: instant,
        end: instant)
    private let pulse = HKQuantitySample(
        type: HKQuantityType(.heartRate), quantity: HKQuantity(unit: HKUnit(from: "count/min"), doubleValue: 60),
        start: instant, end: instant)
    private let sleep = HKCategorySample(
        type: HKCategoryType(.sleepAnalysis), value: HKCategoryValueSleepAnalysis.inBed.rawValue, start: instant,
        end: instant)

    @Test func picksAClassAndItsSubclassesInOrder() {
        let mixed: [HKSample] = [sleep, steps, steps, pulse, sleep, sleep, steps, pulse]
        #expect(mixed.only(HKQuantitySample.self) == [steps, steps, pulse, steps, pulse])
        #expect(mixed.only(HKCumulativeQuantitySample.self) == [steps, steps, steps])
        #expect(mixed.only(HKCategorySample.self) == [sleep, sleep, sleep])
        #expect(mixed.only(HKWorkout.self).isEmpty)
    }

    @Test func keepsEverythingOfTheGeneralClass() {
        let mixed: [HKSample] = [sleep, steps, pulse]
        #expect(mixed.only(HKSample.self) == mixed)
        #expect([HKSample]().only(HKSample.self).isEmpty)
    }
}
