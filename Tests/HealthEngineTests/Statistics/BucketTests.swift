import Foundation
import HealthEngine
import HealthModel
import Synchronization
import Testing

/// How samples fall into intervals.
@Suite struct BucketTests {
    private static let hour = 3_600.0

    private func clock(_ hours: Int, _ minutes: Int) -> Double { Double(hours * 60 + minutes) * 60 }

    /// Bounds of whole hours over any extent.
    private static let hours: @Sendable (ClosedRange<Double>) -> [Double] = { extent in
        let first = Int(extent.lowerBound / hour)
        let last = Int(extent.upperBound / hour) + 1
        return (first...last).map { Double($0) * hour }
    }

    private func sums(_ store: TestStore, _ filter: SampleFilter) throws -> [Double: Double] {
        let request = StatisticsRequest(
            type: Names.steps, filter: filter, options: .cumulativeSum, buckets: .bounds(Self.hours))
        let buckets = try store.engine.statistics(request, as: Names.phone)
        return Dictionary(uniqueKeysWithValues: buckets.map { ($0.start / Self.hour, $0.values.sum ?? -1) })
    }

    @Test(arguments: [1, 1_000])
    func straddlingSamplesAreSplitByTime(pageCapacity: Int) throws {
        let store = try TestStore(pageCapacity: pageCapacity)
        try store.engine.save(
            [
                .sample(.quantity(Names.steps, 100, "count", from: clock(13, 57), to: clock(14, 2))),
                .sample(.quantity(Names.steps, 120, "count", from: clock(14, 55), to: clock(15, 7))),
            ], as: Names.phone)
        let (from, to) = (clock(14, 0), clock(15, 0))
        let touching = SampleFilter.and([.end(.greaterThanOrEqual, from), .start(.lessThan, to)])
        // Three intervals although one was asked for: the filter selects whole samples.
        #expect(try sums(store, touching) == [13: 60, 14: 40 + 50, 15: 70])
        let strict = SampleFilter.and([.start(.greaterThanOrEqual, from), .start(.lessThan, to)])
        #expect(try sums(store, strict) == [14: 50, 15: 70])
    }

    @Test func instantsBelongToTheIntervalTheyBegin() throws {
        let store = try TestStore()
        try store.engine.save(
            [
                .sample(.quantity(Names.steps, 1, "count", from: clock(14, 0))),
                .sample(.quantity(Names.steps, 2, "count", from: clock(14, 30), to: clock(15, 0))),
                .sample(.quantity(Names.steps, 4, "count", from: clock(15, 0))),
            ], as: Names.phone)
        #expect(try sums(store, .all) == [14: 3, 15: 4])
    }

    @Test func emptyIntervalsAreLeftOut() throws {
        let store = try TestStore()
        #expect(try sums(store, .all).isEmpty)
        try store.engine.save(
            [
                .sample(.quantity(Names.steps, 0, "count", from: clock(1, 5))),
                .sample(.quantity(Names.steps, 2, "count", from: clock(9, 5))),
            ], as: Names.phone)
        #expect(try sums(store, .all) == [1: 0, 9: 2])
    }

    @Test func samplesOutsideTheBoundsAreExcluded() throws {
        let store = try TestStore(pageCapacity: 1)
        try store.engine.save(
            (0..<10).map {
                .sample(.quantity(Names.steps, 10, "count", from: Double($0) * 10, to: Double($0) * 10 + 10))
            },
            as: Names.phone)
        let request = StatisticsRequest(
            type: Names.steps, options: [.cumulativeSum, .duration], buckets: .bounds { _ in [25, 40, 52] })
        let buckets = try store.engine.statistics(request, as: Names.phone)
        #expect(buckets.map(\.values.sum) == [15, 12])
        #expect(buckets.map(\.values.duration) == [15, 12])
        #expect(buckets.map(\.start) == [25, 40] && buckets.map(\.end) == [40, 52])
    }

    @Test func boundsMustAscend() throws {
        let store = try TestStore()
        try store.engine.save([.sample(.quantity(Names.steps, 1, "count", from: 1))], as: Names.phone)
        let request = StatisticsRequest(
            type: Names.steps, options: .cumulativeSum, buckets: .bounds { _ in [5, 5] })
        #expect(throws: EngineError.self) { try store.engine.statistics(request, as: Names.phone) }
    }

    @Test func singleResultHasTheDatesOfItsSamplesAndClipsNothing() throws {
        let store = try TestStore(pageCapacity: 2)
        for start in [100.0, 200, 300] {
            try store.engine.save(
                [.sample(.quantity(Names.steps, 10, "count", from: start, to: start + 50))], as: Names.phone)
        }
        let request = StatisticsRequest(
            type: Names.steps, filter: .and([.end(.greaterThanOrEqual, 120), .start(.lessThan, 210)]),
            options: .cumulativeSum)
        let result = try store.engine.statistics(request, as: Names.phone)
        #expect(result.count == 1 && result[0].start == 100 && result[0].end == 250)
        #expect(result[0].values.sum == 20 && result[0].unit == "count" && result[0].bySource == nil)
        let nothing = StatisticsRequest(type: Names.steps, filter: .nothing, options: .cumulativeSum)
        #expect(throws: EngineError.noData) { try store.engine.statistics(nothing, as: Names.phone) }
    }

    @Test func daysOfClockChangesHave23And25Hours() throws {
        let store = try TestStore(pageCapacity: 7)
        let spring = RandomWorld.instant(2024, 3, 30)...RandomWorld.instant(2024, 4, 2)
        let autumn = RandomWorld.instant(2024, 10, 26)...RandomWorld.instant(2024, 10, 29)
        for span in [spring, autumn] {
            // One step a minute.
            let minutes = Int((span.upperBound - span.lowerBound) / 60)
            let samples = (0..<minutes / 10).map { index in
                let start = span.lowerBound + Double(index) * 600
                return SampleRecord.quantity(Names.steps, 10, "count", from: start, to: start + 600)
            }
            try store.engine.save(samples.map { .sample($0) }, as: Names.phone)
        }
        let request = StatisticsRequest(
            type: Names.steps, options: .cumulativeSum,
            buckets: .bounds { RandomWorld.bounds(.day, 1, over: $0) })
        let sums = try store.engine.statistics(request, as: Names.phone).compactMap(\.values.sum)
        #expect(sums == [1_440, 1_380, 1_440, 1_440, 1_500, 1_440])
    }

    // MARK: - Samples that lie centuries apart

    private static let yearOne = RandomWorld.instant(1, 1, 1)

    /// Bounds of whole hours over every stretch.
    private static func hours(over stretches: [ClosedRange<Double>]) -> [Double] {
        var bounds: [Double] = []
        for stretch in stretches {
            let first = (stretch.lowerBound / hour).rounded(.down)
            let last = (stretch.upperBound / hour).rounded(.down) + 1
            for index in stride(from: first, through: last, by: 1) where bounds.last ?? -.infinity < index * hour {
                bounds.append(index * hour)
            }
        }
        return bounds
    }

    /// The stretches that bounds were made for.
    private final class Stretches: Sendable {
        private let value = Mutex<[ClosedRange<Double>]?>(nil)

        var found: [ClosedRange<Double>]? { value.withLock { $0 } }
        func set(_ found: [ClosedRange<Double>]) { value.withLock { $0 = found } }
    }

    private func hourlySums(_ store: TestStore, _ stretches: Stretches) throws -> [Double: Double] {
        let request = StatisticsRequest(
            type: Names.steps, options: .cumulativeSum,
            buckets: .intervals(length: Self.hour) {
                stretches.set($0)
                return Self.hours(over: $0)
            })
        let buckets = try store.engine.statistics(request, as: Names.phone)
        return Dictionary(uniqueKeysWithValues: buckets.map { ($0.start / Self.hour, $0.values.sum ?? -1) })
    }

    @Test(arguments: [1, 1_000])
    func intervalsAreMadeOnlyWhereThereAreSamples(pageCapacity: Int) throws {
        let store = try TestStore(pageCapacity: pageCapacity)
        let ancient = (Self.yearOne / Self.hour).rounded() * Self.hour
        try store.engine.save(
            [
                .sample(.quantity(Names.steps, 1, "count", from: ancient, to: ancient + 60)),
                .sample(.quantity(Names.steps, 120, "count", from: clock(14, 55), to: clock(15, 7))),
                .sample(.quantity(Names.steps, 5, "count", from: clock(16, 30))),
            ], as: Names.phone)
        let stretches = Stretches()
        #expect(try hourlySums(store, stretches) == [ancient / Self.hour: 1, 14: 50, 15: 70, 16: 5])
        #expect(stretches.found == [ancient...ancient + 60, clock(14, 55)...clock(16, 30)])
    }

    @Test func ordinarySpansAreOneStretch() throws {
        let store = try TestStore(pageCapacity: 1)
        try store.engine.save(
            [
                .sample(.quantity(Names.steps, 1, "count", from: 0)),
                .sample(.quantity(Names.steps, 2, "count", from: 10_000 * Self.hour)),
            ], as: Names.phone)
        let stretches = Stretches()
        #expect(try hourlySums(store, stretches) == [0: 1, 10_000: 2])
        #expect(stretches.found == [0...10_000 * Self.hour])
    }

    @Test func tooManyIntervalsAreAnErrorBeforeAnyIsMade() throws {
        let store = try TestStore()
        try store.engine.save(
            [.sample(.quantity(Names.steps, 1, "count", from: Self.yearOne, to: clock(14, 0)))], as: Names.phone)
        let stretches = Stretches()
        let request = StatisticsRequest(
            type: Names.steps, options: .cumulativeSum,
            buckets: .intervals(length: Self.hour) {
                stretches.set($0)
                return []
            })
        #expect {
            try store.engine.statistics(request, as: Names.phone)
        } throws: { error in
            guard case .invalidArgument(let text)? = error as? EngineError else { return false }
            return text.contains("at most 1000100 are computed")
        }
        #expect(stretches.found == nil)
    }

    /// The number of intervals is in proportion to the samples, however they lie.
    @Test(arguments: [1, 7, 1_000])
    func sparseSamplesNeedFewIntervals(pageCapacity: Int) throws {
        let store = try TestStore(pageCapacity: pageCapacity)
        let count = 400
        // From the year 1 to 3931, each ten years after the one before.
        try store.engine.save(
            (0..<count).map { index in
                .sample(.quantity(Names.steps, 1, "count", from: Self.yearOne + Double(index) * 3.1e8 + 60))
            }, as: Names.phone)
        let stretches = Stretches()
        let sums = try hourlySums(store, stretches)
        #expect(sums.count == count && sums.values.allSatisfy { $0 == 1 })
        #expect(stretches.found?.count == count)
        let hours = stretches.found?.reduce(0) { $0 + ($1.upperBound - $1.lowerBound) / Self.hour } ?? .infinity
        #expect(hours <= 40 * Double(count), "\(hours) hours for \(count) samples")
    }

    @Test func intervalsOfALongSampleWithinARange() throws {
        let store = try TestStore()
        let (first, last) = (Self.yearOne, 6.3e10)
        try store.engine.save(
            [
                .sample(.quantity(Names.steps, (last - first) / Self.hour, "count", from: first, to: last)),
                .sample(.quantity(Names.steps, 5, "count", from: 600)),
            ], as: Names.phone)
        let stretches = Stretches()
        let request = StatisticsRequest(
            type: Names.steps, options: .cumulativeSum,
            buckets: .intervals(length: Self.hour, within: 0...(3 * Self.hour - 1)) {
                stretches.set($0)
                return Self.hours(over: $0)
            })
        let buckets = try store.engine.statistics(request, as: Names.phone)
        #expect(buckets.map(\.start) == [0, Self.hour, 2 * Self.hour])
        #expect(zip(buckets, [6.0, 1, 1]).allSatisfy { abs(($0.values.sum ?? 0) - $1) < 1e-6 })
        #expect(stretches.found == [0...(3 * Self.hour - 1)])
    }

    @Test func theLimitGrowsWithTheSamples() {
        #expect(StatisticsRequest.maximumBucketCount(ofSamples: 0) == 1_000_000)
        #expect(StatisticsRequest.maximumBucketCount(ofSamples: 10_000) == 2_000_000)
        #expect(StatisticsRequest.maximumBucketCount(ofSamples: .max) == StatisticsRequest.maximumBucketCount)
    }
}
