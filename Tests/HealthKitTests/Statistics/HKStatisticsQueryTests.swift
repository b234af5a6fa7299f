import Foundation
import HealthKit
import Testing

@Suite struct HKStatisticsQueryTests {
    private let name = FreshStore.name()

    private func statistics(
        _ store: HKHealthStore, _ type: HKQuantityType, _ options: HKStatisticsOptions,
        _ predicate: NSPredicate? = nil
    ) async -> (HKStatistics?, HKError?) {
        let calls = Calls<(HKStatistics?, HKError?)>()
        store.execute(
            HKStatisticsQuery(
                quantityType: type, quantitySamplePredicate: predicate, options: options
            ) { calls.add(($1, $2 as? HKError)) })
        return await calls.next()
    }

    @Test func aCumulativeSum() async throws {
        let store = FreshStore.make(named: name)
        try await store.save([FreshStore.steps(10), FreshStore.steps(20, at: 300)])
        let (found, error) = await statistics(store, FreshStore.steps, [.cumulativeSum, .duration, .mostRecent])
        let statistics = try #require(found)
        #expect(error == nil)
        #expect(statistics.quantityType == FreshStore.steps)
        #expect(statistics.sumQuantity()?.doubleValue(for: .count()) == 30)
        #expect(statistics.duration()?.doubleValue(for: .minute()) == 2)
        #expect(statistics.mostRecentQuantity()?.doubleValue(for: .count()) == 20)
        #expect(
            statistics.mostRecentQuantityDateInterval()
                == DateInterval(start: FreshStore.epoch + 300, duration: 60))
        #expect(statistics.averageQuantity() == nil)
        #expect(statistics.sources == nil)
        // The samples' dates, not the predicate's.
        #expect(statistics.startDate == FreshStore.epoch)
        #expect(statistics.endDate == FreshStore.epoch + 360)
    }

    @Test func discreteFigures() async throws {
        let store = FreshStore.make(named: name)
        try await store.save([50, 70, 90].enumerated().map { FreshStore.pulse($1, at: Double($0)) })
        let (found, _) = await statistics(
            store, FreshStore.heartRate, [.discreteAverage, .discreteMin, .discreteMax])
        let perMinute = HKUnit.count().unitDivided(by: .minute())
        let statistics = try #require(found)
        #expect(abs((statistics.minimumQuantity()?.doubleValue(for: perMinute) ?? 0) - 50) < 1e-9)
        #expect(abs((statistics.maximumQuantity()?.doubleValue(for: perMinute) ?? 0) - 90) < 1e-9)
        #expect(abs((statistics.averageQuantity()?.doubleValue(for: perMinute) ?? 0) - 70) < 1e-9)
        #expect(statistics.sumQuantity() == nil)
    }

    @Test func aStraddlingSampleCountsWhole() async throws {
        let store = FreshStore.make(named: name)
        try await store.save(FreshStore.steps(100, at: -30, lasting: 60))
        let predicate = HKQuery.predicateForSamples(withStart: FreshStore.epoch, end: nil)
        let (found, _) = await statistics(store, FreshStore.steps, .cumulativeSum, predicate)
        #expect(found?.sumQuantity()?.doubleValue(for: .count()) == 100)
        #expect(found?.startDate == FreshStore.epoch - 30)
    }

    @Test func withoutSamplesThereIsNoData() async throws {
        let store = FreshStore.make(named: name)
        let (found, error) = await statistics(store, FreshStore.steps, .cumulativeSum)
        #expect(found == nil)
        #expect(error?.code == .errorNoData)
        #expect(error?.localizedDescription == "No data available for the specified predicate.")
        let thrown = await #expect(throws: HKError.self) {
            try await HKStatisticsQueryDescriptor(
                predicate: .quantitySample(type: FreshStore.steps), options: .cumulativeSum
            ).result(for: store)
        }
        #expect(thrown?.code == .errorNoData)
    }

    @Test func sourcesApart() async throws {
        let store = FreshStore.make(named: name)
        let other = FreshStore.make(named: name, app: "org.example.other")
        try await store.save(FreshStore.steps(10))
        try await other.save(FreshStore.steps(4, at: 600))
        let statistics = try #require(
            try await HKStatisticsQueryDescriptor(
                predicate: .quantitySample(type: FreshStore.steps),
                options: [.cumulativeSum, .separateBySource]
            ).result(for: store))
        let sources = try #require(statistics.sources)
        #expect(sources.map(\.bundleIdentifier) == ["org.example.app", "org.example.other"])
        #expect(sources.map { statistics.sumQuantity(for: $0)?.doubleValue(for: .count()) } == [10, 4])
        #expect(statistics.sumQuantity()?.doubleValue(for: .count()) == 14)
        #expect(statistics.duration(for: sources[0]) == nil)
    }

    @Test func aBlockChoosesSamples() async throws {
        let store = FreshStore.make(named: name)
        try await store.save([FreshStore.steps(10), FreshStore.steps(20, at: 300)])
        let big = NSPredicate { object, _ in
            ((object as? HKQuantitySample)?.quantity.doubleValue(for: .count()) ?? 0) > 15
        }
        let (found, _) = await statistics(store, FreshStore.steps, .cumulativeSum, big)
        #expect(found?.sumQuantity()?.doubleValue(for: .count()) == 20)
    }

    @Test func aSumOfADiscreteTypeEndsTheProcess() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = HKStatisticsQuery(
                quantityType: HKQuantityType(.heartRate), quantitySamplePredicate: nil,
                options: .cumulativeSum
            ) { _, _, _ in }
        }
        #expect(
            result.errorText.contains(
                "Statistics option HKStatisticsOptionCumulativeSum is not compatible with discrete data type HKQuantityTypeIdentifierHeartRate"
            ))
    }

    @Test func anAverageOfACumulativeTypeEndsTheProcess() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = HKStatisticsCollectionQuery(
                quantityType: HKQuantityType(.stepCount), quantitySamplePredicate: nil,
                options: [.discreteAverage, .duration], anchorDate: Date(),
                intervalComponents: DateComponents(day: 1))
        }
        #expect(
            result.errorText.contains(
                "Statistics option HKStatisticsOptionDiscreteAverage is not compatible with cumulative data type HKQuantityTypeIdentifierStepCount"
            ))
    }

    @Test func statisticsSurviveAnArchive() async throws {
        let store = FreshStore.make(named: name)
        try await store.save([FreshStore.steps(10), FreshStore.steps(0.1, at: 300)])
        let (found, _) = await statistics(
            store, FreshStore.steps, [.cumulativeSum, .duration, .mostRecent, .separateBySource])
        let statistics = try #require(found)
        let data = try NSKeyedArchiver.archivedData(
            withRootObject: statistics, requiringSecureCoding: true)
        let back = try NSKeyedUnarchiver.unarchivedObject(ofClass: HKStatistics.self, from: data)
        #expect(back == statistics)
        #expect(back?.sources?.count == 1)
    }
}
