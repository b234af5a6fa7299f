import HealthEngine
import HealthModel
import Testing

/// Order, limits, and unions.
@Suite struct SortLimitTests {
    /// Samples whose order by start, by end and by insertion all differ; two share start and end.
    private static let spans: [(Double, Double)] = [
        (40, 50), (10, 90), (30, 30), (20, 60), (40, 50), (50, 55), (10, 10),
    ]

    private func store(_ pageCapacity: Int) throws -> TestStore {
        let store = try TestStore(pageCapacity: pageCapacity)
        for (index, span) in Self.spans.enumerated() {
            try store.engine.save(
                [.sample(.quantity(Names.steps, Double(index), "count", from: span.0, to: span.1))], as: Names.phone)
        }
        return store
    }

    private func values(
        _ store: TestStore, _ sort: [SampleSort], limit: Int = 0, where filter: SampleFilter = .all
    ) throws -> [Double] {
        let request = SampleRequest(
            parts: [.init(type: Names.steps, filter: filter)], sort: sort, limit: limit)
        return try store.engine.samples(request, as: Names.phone).found.map(\.value)
    }

    @Test(arguments: [1, 2, 3, 1_000])
    func ordersWithTiesByInsertion(pageCapacity: Int) throws {
        let store = try store(pageCapacity)
        let orders: [([SampleSort], [Double])] = [
            ([], [0, 1, 2, 3, 4, 5, 6]),
            ([SampleSort(.start)], [1, 6, 3, 2, 0, 4, 5]),
            ([SampleSort(.start, ascending: false)], [5, 0, 4, 2, 3, 1, 6]),
            ([SampleSort(.end)], [6, 2, 0, 4, 5, 3, 1]),
            ([SampleSort(.end, ascending: false)], [1, 3, 5, 0, 4, 2, 6]),
            ([SampleSort(.sequence, ascending: false)], [6, 5, 4, 3, 2, 1, 0]),
            ([SampleSort(.start), SampleSort(.end)], [6, 1, 3, 2, 0, 4, 5]),
            ([SampleSort(.duration), SampleSort(.value, ascending: false)], [6, 2, 5, 4, 0, 3, 1]),
        ]
        for (sort, expected) in orders {
            for limit in 0...Self.spans.count + 1 {
                let found = try values(store, sort, limit: limit)
                #expect(found == (limit == 0 ? expected : Array(expected.prefix(limit))), "\(sort), limit \(limit)")
            }
        }
        // The limit comes after the filter, too.
        let early = SampleFilter.start(.lessThan, 40)
        #expect(try values(store, [SampleSort(.start, ascending: false)], limit: 1, where: early) == [2])
        #expect(try values(store, [SampleSort(.end, ascending: false)], limit: 2, where: early) == [1, 3])
    }

    @Test func severalPartsFindEachSampleOnce() throws {
        let store = try store(2)
        try store.engine.save([.sample(.quantity(Names.mass, 70, "kg", from: 35))], as: Names.phone)
        let request = SampleRequest(
            parts: [
                .init(type: Names.steps, filter: .start(.lessThan, 35)), .init(type: Names.mass),
                .init(type: Names.steps, filter: .end(.lessThan, 35)),
            ], sort: [SampleSort(.start)])
        #expect(try store.engine.samples(request, as: Names.phone).found.map(\.value) == [1, 6, 3, 2, 70])
    }

    @Test func onlyAskedColumnsAreThere() throws {
        let store = try store(1_000)
        let request = SampleRequest(parts: [.init(type: Names.steps)], columns: [.values])
        let batch = try #require(try store.engine.samples(request, as: Names.phone).batches.first)
        #expect(batch.values.count == 7 && batch.revisions.isEmpty && batch.units.isEmpty)
        #expect(batch.starts.count == 7 && batch.ends.count == 7 && batch.sequences.count == 7)
    }
}
