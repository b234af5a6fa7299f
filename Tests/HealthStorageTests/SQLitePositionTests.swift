import Foundation
import GRDB
import HealthModel
import HealthPages
import HealthStorage
import HealthTesting
import Testing

@testable import HealthStorageSQLite

/// The last allocated number follows from the rows or, if they do not contain it, from the counter.
@Suite struct SQLitePositionTests {
    private let store: TemporaryStore
    private let seed: UInt64 = 20_261_121

    init() throws {
        store = try TemporaryStore()
    }

    private func page(_ start: Int, _ sequences: ClosedRange<Int64>) -> StoredPage {
        StoredPage(
            key: PageKey(type: Rows.paged, firstStart: Double(start), firstSequence: sequences.lowerBound),
            bounds: PageBounds(
                count: sequences.count, lastStart: Double(start), maximumEnd: Double(start),
                minimumSequence: sequences.lowerBound, maximumSequence: sequences.upperBound),
            header: [1, 2], body: [3, 4])
    }

    private func counter(of storage: SQLiteStorage) throws -> Int64 {
        try storage.writer.read { try $0.run("SELECT last_sequence FROM store") { try $0.step() ? $0.integer(0) : -1 } }
    }

    @Test func savesWithinABlockDoNotWriteTheCounter() throws {
        let storage = try store.open()
        for number in 1...1_023 as ClosedRange<Int64> {
            try storage.write { transaction in
                #expect(try transaction.allocateSequences(1) == number)
                try transaction.putPage(page(1, 1...number))
            }
        }
        #expect(try counter(of: storage) == 0)
        #expect(try storage.read { try $0.lastSequence() } == 1_023)
        try storage.write { try $0.putPage(page(1, 1...$0.allocateSequences(1))) }
        #expect(try counter(of: storage) == 1_024)
        #expect(try storage.findDamage() == [])
    }

    @Test func numbersWithoutRowsAreCounted() throws {
        let storage = try store.open()
        try storage.write { _ = try $0.allocateSequences(7) }
        #expect(try counter(of: storage) == 7)
        try storage.write { try $0.putPage(page(1, $0.allocateSequences(2)...8)) }
        #expect(try counter(of: storage) == 9)
        try storage.write { try $0.putPage(page(2, $0.allocateSequences(1)...10)) }
        #expect(try counter(of: storage) == 9)
        // The only row with the last number is removed.
        try storage.write { try $0.removePage(page(2, 10...10).key) }
        #expect(try counter(of: storage) == 10)
        #expect(try storage.read { try $0.lastSequence() } == 10)
    }

    @Test func removingTheLastSampleOfAPageKeepsItsNumber() throws {
        let storage = try store.open()
        try storage.write { try $0.putPage(page(1, 1...($0.allocateSequences(5) + 4))) }
        #expect(try counter(of: storage) == 0)
        try storage.write { try $0.putPage(page(1, 1...3)) }
        #expect(try storage.read { try $0.lastSequence() } == 5)
        #expect(try store.open().read { try $0.lastSequence() } == 5)
    }

    @Test func rolledBackNumbersAreAllocatedAgain() throws {
        struct Interruption: Error {}
        let storage = try store.open()
        try storage.write { try $0.putPage(page(1, 1...$0.allocateSequences(1))) }
        #expect(throws: Interruption.self) {
            try storage.write { transaction in
                try transaction.putPage(page(2, transaction.allocateSequences(1)...2))
                throw Interruption()
            }
        }
        #expect(try storage.write { try $0.allocateSequences(1) } == 2)
    }

    /// Two connections, as of two processes, alternate; both always know the last number.
    @Test func everyConnectionKnowsTheLastNumber() throws {
        var random = SplitMix64(seed: seed)
        let storages = [try store.open(), try store.open()]
        var last: Int64 = 0
        var pages: [Int: ClosedRange<Int64>] = [:]
        for step in 0..<600 {
            let storage = storages[Int.random(in: 0...1, using: &random)]
            let count = Int64(random.oneIn(9) ? Int.random(in: 0...900, using: &random) : 1)
            let choice = Int.random(in: 0..<8, using: &random)
            let victim = pages.keys.sorted().randomElement(using: &random)
            try storage.write { transaction in
                if choice == 0 {
                    if let victim, let range = pages.removeValue(forKey: victim) {
                        try transaction.removePage(page(victim, range).key)
                    }
                    return
                }
                let first = try transaction.allocateSequences(Int(count))
                #expect(first == last + 1, "step \(step) of seed \(seed)")
                last += count
                guard count > 0 else { return }
                switch choice {
                case 1: return
                case 2:
                    try transaction.putTombstone(StoredTombstone(sequence: last, type: Rows.paged, uuid: UUID()))
                case 3:
                    try transaction.putObject(
                        StoredObject(
                            sequence: first, uuid: nil, type: Rows.object, start: 0, end: 1, revision: 1, device: 0,
                            payload: []))
                default:
                    let start = choice < 6 ? victim ?? step : step
                    let range = (pages[start]?.lowerBound ?? first)...last
                    try transaction.putPage(page(start, range))
                    pages[start] = range
                }
            }
            for storage in storages {
                #expect(try storage.read { try $0.lastSequence() } == last, "step \(step) of seed \(seed)")
            }
        }
        #expect(try store.open().read { try $0.lastSequence() } == last)
        #expect(try storages[0].findDamage().filter { $0.contains("number") } == [])
    }
}
