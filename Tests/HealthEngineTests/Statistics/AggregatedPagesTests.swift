import HealthEngine
import HealthModel
import HealthStorage
import HealthTesting
import Testing

/// Statistics between instants that are known before, for which PostgreSQL adds up pages: the same figures as from the
/// samples.
@Suite("Pages that are added up in SQL")
struct AggregatedPagesTests {
    /// Two weeks of samples in small pages. Now and then two overlap, are of another source, of another unit, entered
    /// by hand, or there are none for a while.
    private static func items(_ random: inout SplitMix64, _ type: TypeCode, _ units: [String]) -> [(
        Caller, SampleRecord
    )] {
        var time = 0.0
        return (0..<600).map { _ in
            time += random.oneIn(25) ? 40_000 : Double(Int.random(in: 0...1_800, using: &random))
            let length = random.oneIn(3) ? 0 : Double(Int.random(in: 1...900, using: &random))
            let isByHand = random.oneIn(60)
            let sample = SampleRecord.quantity(
                type, Double(Int.random(in: 1...500, using: &random)), random.oneIn(40) ? units[1] : units[0],
                from: time,
                to: time + length,
                metadata: isByHand ? Metadata([.init(key: "HKWasUserEntered", value: .bool(true))]) : .empty)
            if random.oneIn(2) { time += length }
            return (random.oneIn(30) ? Names.phone : Names.watch, sample)
        }
    }

    private static let cases: [(TypeCode, [String], [StatisticsOptions])] = [
        (
            Names.steps, ["count", "count"],
            [.cumulativeSum, [.cumulativeSum, .duration, .mostRecent], .separateBySource]
        ),
        (Names.energy, ["kcal", "kJ"], [.cumulativeSum, .mostRecent]),
        (Names.heartRate, ["count/min", "count/s"], [[.discreteAverage, .discreteMin, .discreteMax], .duration]),
        (Names.mass, ["kg", "lb"], [[.discreteAverage, .discreteMin, .discreteMax], .mostRecent]),
        (Names.noise, ["dBASPL", "dBASPL"], [.discreteAverage, [.discreteMin, .discreteMax]]),
    ]

    @Test("The same figures as from the samples in memory", arguments: [1, 2, 3, 4])
    func figures(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let (stored, reference) = (try TestStore(.postgreSQL, pageCapacity: 8), try TestStore(.memory, pageCapacity: 8))
        for (type, units, optionSets) in Self.cases {
            for (caller, sample) in Self.items(&random, type, units) {
                for store in [stored, reference] { try store.engine.save([.sample(sample)], as: caller) }
            }
            for options in optionSets {
                for length in [7_200.0, 86_400, 604_800] {
                    // Longer than a range of which nothing is added up.
                    let instants = Array(stride(from: -length, through: 1_400_000, by: length)) + [4_000_000]
                    let filter = SampleFilter.and([
                        .start(.lessThan, instants.last ?? 0), .end(.greaterThanOrEqual, instants[0]),
                    ])
                    func buckets(_ store: TestStore, _ buckets: StatisticsRequest.Buckets) throws -> [StatisticsBucket]
                    {
                        try store.engine.statistics(
                            StatisticsRequest(type: type, filter: filter, options: options, buckets: buckets),
                            as: Names.phone)
                    }
                    let expected = try buckets(reference, .bounds { _ in instants })
                    try Self.expectEqual(try buckets(stored, .instants(instants)), expected, "seed \(seed)")
                    #expect(try buckets(reference, .instants(instants)) == expected)
                }
            }
        }
    }

    @Test("Pages within a week arrive as one group")
    func groups() throws {
        let store = try TestStore(.postgreSQL, pageCapacity: 8)
        for index in 0..<400 {
            let start = Double(index) * 3_000
            let sample = SampleRecord.quantity(Names.steps, 10, "count", from: start, to: start + 60)
            try store.engine.save([.sample(sample)], as: Names.watch)
        }
        let week = 604_800.0
        let counts = try store.engine.storage.read { snapshot in
            var pages = 0
            try snapshot.visitPages(of: Names.steps, in: .all, bodies: false) { _ in
                pages += 1
                return true
            }
            let window = PageWindow.time(startsBefore: 2 * week, endsAtOrAfter: 0)
            let groups = try #require(
                try snapshot.pageGroups(of: Names.steps, in: window, between: [0, week, 2 * week, 6 * week]))
            #expect(groups.reduce(0) { $0 + $1.bounds.count } == 400)
            #expect(groups.map(\.key) == groups.map(\.key).sorted())
            let summaries = groups.compactMap { group in
                if case .summary(let summary) = group.content { summary } else { nil }
            }
            #expect(!summaries.isEmpty)
            #expect(summaries.allSatisfy { $0.minimum == 10 && $0.maximum == 10 && $0.sum > 100 })
            #expect(try snapshot.pageGroups(of: Names.steps, in: window, between: [0, week, 2 * week]) == nil)
            return (pages, groups.count)
        }
        #expect(counts.0 >= 40)
        #expect(counts.1 <= 4, "Two weeks and what crosses their bounds.")
        let request = StatisticsRequest(
            type: Names.steps, filter: .and([.start(.lessThan, 2 * week), .end(.greaterThanOrEqual, 0)]),
            options: .cumulativeSum, buckets: .instants([0, week, 2 * week]))
        #expect(try store.engine.statistics(request, as: Names.phone).map(\.values.sum) == [2_020, 1_980])
    }

    private static func expectEqual(
        _ found: [StatisticsBucket], _ expected: [StatisticsBucket], _ comment: Comment
    ) throws {
        func close(_ left: Double?, _ right: Double?) -> Bool {
            guard let left, let right else { return left == nil && right == nil }
            return abs(left - right) <= 1e-9 * max(abs(left), abs(right), 1)
        }
        try #require(found.map(\.start) == expected.map(\.start), comment)
        for (one, other) in zip(found, expected) {
            let (left, right) = (one.values, other.values)
            #expect(close(left.sum, right.sum), comment)
            #expect(close(left.average, right.average), comment)
            #expect(left.minimum == right.minimum && left.maximum == right.maximum, comment)
            #expect(close(left.duration, right.duration), comment)
            #expect(left.mostRecent == right.mostRecent, comment)
            #expect(one.bySource?.count == other.bySource?.count, comment)
        }
    }
}
