import Foundation
import Testing

@testable import HealthKit

@Suite struct HKQuantitySeriesTests {
    private let store = FreshStore.make()
    private let epoch = FreshStore.epoch

    private func builder(_ type: HKQuantityType, in store: HKHealthStore? = nil) -> HKQuantitySeriesSampleBuilder {
        HKQuantitySeriesSampleBuilder(
            healthStore: store ?? self.store, quantityType: type, startDate: epoch, device: .local())
    }

    private func steps(_ counts: [Double], every step: TimeInterval = 60, metadata: [String: Any]? = nil) async throws
        -> HKQuantitySample
    {
        let builder = builder(FreshStore.steps)
        for (index, count) in counts.enumerated() {
            try builder.insert(
                HKQuantity(unit: .count(), doubleValue: count),
                for: DateInterval(start: epoch + Double(index) * step, duration: step))
        }
        return try #require(try await builder.finishSeries(metadata: metadata).first)
    }

    private func pulse(_ rates: [Double], every step: TimeInterval = 10) async throws -> HKQuantitySample {
        let builder = builder(FreshStore.heartRate)
        let unit = HKUnit.count().unitDivided(by: .minute())
        // Backwards: the order of insertion does not count.
        for (index, rate) in rates.enumerated().reversed() {
            try builder.insert(HKQuantity(unit: unit, doubleValue: rate), at: epoch + Double(index) * step)
        }
        return try #require(try await builder.finishSeries(metadata: nil, endDate: epoch + 100).first)
    }

    private func read(_ type: HKQuantityType) async throws -> [HKQuantitySample] {
        try await HKSampleQueryDescriptor(predicates: [.quantitySample(type: type)], sortDescriptors: [])
            .result(for: store)
    }

    @Test func aSumOfItsQuantities() async throws {
        let sample = try await steps([10, 20, 30], metadata: ["n": 1])
        let found = try await read(FreshStore.steps)
        #expect(found == [sample])
        for one in found + [sample] {
            #expect(one.count == 3)
            #expect((one as? HKCumulativeQuantitySample)?.sumQuantity == HKQuantity(unit: .count(), doubleValue: 60))
            #expect(one.startDate == epoch && one.endDate == epoch + 180)
            #expect(one.metadata?.keys.sorted() == ["n"])
            #expect(one.device == .local())
            #expect(one.sourceRevision.source.bundleIdentifier == "org.example.app")
        }
    }

    @Test func figuresOfADiscreteSeries() async throws {
        let sample = try await pulse([60, 80, 70])
        let found = try #require(try await read(FreshStore.heartRate).first as? HKDiscreteQuantitySample)
        #expect(found == sample && found.count == 3)
        #expect(found.metadata == nil)
        let unit = HKUnit.count().unitDivided(by: .minute())
        #expect(found.averageQuantity.doubleValue(for: unit) == 70)
        #expect(found.minimumQuantity.doubleValue(for: unit) == 60)
        #expect(found.maximumQuantity.doubleValue(for: unit) == 80)
        #expect(found.mostRecentQuantity.doubleValue(for: unit) == 70)
        #expect(found.mostRecentQuantityDateInterval == DateInterval(start: epoch + 20, duration: 0))
        #expect(found.endDate == epoch + 100)
        let data = try NSKeyedArchiver.archivedData(withRootObject: found, requiringSecureCoding: true)
        let back = try NSKeyedUnarchiver.unarchivedObject(ofClass: HKDiscreteQuantitySample.self, from: data)
        #expect(back?.count == 3 && back?.maximumQuantity == found.maximumQuantity)
    }

    @Test func oneQuantityIsAPlainSample() async throws {
        let sample = try await steps([10])
        #expect(sample.count == 1)
        #expect(try await read(FreshStore.steps).map(\.count) == [1])
    }

    @Test func theSameStartReplaces() async throws {
        let builder = builder(FreshStore.steps)
        try builder.insert(HKQuantity(unit: .count(), doubleValue: 1), at: epoch)
        try builder.insert(HKQuantity(unit: .count(), doubleValue: 5), at: epoch)
        try builder.insert(HKQuantity(unit: .count(), doubleValue: 7), at: epoch + 1)
        let sample = try await builder.finishSeries(metadata: nil).first
        #expect(sample?.quantity == HKQuantity(unit: .count(), doubleValue: 12))
        #expect(sample?.count == 2)
    }

    // MARK: Reading

    @Test func quantitiesWithAHandler() async throws {
        let series = try await steps([10, 20])
        let plain = FreshStore.steps(5, at: 30)
        try await store.save(plain)
        func calls(_ bySample: Bool) async -> [String] {
            let calls = Calls<String>()
            let query = HKQuantitySeriesSampleQuery(quantityType: FreshStore.steps, predicate: nil) {
                [epoch] _, quantity, interval, sample, isDone, error in
                let start = interval?.start.timeIntervalSince(epoch) ?? -1
                let owner = sample?.uuid == plain.uuid ? "plain" : sample == nil ? "-" : "series"
                calls.add("\(quantity?.description ?? "-") at \(start) \(owner) \(isDone) \(error == nil)")
            }
            query.includeSample = bySample
            query.orderByQuantitySampleStartDate = bySample
            store.execute(query)
            return [await calls.next(), await calls.next(), await calls.next()]
        }
        #expect(
            await calls(false) == [
                "10 count at 0.0 - false true", "5 count at 30.0 - false true", "20 count at 60.0 - true true",
            ])
        #expect(
            await calls(true) == [
                "10 count at 0.0 series false true", "20 count at 60.0 series false true",
                "5 count at 30.0 plain true true",
            ])
        #expect(series.count == 2)
    }

    @Test func quantitiesOfOneSample() async throws {
        let series = try await pulse([60, 80])
        let calls = Calls<String>()
        store.execute(
            HKQuantitySeriesSampleQuery(sample: series) { [epoch] _, quantity, date, isDone, error in
                let seconds = date?.timeIntervalSince(epoch) ?? -1
                calls.add("\(quantity?.description ?? "-") \(seconds) \(isDone) \(error == nil)")
            })
        #expect(await calls.next() == "60 count/min 0.0 false true")
        #expect(await calls.next() == "80 count/min 10.0 true true")
    }

    @Test func withoutQuantitiesTheHandlerIsCalledOnce() async {
        let calls = Calls<Bool>()
        store.execute(
            HKQuantitySeriesSampleQuery(quantityType: FreshStore.steps, predicate: nil) {
                _, quantity, interval, sample, isDone, error in
                calls.add(quantity == nil && interval == nil && sample == nil && isDone && error == nil)
            })
        #expect(await calls.next())
    }

    @Test func quantitiesAwaited() async throws {
        let series = try await steps([10, 20])
        let early = FreshStore.steps(5, at: -600)
        try await store.save(early)
        var results: [HKQuantitySeriesSampleQueryDescriptor.Result] = []
        let descriptor = HKQuantitySeriesSampleQueryDescriptor(
            predicate: .quantitySample(type: FreshStore.steps), options: [.includeSample])
        for try await result in descriptor.results(for: store) { results.append(result) }
        #expect(results.map { $0.quantity.doubleValue(for: .count()) } == [5, 10, 20])
        #expect(results.map(\.sample) == [early, series, series])
        #expect(results.last?.dateInterval == DateInterval(start: epoch + 60, duration: 60))
        let filtered = HKQuantitySeriesSampleQueryDescriptor(
            predicate: .quantitySample(
                type: FreshStore.steps, predicate: HKQuery.predicateForObject(with: series.uuid)))
        var count = 0
        for try await result in filtered.results(for: store) {
            count += 1
            #expect(result.sample == nil)
        }
        #expect(count == 2)
    }

    // MARK: Statistics

    @Test func sumsSplitWhereTheQuantitiesDo() async throws {
        _ = try await steps([100, 0, 0, 0, 0, 20])
        try await store.save(FreshStore.steps(1, at: 400))
        let descriptor = HKStatisticsCollectionQueryDescriptor(
            predicate: .quantitySample(type: FreshStore.steps), options: .cumulativeSum, anchorDate: epoch,
            intervalComponents: DateComponents(minute: 2))
        let sums = try await descriptor.result(for: store).statistics()
            .map { $0.sumQuantity()?.doubleValue(for: .count()) }
        // Six minutes in one sample: cut evenly it would give 40 to each interval.
        #expect(sums == [100, 0, 20, 1])
        let total = try await HKStatisticsQueryDescriptor(
            predicate: .quantitySample(type: FreshStore.steps), options: .cumulativeSum
        ).result(for: store)
        #expect(total?.sumQuantity()?.doubleValue(for: .count()) == 121)
    }

    @Test func discreteFiguresCountEachQuantity() async throws {
        _ = try await pulse([60, 80, 70])
        try await store.save(FreshStore.pulse(50, at: 500))
        let statistics = try await HKStatisticsQueryDescriptor(
            predicate: .quantitySample(type: FreshStore.heartRate), options: [.discreteMin, .discreteMax, .mostRecent]
        ).result(for: store)
        let unit = HKUnit.count().unitDivided(by: .minute())
        #expect(statistics?.minimumQuantity()?.doubleValue(for: unit) == 50)
        #expect(statistics?.maximumQuantity()?.doubleValue(for: unit) == 80)
        #expect(statistics?.mostRecentQuantity()?.doubleValue(for: unit) == 50)
    }

    @Test func aMeanOfEachQuantity() async throws {
        let type = HKQuantityType(.bodyMass)
        let builder = builder(type)
        for (index, mass) in [60.0, 80, 70].enumerated() {
            try builder.insert(ObjectFamilies.quantity(mass, "kg"), at: epoch + Double(index))
        }
        _ = try await builder.finishSeries(metadata: nil)
        try await store.save(
            HKQuantitySample(type: type, quantity: ObjectFamilies.quantity(90, "kg"), start: epoch + 9, end: epoch + 9))
        let statistics = try await HKStatisticsQueryDescriptor(
            predicate: .quantitySample(type: type), options: .discreteAverage
        ).result(for: store)
        // Of four quantities, not of two samples.
        #expect(statistics?.averageQuantity() == ObjectFamilies.quantity(75, "kg"))
    }

    @Test func theFilterChoosesWholeSamples() async throws {
        _ = try await steps([100, 0, 0, 0, 0, 20])
        let none = HKQuery.predicateForSamples(withStart: epoch + 60, end: nil, options: .strictStartDate)
        await #expect(throws: HKError.self) {
            _ = try await HKStatisticsQueryDescriptor(
                predicate: .quantitySample(type: FreshStore.steps, predicate: none), options: .cumulativeSum
            ).result(for: store)
        }
    }

    // MARK: Deletion and replacement

    @Test func aDeletedSeriesCountsNoMore() async throws {
        let series = try await steps([100, 20])
        try await store.save(FreshStore.steps(1, at: 400))
        try await store.delete(series)
        let total = try await HKStatisticsQueryDescriptor(
            predicate: .quantitySample(type: FreshStore.steps), options: .cumulativeSum
        ).result(for: store)
        #expect(total?.sumQuantity()?.doubleValue(for: .count()) == 1)
        let calls = Calls<Bool>()
        store.execute(
            HKQuantitySeriesSampleQuery(sample: series) { _, quantity, _, isDone, error in
                calls.add(quantity == nil && isDone && error == nil)
            })
        #expect(await calls.next())
    }

    @Test func aNewerVersionTakesTheSeriesPlace() async throws {
        func key(_ version: Int) -> [String: Any] {
            [HKMetadataKeySyncIdentifier: "walk", HKMetadataKeySyncVersion: version]
        }
        _ = try await steps([100, 20], metadata: key(1))
        let newer = try await steps([1, 2, 3], metadata: key(2))
        _ = try await steps([7, 7], metadata: key(1))
        #expect(try await read(FreshStore.steps) == [newer])
        var counts: [Double] = []
        let descriptor = HKQuantitySeriesSampleQueryDescriptor(predicate: .quantitySample(type: FreshStore.steps))
        for try await result in descriptor.results(for: store) {
            counts.append(result.quantity.doubleValue(for: .count()))
        }
        #expect(counts == [1, 2, 3])
    }

    // MARK: What is refused

    @Test func invalidCallsChangeNothing() async throws {
        let builder = builder(FreshStore.steps)
        let one = HKQuantity(unit: .count(), doubleValue: 1)
        await #expect(throws: HKError.self) { _ = try await builder.finishSeries(metadata: nil) }
        #expect(throws: HKError.self) { try builder.insert(one, at: epoch - 1) }
        #expect(throws: HKError.self) { try builder.insert(one, at: Date(timeIntervalSinceReferenceDate: .nan)) }
        #expect(throws: HKError.self) { try builder.insert(ObjectFamilies.quantity(1, "m"), at: epoch) }
        try builder.insert(one, for: DateInterval(start: epoch + 5, duration: 5))
        for end in [epoch - 1, epoch + 9] {
            await #expect(throws: HKError.self) { _ = try await builder.finishSeries(metadata: nil, endDate: end) }
        }
        #expect(try await builder.finishSeries(metadata: nil).map(\.quantity) == [one])
        #expect(throws: HKError.self) { try builder.insert(one, at: epoch) }
    }

    @Test func errorsReachTheHandler() async throws {
        let builder = builder(FreshStore.steps)
        #expect(throws: HKError.self) {
            try builder.insert(HKQuantity(unit: .count(), doubleValue: 1), at: epoch - 1)
        }
        let calls = Calls<Bool>()
        builder.finishSeries(metadata: nil) { samples, error in
            calls.add(samples == nil && (error as? HKError)?.code == .errorInvalidArgument)
        }
        #expect(await calls.next())
        try builder.insert(HKQuantity(unit: .count(), doubleValue: 1), at: epoch)
        builder.finishSeries(metadata: nil, endDate: nil) { samples, error in
            calls.add(samples?.count == 1 && error == nil)
        }
        #expect(await calls.next())
    }

    @Test func aDiscardedBuilderEndsTheProcess() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let builder = HKQuantitySeriesSampleBuilder(
                healthStore: FreshStore.make(), quantityType: FreshStore.steps, startDate: FreshStore.epoch,
                device: nil)
            builder.discard()
            try builder.insert(HKQuantity(unit: .count(), doubleValue: 1), at: FreshStore.epoch)
        }
        #expect(result.errorText.contains("was used after it was discarded"))
    }
}
