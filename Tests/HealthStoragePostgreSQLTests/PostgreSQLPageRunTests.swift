import HealthModel
import HealthStorage
import HealthTesting
import Testing

@testable import HealthStoragePostgreSQL

/// Pages that a transaction reads ahead, and changes.
@Suite("Pages read ahead")
struct PostgreSQLPageRunTests {
    private static func page(_ start: Double, _ sequence: Int64, _ random: inout SplitMix64) -> StoredPage {
        let count = Int.random(in: 1...60, using: &random)
        return StoredPage(
            key: PageKey(type: Rows.paged, firstStart: start, firstSequence: sequence),
            bounds: PageBounds(
                count: count, lastStart: start + Double(count) / 100, maximumEnd: start + 1, minimumSequence: sequence,
                maximumSequence: sequence),
            header: random.bytes(20), body: random.bytes(30))
    }

    @Test("They are those of the transaction, whatever it has changed", arguments: [3, 71] as [UInt64])
    func random(seed: UInt64) throws {
        let people = try TestPeople(schema: "page_runs")
        let storage = try people.makeStorage()
        var random = SplitMix64(seed: seed)
        var stored: [PageKey: StoredPage] = [:]
        var sequence: Int64 = 0
        for round in 0..<150 {
            stored = try storage.write(prefetching: { [] }) { transaction in
                var pages = stored
                func start() -> Double { Double(Int.random(in: -5...45, using: &random)) }
                let first = start()
                try transaction.prefetchPages(of: [
                    PageRun(
                        type: Rows.paged, firstStart: first,
                        lastStart: first + Double(Int.random(in: 0...5, using: &random)),
                        bodyCount: random.pick([1, 1_000]), joinedCounts: random.pick([0..<0, 10..<31]))
                ])
                for _ in 0..<12 {
                    let keys = pages.keys.sorted()
                    switch Int.random(in: 0..<5, using: &random) {
                    case 0:
                        sequence += 1
                        let page = Self.page(start(), sequence, &random)
                        try transaction.putPage(page)
                        pages[page.key] = page
                    case 1 where !keys.isEmpty:
                        let key = random.pick(keys)
                        try transaction.removePage(key)
                        pages[key] = nil
                    case 2 where !keys.isEmpty:
                        let key = random.pick(keys)
                        let before = try transaction.page(before: key)
                        #expect(before?.key == keys.last { $0 < key }, "seed \(seed), round \(round)")
                        #expect(try transaction.pageBody(key) == pages[key]?.body, "seed \(seed), round \(round)")
                    default:
                        let start = random.oneIn(6) ? Double.infinity : start()
                        let found = try transaction.page(of: Rows.paged, forStart: start)
                        let expected = keys.last { $0.firstStart <= start } ?? keys.first
                        #expect(found?.key == expected, "seed \(seed), round \(round)")
                        #expect(found?.header == expected.flatMap { pages[$0]?.header }, "seed \(seed), round \(round)")
                    }
                }
                _ = try transaction.allocateSequences(1)
                return pages
            }
        }
        #expect(try Rows.pages(in: storage) == stored.keys.sorted().map(\.firstSequence), "seed \(seed)")
    }
}
