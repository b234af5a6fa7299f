import Foundation
import HealthKit
import Testing

@Suite struct HKStatisticsCollectionQueryTests {
    /// Hourly steps over a day's clock change: each day's sum is its number of hours.
    @Test(arguments: [
        ("Europe/Berlin", DateComponents(year: 2024, month: 3, day: 31), 23.0),
        ("Europe/Berlin", DateComponents(year: 2024, month: 10, day: 27), 25.0),
        ("America/New_York", DateComponents(year: 2024, month: 3, day: 10), 23.0),
        ("America/New_York", DateComponents(year: 2024, month: 11, day: 3), 25.0),
    ])
    func daysFollowTheClock(zone: String, day: DateComponents, hours: Double) async throws {
        let store = FreshStore.make(zone: zone)
        let calendar = FreshStore.calendar(zone)
        let change = try #require(calendar.date(from: day))
        let before = try #require(calendar.date(byAdding: .day, value: -1, to: change))
        try await store.save(
            (0..<Int(24 + hours)).map { hour in
                HKQuantitySample(
                    type: FreshStore.steps, quantity: HKQuantity(unit: .count(), doubleValue: 1),
                    start: before + Double(hour) * 3600, end: before + Double(hour) * 3600 + 600)
            })
        let collection = try await HKStatisticsCollectionQueryDescriptor(
            predicate: .quantitySample(type: FreshStore.steps), options: .cumulativeSum,
            anchorDate: calendar.startOfDay(for: FreshStore.epoch), intervalComponents: DateComponents(day: 1)
        ).result(for: store)
        let days = collection.statistics()
        #expect(days.map { $0.sumQuantity()?.doubleValue(for: .count()) } == [24, hours])
        #expect(days.map(\.startDate) == [before, change])
        #expect(days.map { $0.endDate.timeIntervalSince($0.startDate) } == [86_400, hours * 3600])
    }

    private func hourly(_ store: HKHealthStore) -> HKStatisticsCollectionQuery {
        HKStatisticsCollectionQuery(
            quantityType: FreshStore.steps, quantitySamplePredicate: nil,
            options: [.cumulativeSum], anchorDate: FreshStore.epoch,
            intervalComponents: DateComponents(hour: 1))
    }

    @Test func aStraddlingSampleIsSplitByTime() async throws {
        let store = FreshStore.make()
        try await store.save(FreshStore.steps(100, at: 3600 - 180, lasting: 300))
        let calls = Calls<(HKStatisticsCollection?, (any Error)?)>()
        let query = hourly(store)
        query.initialResultsHandler = { calls.add(($1, $2)) }
        store.execute(query)
        let collection = try #require(await calls.next().0)
        let sums = collection.statistics().map { $0.sumQuantity()?.doubleValue(for: .count()) ?? 0 }
        #expect(sums.count == 2)
        #expect(abs(sums[0] - 60) < 1e-9 && abs(sums[1] - 40) < 1e-9)
    }

    @Test func emptyIntervalsHaveNilFigures() async throws {
        let store = FreshStore.make()
        try await store.save([FreshStore.steps(1), FreshStore.steps(2, at: 3 * 3600)])
        let collection = try await HKStatisticsCollectionQueryDescriptor(
            predicate: .quantitySample(type: FreshStore.steps), options: .cumulativeSum,
            anchorDate: FreshStore.epoch, intervalComponents: DateComponents(hour: 1)
        ).result(for: store)
        #expect(collection.statistics().count == 2)
        var seen: [Double?] = []
        collection.enumerateStatistics(
            from: FreshStore.epoch - 1, to: FreshStore.epoch + 3 * 3600
        ) { statistics, _ in
            seen.append(statistics.sumQuantity()?.doubleValue(for: .count()))
        }
        #expect(seen == [nil, 1, nil, nil, 2])
        var visited = 0
        collection.enumerateStatistics(from: FreshStore.epoch, to: FreshStore.epoch + 3 * 3600) { _, stop in
            visited += 1
            stop.pointee = true
        }
        #expect(visited == 1)
        let empty = collection.statistics(for: FreshStore.epoch + 3600 + 5)
        #expect(empty?.sumQuantity() == nil)
        #expect(empty?.startDate == FreshStore.epoch + 3600)
        #expect(
            collection.statistics(for: FreshStore.epoch + 3 * 3600)?.sumQuantity()?.doubleValue(for: .count())
                == 2)
        #expect(collection.sources().isEmpty)
    }

    @Test func noDataIsAnEmptyCollection() async throws {
        let store = FreshStore.make()
        let calls = Calls<(HKStatisticsCollection?, (any Error)?)>()
        let query = hourly(store)
        query.initialResultsHandler = { calls.add(($1, $2)) }
        store.execute(query)
        let (collection, error) = await calls.next()
        #expect(collection?.statistics().isEmpty == true)
        #expect(error == nil)
        #expect(collection?.statistics(for: FreshStore.epoch)?.sumQuantity() == nil)
    }

    /// Hours between remote samples are never computed: there are about 18 million of them.
    @Test func aSampleOfTheYearOneLeavesAGap() async throws {
        let store = FreshStore.make()
        try await store.save([
            HKQuantitySample(
                type: FreshStore.steps, quantity: HKQuantity(unit: .count(), doubleValue: 7), start: .distantPast,
                end: .distantPast + 60),
            FreshStore.steps(1), FreshStore.steps(2, at: 60), FreshStore.steps(4, at: 7200),
        ])
        for anchor in [FreshStore.epoch, .distantPast, .distantFuture] {
            let collection = try await HKStatisticsCollectionQueryDescriptor(
                predicate: .quantitySample(type: FreshStore.steps), options: .cumulativeSum, anchorDate: anchor,
                intervalComponents: DateComponents(hour: 1)
            ).result(for: store)
            let hours = collection.statistics()
            #expect(hours.map { $0.sumQuantity()?.doubleValue(for: .count()) } == [7, 3, 4])
            #expect(hours.allSatisfy { $0.endDate.timeIntervalSince($0.startDate) == 3600 })
            #expect(collection.statistics(for: .distantPast)?.sumQuantity()?.doubleValue(for: .count()) == 7)
            #expect(collection.statistics(for: .distantFuture)?.sumQuantity() == nil)
            var visited = 0
            collection.enumerateStatistics(from: .distantPast, to: .distantFuture) { _, stop in
                visited += 1
                stop.pointee = ObjCBool(visited == 5)
            }
            #expect(visited == 5)
        }
    }

    /// A sample that lasts long in terms of the intervals is in each of them: they are counted before any is computed.
    @Test(arguments: [DateComponents(second: 1), DateComponents(minute: 1), DateComponents(nanosecond: 1)])
    func billionsOfIntervalsAreAnError(components: DateComponents) async throws {
        let store = FreshStore.make()
        try await store.save(
            HKQuantitySample(
                type: HKQuantityType(.heartRate),
                quantity: HKQuantity(unit: .count().unitDivided(by: .minute()), doubleValue: 60),
                start: FreshStore.epoch, end: FreshStore.epoch + 100 * 366 * 86_400))
        for anchor in [FreshStore.epoch, .distantPast, .distantFuture, Date(timeIntervalSinceReferenceDate: -1e15)] {
            let error = await #expect(throws: HKError.self) {
                try await HKStatisticsCollectionQueryDescriptor(
                    predicate: .quantitySample(type: HKQuantityType(.heartRate)), options: .discreteAverage,
                    anchorDate: anchor,
                    intervalComponents: components
                ).result(for: store)
            }
            #expect(error?.code == .errorInvalidArgument)
        }
    }

    @Test(arguments: [DateComponents(), DateComponents(day: -1)])
    func componentsWithoutADurationAreAnError(components: DateComponents) async throws {
        let store = FreshStore.make()
        let error = await #expect(throws: HKError.self) {
            try await HKStatisticsCollectionQueryDescriptor(
                predicate: .quantitySample(type: FreshStore.steps), options: .cumulativeSum,
                anchorDate: FreshStore.epoch, intervalComponents: components
            ).result(for: store)
        }
        #expect(error?.code == .errorInvalidArgument)
    }

    @Test func sourcesAreThereOnRequest() async throws {
        let store = FreshStore.make()
        try await store.save(FreshStore.steps(1))
        let collection = try await HKStatisticsCollectionQueryDescriptor(
            predicate: .quantitySample(type: FreshStore.steps), options: [.cumulativeSum, .separateBySource],
            anchorDate: FreshStore.epoch, intervalComponents: DateComponents(hour: 1)
        ).result(for: store)
        #expect(collection.sources().map(\.bundleIdentifier) == ["org.example.app"])
        #expect(collection.statistics(for: .distantPast)?.sources == [])
    }

    @Test func updatesReportChangedIntervals() async throws {
        let store = FreshStore.make()
        let first = FreshStore.steps(1)
        try await store.save(first)
        let initial = Calls<Int?>()
        let updates = Calls<(HKStatistics?, HKStatisticsCollection?, (any Error)?)>()
        let query = hourly(store)
        query.initialResultsHandler = { _, collection, _ in initial.add(collection?.statistics().count) }
        query.statisticsUpdateHandler = { updates.add(($1, $2, $3)) }
        store.execute(query)
        #expect(await initial.next() == 1)

        try await store.save(FreshStore.steps(2, at: 7200))
        let (one, collection, _) = await updates.next()
        #expect(one?.sumQuantity()?.doubleValue(for: .count()) == 2)
        #expect(one?.startDate == FreshStore.epoch + 7200)
        #expect(collection?.statistics().count == 2)

        // Another type doesn't change the result.
        try await store.save(FreshStore.pulse(60))
        try await store.save([FreshStore.steps(3, at: 60), FreshStore.steps(4, at: 10_800)])
        let (several, larger, _) = await updates.next()
        #expect(several == nil)
        #expect(larger?.statistics().count == 3)

        try await store.delete(first)
        let (less, _, _) = await updates.next()
        #expect(less?.sumQuantity()?.doubleValue(for: .count()) == 3)
        #expect(updates.all.count == 3)
        store.stop(query)
    }

    @Test("Samples that change no figure are notified without statistics, and only if they match the predicate")
    func samplesWithoutEffect() async throws {
        let store = FreshStore.make()
        let low = FreshStore.pulse(50, at: 30)
        try await store.save([FreshStore.pulse(80), low])
        let (initial, updates) = (Calls<Bool>(), Calls<(HKStatistics?, HKStatisticsCollection?, (any Error)?)>())
        let query = HKStatisticsCollectionQuery(
            quantityType: FreshStore.heartRate,
            quantitySamplePredicate: HKQuery.predicateForSamples(
                withStart: FreshStore.epoch, end: FreshStore.epoch + 3_600),
            options: .discreteMax, anchorDate: FreshStore.epoch, intervalComponents: DateComponents(hour: 1))
        query.initialResultsHandler = { _, collection, _ in initial.add(collection != nil) }
        query.statisticsUpdateHandler = { updates.add(($1, $2, $3)) }
        store.execute(query)
        #expect(await initial.next())
        try await store.save(FreshStore.pulse(60, at: 60))
        let (changed, collection, error) = await updates.next()
        #expect(changed == nil && collection?.statistics().count == 1 && error == nil)
        try await store.delete(low)
        #expect(await updates.next().1?.statistics().count == 1)
        // Outside of the predicate.
        try await store.save(FreshStore.pulse(200, at: 7_200))
        try await store.save(FreshStore.pulse(90, at: 120))
        let unit = HKUnit.count().unitDivided(by: .minute())
        #expect(await updates.next().0?.maximumQuantity()?.doubleValue(for: unit) == 90)
        #expect(updates.all.count == 3)
        store.stop(query)
    }

    @Test("A value that isn't a number changes only its own interval")
    func notANumber() async throws {
        let store = FreshStore.make()
        try await store.save(FreshStore.steps(.nan))
        var iterator = HKStatisticsCollectionQueryDescriptor(
            predicate: .quantitySample(type: FreshStore.steps), options: .cumulativeSum,
            anchorDate: FreshStore.epoch, intervalComponents: DateComponents(hour: 1)
        ).results(for: store).makeAsyncIterator()
        let first = try #require(try await iterator.next())
        #expect(first.statisticsCollection.statistics().first?.sumQuantity()?.doubleValue(for: .count()).isNaN == true)
        try await store.save(FreshStore.steps(5, at: 7_200))
        let second = try #require(try await iterator.next())
        #expect(second.updatedStatistics?.map(\.startDate) == [FreshStore.epoch + 7_200])
    }

    @Test func anIntervalThatLosesItsSamplesIsReportedEmpty() async throws {
        let store = FreshStore.make()
        let sample = FreshStore.steps(1)
        try await store.save([sample, FreshStore.steps(2, at: 7200)])
        let results = HKStatisticsCollectionQueryDescriptor(
            predicate: .quantitySample(type: FreshStore.steps), options: .cumulativeSum,
            anchorDate: FreshStore.epoch, intervalComponents: DateComponents(hour: 1)
        ).results(for: store)
        var iterator = results.makeAsyncIterator()
        let first = try #require(try await iterator.next())
        #expect(first.updatedStatistics == nil)
        #expect(first.statisticsCollection.statistics().count == 2)
        try await store.delete(sample)
        let second = try #require(try await iterator.next())
        #expect(second.updatedStatistics?.count == 1)
        #expect(second.updatedStatistics?.first?.startDate == FreshStore.epoch)
        #expect(second.updatedStatistics?.first?.sumQuantity() == nil)
        #expect(second.statisticsCollection.statistics().count == 1)
    }

    @Test func anErrorGoesToTheInitialHandler() async {
        let store = FreshStore.make(authorization: .handler { _ in .none })
        let calls = Calls<(any Error)?>()
        let query = hourly(store)
        query.initialResultsHandler = { calls.add($1 == nil ? $2 : nil) }
        query.statisticsUpdateHandler = { _, _, _, _ in Issue.record("must not be called") }
        store.execute(query)
        #expect((await calls.next() as? HKError)?.code == .errorAuthorizationNotDetermined)
    }

    @Test func propertiesAreThoseGiven() {
        let query = hourly(FreshStore.make())
        #expect(query.anchorDate == FreshStore.epoch)
        #expect(query.intervalComponents == DateComponents(hour: 1))
        #expect(query.options == .cumulativeSum)
        #expect(query.initialResultsHandler == nil && query.statisticsUpdateHandler == nil)
    }
}
