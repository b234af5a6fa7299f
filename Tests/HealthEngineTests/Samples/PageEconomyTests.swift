import HealthEngine
import HealthModel
import HealthStorage
import Testing

/// How many page bodies questions read: headers are there so that most need not be.
@Suite struct PageEconomyTests {
    /// A thousand samples in a hundred pages, two sources alternating every ten.
    private static func make() throws -> (HealthEngine, CountingStorage) {
        let storage = CountingStorage(InMemoryStorage())
        let engine = try HealthEngine(
            storage: storage, configuration: EngineConfiguration(pageCapacity: 10, now: { 0 }))
        for turn in 0..<100 {
            let samples = (0..<10).map { index in
                let start = Double(turn * 10 + index) * 60
                return SampleRecord.quantity(Names.mass, Double(turn), "kg", from: start, to: start + 30)
            }
            try engine.save(samples.map { .sample($0) }, as: turn % 2 == 0 ? Names.watch : Names.phone)
        }
        _ = storage.takeCount()
        return (engine, storage)
    }

    private static let all = SampleRequest.Part(type: Names.mass)
    private static let ofWatch = SampleRequest.Part(
        type: Names.mass, filter: .source([Names.watch.bundleIdentifier]))

    @Test func latestAndEarliestReadOneOrTwo() throws {
        let (engine, storage) = try Self.make()
        for key in [SampleSort.Key.start, .end, .sequence] {
            for ascending in [true, false] {
                for part in [Self.all, Self.ofWatch] {
                    let request = SampleRequest(
                        parts: [part], sort: [SampleSort(key, ascending: ascending)], limit: 1)
                    #expect(try engine.samples(request, as: Names.watch).count == 1)
                    // The pages a streaming visit passes over are handed out, too, but end it at once.
                    #expect(storage.takeCount() <= 3, "\(key), \(ascending)")
                }
            }
        }
    }

    @Test func aWindowReadsItsPages() throws {
        let (engine, storage) = try Self.make()
        let hour = SampleFilter.and([.end(.greaterThanOrEqual, 6_000), .start(.lessThan, 9_600)])
        let request = SampleRequest(parts: [.init(type: Names.mass, filter: hour)])
        #expect(try engine.samples(request, as: Names.watch).count == 60)
        #expect(storage.takeCount() <= 8)
    }

    @Test func oneIdentityReadsOnePage() throws {
        let (engine, storage) = try Self.make()
        let some = try engine.samples(SampleRequest(parts: [Self.all], limit: 500), as: Names.watch)
        _ = storage.takeCount()
        let uuid = try #require(some.found.last?.uuid)
        let request = SampleRequest(parts: [.init(type: Names.mass, filter: .uuid([uuid]))])
        #expect(try engine.samples(request, as: Names.watch).count == 1)
        #expect(storage.takeCount() == 1)
    }

    @Test func headersAnswerStatistics() throws {
        let (engine, storage) = try Self.make()
        let options: StatisticsOptions = [.discreteAverage, .discreteMin, .discreteMax, .mostRecent, .duration]
        let single = try engine.statistics(StatisticsRequest(type: Names.mass, options: options), as: Names.watch)[0]
        #expect(storage.takeCount() == 0)
        #expect(single.values.average == 49.5 && single.values.maximum == 99 && single.values.duration == 30_000)
        #expect(single.values.mostRecent == .init(value: 99, start: 59_940, end: 59_970))
        // Two buckets meet inside one page: only that one is read.
        let halves = StatisticsRequest(
            type: Names.mass, options: options, buckets: .bounds { _ in [0, 30_300, 60_000] })
        let buckets = try engine.statistics(halves, as: Names.watch)
        #expect(storage.takeCount() == 1)
        #expect(buckets.map(\.values.maximum) == [50, 99] && buckets.map(\.values.duration) == [15_150, 14_850])
        #expect(try engine.extent(of: Names.mass, matching: .all, as: Names.watch) == 0...59_970)
        #expect(storage.takeCount() == 0)
    }

    /// The extent of the matching samples isn't needed: a page that matches in part is read once.
    @Test func knownInstantsNeedNoExtent() throws {
        let (engine, storage) = try Self.make()
        let filter = SampleFilter.start(.greaterThanOrEqual, 315)
        let request = StatisticsRequest(
            type: Names.mass, filter: filter, options: [.discreteMax, .duration], buckets: .instants([0, 600, 60_000]))
        let buckets = try engine.statistics(request, as: Names.watch)
        #expect(storage.takeCount() == 1)
        #expect(buckets.map(\.values.duration) == [120, 29_700])
    }

    @Test func changesReadTheLastPages() throws {
        let (engine, storage) = try Self.make()
        let last = try engine.lastSequence()
        let changes = try engine.changes(ChangesRequest(parts: [Self.all], after: last - 5), as: Names.watch)
        #expect(changes.added.count == 5)
        #expect(storage.takeCount() <= 2)
        let none = try engine.changes(ChangesRequest(parts: [Self.all], after: last), as: Names.watch)
        #expect(none.added.count == 0 && storage.takeCount() == 0)
    }
}
