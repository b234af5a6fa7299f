import HealthEngine
import HealthImport
import HealthModel
import Testing

/// How overlapping sources become one sum.
@Suite struct MergeTests {
    private func save(
        _ store: TestStore, _ caller: Caller, _ value: Double, _ from: Double, _ to: Double,
        metadata: Metadata = .empty
    ) throws {
        try store.engine.save(
            [.sample(.quantity(Names.steps, value, "count", from: from, to: to, metadata: metadata))], as: caller)
    }

    private func statistics(
        _ store: TestStore, _ options: StatisticsOptions = .cumulativeSum
    ) throws -> StatisticsBucket {
        try store.engine.statistics(StatisticsRequest(type: Names.steps, options: options), as: Names.phone)[0]
    }

    @Test(arguments: [1, 2, 1_000])
    func watchAndPhoneOfAWeek(pageCapacity: Int) throws {
        let store = try TestStore(pageCapacity: pageCapacity)
        // The watch: 6902 steps in seven walks. The phone: 900 during two of them, 1100 at other times.
        for day in 0..<7 {
            try save(store, Names.watch, day == 0 ? 902 : 1_000, Double(day) * 86_400, Double(day) * 86_400 + 3_600)
        }
        try save(store, Names.phone, 400, 600, 1_200)
        try save(store, Names.phone, 500, 86_400, 86_400 + 3_600)
        try save(store, Names.phone, 700, 7_200, 9_000)
        try save(store, Names.phone, 400, 86_400 + 3_600, 86_400 + 4_000)
        #expect(try statistics(store).values.sum == 6_902.0 + 1_100.0)
        let separate = try statistics(store, [.cumulativeSum, .separateBySource])
        #expect(separate.values.sum == 6_902.0 + 1_100.0)
        #expect(separate.bySource?[Names.watch.revision.source]?.sum == 6_902)
        #expect(separate.bySource?[Names.phone.revision.source]?.sum == 2_000)
    }

    @Test func theLoserCountsWithWhatIsLeftOfItsTime() throws {
        let store = try TestStore()
        try save(store, Names.watch, 50, 100, 200)
        try save(store, Names.phone, 80, 150, 350)
        #expect(try statistics(store).values.sum == 50 + 80 * 150 / 200)
        // Two winners inside one loser leave three gaps.
        try save(store, Names.watch, 7, 250, 300)
        #expect(try statistics(store).values.sum == 57 + 80 * 100 / 200)
    }

    @Test func losingSamplesAreSplitAtBoundsAndWinners() throws {
        let store = try TestStore(pageCapacity: 1)
        try save(store, Names.watch, 10, 90, 110)
        try save(store, Names.phone, 100, 50, 150)
        let request = StatisticsRequest(
            type: Names.steps, options: .cumulativeSum, buckets: .bounds { _ in [0, 100, 200] })
        let buckets = try store.engine.statistics(request, as: Names.phone)
        let expected: [Double] = [5 + 40, 5 + 40]
        #expect(buckets.map(\.values.sum) == expected)
    }

    @Test func instantsCountWhereNothingBetterCovers() throws {
        let store = try TestStore()
        try save(store, Names.watch, 50, 100, 200)
        for instant in [99.0, 100, 150, 200] { try save(store, Names.phone, 1, instant, instant) }
        #expect(try statistics(store).values.sum == 52)
        // An instant covers nothing, not even another instant.
        try save(store, Names.watch, 5, 99, 99)
        #expect(try statistics(store).values.sum == 57)
    }

    @Test func samplesOfOneSourceDoNotCoverEachOther() throws {
        let store = try TestStore()
        try save(store, Names.phone, 10, 0, 100)
        try save(store, Names.phone, 20, 50, 100)
        #expect(try statistics(store).values.sum == 30)
        // Nor do those of its versions.
        try save(
            store, Names.caller("com.apple.health.phone", "iPhone", product: "iPhone14,5", version: "2"), 5, 0, 100)
        #expect(try statistics(store).values.sum == 35)
    }

    @Test func handEntriesComeFirst() throws {
        let store = try TestStore()
        try save(store, Names.watch, 50, 0, 100)
        try save(store, Names.journal, 8, 0, 50, metadata: .byHand)
        #expect(try statistics(store).values.sum == 8 + 25)
        // Two entries made by hand both stand.
        try save(store, Names.tracker, 4, 0, 50, metadata: .byHand)
        #expect(try statistics(store).values.sum == 12 + 25)
    }

    @Test func thePersonOrdersAndSwitchesOff() throws {
        let store = try TestStore()
        try save(store, Names.watch, 50, 0, 100)
        try save(store, Names.phone, 30, 0, 100)
        try save(store, Names.journal, 20, 0, 100)
        try save(store, Names.tracker, 10, 0, 200)
        #expect(try statistics(store).values.sum == 50 + 5)
        let (journal, phone) = (Names.journal.bundleIdentifier, Names.phone.bundleIdentifier)
        try store.engine.sources.setOrder([journal, phone], disabled: [], of: Names.steps)
        #expect(try statistics(store).values.sum == 20 + 5)
        try store.engine.sources.setOrder(
            [journal, phone], disabled: [journal, Names.tracker.bundleIdentifier], of: Names.steps)
        let result = try statistics(store, [.cumulativeSum, .separateBySource])
        #expect(result.values.sum == 30 && result.end == 100)
        #expect(result.bySource?.count == 2)
    }

    @Test func aDayLongSampleOfABetterSourceSuppressesTheOthers() throws {
        let store = try TestStore(pageCapacity: 1)
        for hour in 0..<24 { try save(store, Names.watch, 100, Double(hour) * 3_600, Double(hour) * 3_600 + 1_800) }
        try save(store, Names.tracker, 900, 0, 86_400)
        try store.engine.sources.setOrder([Names.tracker.bundleIdentifier], disabled: [], of: Names.steps)
        #expect(try statistics(store).values.sum == 900)
    }

    @Test func unitsAreConvertedBeforeTheyAreAdded() throws {
        let store = try TestStore()
        for (value, unit) in [(1.0, "kcal"), (4.184, "kJ")] {
            try store.engine.save(
                [.sample(.quantity(Names.energy, value, unit, from: 5))], as: Names.phone)
        }
        let request = StatisticsRequest(type: Names.energy, options: .cumulativeSum)
        let result = try store.engine.statistics(request, as: Names.phone)[0]
        #expect(result.values.sum == 2 && result.unit == "kcal")
    }

    @Test func moreSourcesThanSixteenBitsCount() throws {
        let count = 65_540
        let store = try TestStore()
        var columns = SampleColumns(type: Names.steps)
        columns.starts = (0..<count).map(Double.init)
        columns.ends = (0..<count).map { Double($0) + 1 }
        columns.values = Array(repeating: 1, count: count)
        columns.units = Array(repeating: 1, count: count)
        columns.revisions = (1...UInt32(count)).map { $0 }
        var dictionaries = StoreDictionaries()
        dictionaries.units = ["count"]
        dictionaries.revisions = (0..<count).map { number in
            SourceRevisionRecord(source: SourceRecord(bundleIdentifier: "app.\(number)", name: "App \(number)"))
        }
        _ = try BulkImport(engine: store.engine).commit(BulkBatch(columns: [columns], dictionaries: dictionaries))
        let request = StatisticsRequest(type: Names.steps, options: [.cumulativeSum, .separateBySource])
        let result = try #require(try store.engine.statistics(request, as: Names.phone).first)
        #expect(result.values.sum == Double(count))
        #expect(result.bySource?.count == count)
        #expect(result.bySource?.values.allSatisfy { $0.sum == 1 } == true)
    }
}
