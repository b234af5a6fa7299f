import HealthTesting
import Testing

@testable import HealthStorage

@Suite struct InMemoryTableTests {
    /// Compares random insertions and removals with a dictionary, with enough rows for many chunks.
    @Test(arguments: [1, 2, 3] as [UInt64])
    func behavesAsASortedDictionary(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var table = InMemoryTable<Int, Int>()
        var model: [Int: Int] = [:]
        for step in 0..<6_000 {
            let key = Int.random(in: 0..<2_000, using: &random)
            // The table grows first and shrinks later.
            let value = random.oneIn(step < 4_000 ? 5 : 2) ? nil : step
            table[key] = value
            model[key] = value
            #expect(table[key] == value, "seed \(seed), step \(step)")
        }
        #expect(rows(of: table, from: .min).map(\.key) == model.keys.sorted())
        #expect(rows(of: table, from: .min).allSatisfy { model[$0.key] == $0.row })
        #expect(table.chunks.allSatisfy { !$0.keys.isEmpty && $0.keys.count <= InMemoryTable<Int, Int>.largestChunk })
        for key in stride(from: -3, through: 2_003, by: 7) {
            #expect(rows(of: table, from: key).map(\.key) == model.keys.filter { $0 >= key }.sorted())
        }
    }

    @Test func copiesKeepTheirState() {
        var table = InMemoryTable<Int, Int>()
        for key in 0..<1_000 { table[key] = key }
        let copy = table
        for key in 0..<1_000 { table[key] = key.isMultiple(of: 2) ? nil : -key }
        #expect(rows(of: copy, from: 0).map(\.row) == Array(0..<1_000))
        #expect(rows(of: table, from: 0).map(\.row) == (0..<1_000).filter { !$0.isMultiple(of: 2) }.map { -$0 })
    }

    @Test func positionsAreWalkedBackwards() {
        var table = InMemoryTable<Int, Int>()
        #expect(table.position(before: table.firstPosition(atOrAbove: 0)) == nil)
        for key in 0..<1_000 { table[key * 2] = key }
        var position = table.firstPosition(atOrAbove: .max)
        #expect(table.row(at: position) == nil)
        var back: [Int] = []
        while let before = table.position(before: position), let (key, _) = table.row(at: before) {
            back.append(key)
            position = before
        }
        #expect(back == (0..<1_000).reversed().map { $0 * 2 })
    }

    @Test func aVisitEndsEarly() {
        var table = InMemoryTable<Int, Int>()
        for key in 0..<1_000 { table[key] = key }
        var seen = 0
        table.visit(from: 100) { key, _ in
            seen += 1
            return key < 700
        }
        #expect(seen == 601)
    }

    private func rows(of table: InMemoryTable<Int, Int>, from first: Int) -> [(key: Int, row: Int)] {
        var rows: [(key: Int, row: Int)] = []
        table.visit(from: first) { key, row in
            rows.append((key, row))
            return true
        }
        return rows
    }
}
