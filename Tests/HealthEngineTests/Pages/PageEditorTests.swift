import Foundation
@testable import HealthEngine
import HealthModel
import HealthImport
import HealthStorage
import HealthTesting
import Testing

/// Random insertions and removals, compared with a sorted array.
struct PageEditorTests {
    private struct Row: Hashable {
        var start: Double
        var sequence: Int64
        var uuid: UUID?
        var metadata: Metadata
        var creation: Double?
    }

    @Test(arguments: [1, 2, 7, 50, 256], [1, 2, 3] as [UInt64])
    func agreesWithASortedArray(_ capacity: Int, _ seed: UInt64) throws {
        var random = SplitMix64(seed: seed &* 1_000 &+ UInt64(capacity))
        let store = try TestStore(pageCapacity: capacity)
        let type = Names.steps
        var model: [Row] = []
        let keys = (0..<3).map { Metadata([.init(key: "k", value: .integer($0))]) } + [.empty]

        for _ in 0..<(capacity > 100 ? 200 : 60) {
            if random.oneIn(3), !model.isEmpty {
                let victims = model.filter { _ in random.oneIn(4) }.map(\.sequence).sorted()
                let removed = try store.engine.storage.write { transaction in
                    try PageEditor(transaction: transaction, capacity: capacity).remove(
                        victims, of: type, identities: DerivedIdentities(seed: 1))
                }
                #expect(removed.sequences.sorted() == victims, "seed \(seed)")
                model.removeAll { victims.contains($0.sequence) }
            } else {
                let count = random.oneIn(4) ? 40 : Int.random(in: 1...4, using: &random)
                // Few distinct starts, so that many are equal and pages begin alike.
                let span = random.oneIn(2) ? 5 : 200
                let starts = (0..<count).map { _ in Double(Int.random(in: 0..<span, using: &random)) }.sorted()
                let rows = try store.engine.storage.write { transaction -> [Row] in
                    let first = try transaction.allocateSequences(count)
                    var builder = ColumnsBuilder(type: type)
                    var rows: [Row] = []
                    for (index, start) in starts.enumerated() {
                        let row = Row(
                            start: start, sequence: first + Int64(index),
                            uuid: random.oneIn(5) ? random.uuid() : nil, metadata: random.pick(keys),
                            creation: random.oneIn(6) ? start + 1 : nil)
                        rows.append(row)
                        builder.append(
                            SampleRecord(
                                uuid: row.uuid, type: type, start: start, end: start + 1,
                                value: Double(row.sequence), metadata: row.metadata,
                                creation: row.creation),
                            unit: 1, revision: 1, device: 0, sequence: row.sequence)
                    }
                    var editor = PageEditor(transaction: transaction, capacity: capacity)
                    editor.encodesInParallel = random.oneIn(2)
                    try editor.merge(builder.ordered())
                    return rows
                }
                model = (model + rows).sorted { ($0.start, $0.sequence) < ($1.start, $1.sequence) }
            }
            var pageSizes: [Int] = []
            let stored = try store.engine.storage.read { snapshot -> [Row] in
                var rows: [Row] = []
                var lastKey: PageKey?
                try snapshot.visitPages(of: type, in: .all, bodies: true) { view in
                    let page = try view.copy.decode()
                    pageSizes.append(page.starts.count)
                    #expect(view.key.firstStart == page.starts[0] && view.key.firstSequence == page.sequences[0])
                    if let lastKey { #expect(lastKey < view.key) }
                    lastKey = view.key
                    for row in page.starts.indices {
                        #expect(page.values[row] == Double(page.sequences[row]))
                        rows.append(
                            Row(
                                start: page.starts[row], sequence: page.sequences[row],
                                uuid: page.uuid(at: row), metadata: page.metadata(at: row),
                                creation: page.creation(at: row)))
                    }
                    return true
                }
                return rows
            }
            #expect(stored == model, "seed \(seed), capacity \(capacity)")
            #expect(pageSizes.allSatisfy { $0 <= capacity })
        }
    }

    @Test func appendingFillsPagesWithoutTouchingFullOnes() throws {
        let store = try TestStore(pageCapacity: 10)
        for batch in 0..<5 {
            try store.engine.save(
                (0..<7).map {
                    .sample(.quantity(Names.steps, 1, "count", from: Double(batch * 7 + $0)))
                }, as: Names.phone)
        }
        #expect(try StoredSamples(store.engine).pageSizes[Names.steps] == [10, 10, 10, 5])
    }

    @Test func singleSamplesGatherInAShortPage() throws {
        let store = try TestStore(pageCapacity: 256)
        var sizes: [[Int]] = []
        for index in 0..<600 {
            try store.engine.save(
                [.sample(.quantity(Names.steps, 1, "count", from: Double(index / 20)))], as: Names.phone)
            sizes.append(try StoredSamples(store.engine).pageSizes[Names.steps] ?? [])
        }
        // Only the last page is shorter than a full short page; at most seven of these and three of middle length wait
        // to be joined.
        #expect(sizes.allSatisfy { $0.dropLast().allSatisfy { $0 >= 8 } })
        #expect(sizes.allSatisfy { $0.count { $0 == 8 } <= 7 && $0.count { $0 == 64 } <= 3 })
        #expect(sizes[7] == [8])
        #expect(sizes[8] == [8, 1])
        #expect(sizes[15] == [8, 8])
        #expect(sizes[62] == [8, 8, 8, 8, 8, 8, 8, 7])
        #expect(sizes[63] == [64])
        #expect(sizes[71] == [64, 8])
        #expect(sizes[127] == [64, 64])
        #expect(sizes[254] == [64, 64, 64, 8, 8, 8, 8, 8, 8, 8, 7])
        #expect(sizes[255] == [256])
        #expect(sizes[599] == [256, 256, 64, 8, 8, 8])
        #expect(try StoredSamples(store.engine)[Names.steps].map(\.sequence) == Array(1...600))
        #expect(try store.engine.check() == [])
    }

    @Test("Runs that fill short pages are collected like these, instead of written again with all that precede them")
    func runsOfAnHour() throws {
        for count in [8, 10, 30] {
            let store = try TestStore(pageCapacity: 256)
            var sizes: [[Int]] = []
            for hour in 0..<60 {
                try store.engine.save(
                    (0..<count).map {
                        .sample(.quantity(Names.steps, 1, "count", from: Double(hour * count + $0)))
                    }, as: Names.phone)
                sizes.append(try StoredSamples(store.engine).pageSizes[Names.steps] ?? [])
            }
            let medium = (64 + count - 1) / count * count
            #expect(sizes[1] == [count, count])
            #expect(sizes[medium / count - 1] == [medium])
            #expect(sizes[medium / count] == [medium, count])
            // Those that aren't full: up to three of middle length, and fewer short ones than make one. All are at the end.
            #expect(
                sizes.allSatisfy { $0.count { (64..<256).contains($0) } <= 4 && $0.count { $0 < 64 } <= 64 / count })
            #expect(sizes.allSatisfy { $0.drop { $0 == 256 }.allSatisfy { $0 < 256 } })
            #expect(sizes.allSatisfy { $0.allSatisfy { $0 <= 256 } })
            #expect(sizes[59].contains(256))
            #expect(try StoredSamples(store.engine)[Names.steps].map(\.sequence) == Array(1...Int64(60 * count)))
            #expect(try store.engine.check() == [])
        }
    }

    @Test func aSplitLeavesRoomOnBothSides() throws {
        let store = try TestStore(pageCapacity: 10)
        try store.engine.save(
            (0..<10).map { .sample(.quantity(Names.steps, 1, "count", from: Double($0))) }, as: Names.phone)
        try store.engine.save([.sample(.quantity(Names.steps, 1, "count", from: 2.5))], as: Names.phone)
        #expect(try StoredSamples(store.engine).pageSizes[Names.steps] == [5, 6])
    }
}
