import Foundation
import HealthModel
import Testing

/// Every operation on columns gives what the same operation on rows gives.
struct SampleColumnsTests {
    /// One row, compared bit for bit.
    private struct Row: Equatable {
        var start: Double
        var end: Double
        var value: Double
        var numbers: [UInt32]
        var sequence: Int64
        var uuid: UUID?
        var creation: Double?
        var metadata: String
    }

    private static func rows(_ columns: SampleColumns) -> [Row] {
        (0..<columns.count).map { row in
            Row(
                start: columns.starts[row], end: columns.ends[row], value: columns.values[row],
                numbers: [columns.units[row], columns.revisions[row], columns.devices[row]],
                sequence: columns.sequences[row], uuid: columns.uuid(at: row), creation: columns.creation(at: row),
                metadata: String(reflecting: columns.metadata(at: row)))
        }
    }

    private static let texts = ["", "a", "b", "\u{E9}", "e\u{301}"]

    /// Rows in order of start whose optional columns are missing, partly missing or complete.
    private static func columns(
        _ count: Int, firstSequence: Int64 = 1, _ random: inout Random
    ) -> SampleColumns {
        var columns = SampleColumns(type: TypeCode(rawValue: 1))
        var interner = MetadataInterner()
        let (uuids, creations, metadata) = (random.below(3), random.below(3), random.below(3))
        var start = 0.0
        for row in 0..<count {
            start += Double(random.below(3))
            let text = metadata == 0 ? "" : texts[random.below(metadata == 1 ? 2 : 5)]
            let sample = SampleRecord(
                uuid: random.below(2) < uuids ? UUID() : nil, type: columns.type, start: start, end: start + 1,
                value: Double(random.below(9)),
                metadata: text.isEmpty ? .empty : Metadata([.init(key: "k", value: .string(text))]),
                creation: random.below(2) < creations ? start + 2 : nil)
            columns.append(
                sample, unit: UInt32(random.below(3)), revision: UInt32(random.below(3)),
                device: UInt32(random.below(3)), sequence: firstSequence + Int64(row), &interner)
        }
        return columns
    }

    @Test(arguments: 1...40 as ClosedRange<UInt64>)
    func operationsOnColumnsAreThoseOnRows(seed: UInt64) {
        var random = Random(state: seed)
        let left = Self.columns(random.below(12), &random)
        let right = Self.columns(random.below(12), firstSequence: 100, &random)
        let (leftRows, rightRows) = (Self.rows(left), Self.rows(right))
        #expect(left.areComplete(count: left.count, optional: [.uuids, .creations]))

        // Runs, with one renumbering over several of them.
        var appended = left
        var renumbering = MetadataRenumbering()
        let middle = random.below(right.count + 1)
        appended.append(right, rows: 0..<middle, &renumbering)
        appended.append(right, rows: middle..<right.count, &renumbering)
        #expect(Self.rows(appended) == leftRows + rightRows)

        // Single rows, in any order and repeated.
        let chosen = (0..<random.below(9)).compactMap { _ in right.count == 0 ? nil : random.below(right.count) }
        var gathered = left
        gathered.append(right, rows: chosen)
        #expect(Self.rows(gathered) == leftRows + chosen.map { rightRows[$0] })

        let permuted = right.permuted(by: chosen.map(Int32.init))
        #expect(Self.rows(permuted) == chosen.map { rightRows[$0] })
        #expect(
            permuted.orderByStart().map(Int.init)
                == chosen.indices.sorted {
                    (permuted.starts[$0], $0) < (permuted.starts[$1], $1)
                })
        #expect(
            Self.rows(right.filtered { $0 % 3 != 1 }) == rightRows.indices.filter { $0 % 3 != 1 }.map { rightRows[$0] })

        let part = middle..<right.count
        let merged = (leftRows + rightRows[part]).sorted { ($0.start, $0.sequence) < ($1.start, $1.sequence) }
        #expect(Self.rows(left.merged(with: right, rows: part)) == merged)
    }

    @Test func columnsThatWereNotReadStayEmpty() {
        var part = SampleColumns(type: TypeCode(rawValue: 1))
        part.sequences = [7, 8, 9]
        part.uuids = [nil, UUID(), nil]
        var result = SampleColumns(type: part.type)
        result.append(part, rows: [2])
        #expect(result.sequences == [9] && result.starts.isEmpty && result.metadata.isEmpty && result.uuids.isEmpty)
        result.append(part, rows: [1])
        #expect(result.uuids == [nil, part.uuids[1]])
        #expect(result.count == 2)
    }

    @Test func missingEntriesTakeNoSpace() {
        var column = OptionalColumn<Double>()
        column.append(.missing, atRow: 0)
        #expect(column.isEmpty && !column.hasEntries && column.entry(at: 0).isNaN)
        column.append(5, atRow: 2)
        #expect(column.count == 3 && column.hasEntries && column[2] == 5 && column[0].isNaN && column[1].isNaN)
        column.fill(to: 2)
        #expect(column.count == 3)
        column.fill(to: 4)
        #expect(column.count == 4 && column.entry(at: 3).isMissing && column.entry(at: 9).isMissing)
    }

    @Test func lengthsAreChecked() {
        var random = Random(state: 3)
        var columns = Self.columns(4, &random)
        #expect(columns.areComplete(count: 4, optional: [.uuids, .creations]))
        #expect(!columns.areComplete(count: 3, optional: .all))
        columns.devices = []
        #expect(!columns.areComplete(count: 4, optional: [.uuids, .creations]))
        #expect(columns.areComplete(count: 4, optional: [.uuids, .creations, .devices]))
        columns.devices = [1]
        #expect(!columns.areComplete(count: 4, optional: .all))
    }

    // MARK: Metadata

    @Test func metadataIsInternedByteForByte() {
        let values: [MetadataValue] = [
            .string("\u{E9}"), .string("e\u{301}"), .double(0), .double(-0.0), .double(.nan), .integer(0), .bool(false),
            .date(0), .quantity(1, unit: "m"), .quantity(1, unit: "km"),
        ]
        var interner = MetadataInterner()
        var table: [Metadata] = []
        for _ in 0..<2 {
            for (index, value) in values.enumerated() {
                let number = interner.number(of: Metadata([.init(key: "k", value: value)]), in: &table)
                #expect(number == UInt32(index + 1))
            }
        }
        #expect(table.count == values.count)
        #expect(interner.number(of: .empty, in: &table) == 0)
        let text = Metadata([.init(key: "k", value: .bool(false), archivedText: "0")])
        #expect(interner.number(of: text, in: &table) == UInt32(values.count + 1))
    }

    @Test func anInternerBeyondItsLimitAppends() {
        var interner = MetadataInterner(limit: 1)
        var table: [Metadata] = []
        let metadata = ["a", "b", "a", "b", "b"].map { Metadata([.init(key: $0, value: .bool(true))]) }
        #expect(metadata.map { interner.number(of: $0, in: &table) } == [1, 2, 1, 3, 3])
        #expect(table == [metadata[0], metadata[1], metadata[1]])
    }

    /// A generator whose sequence follows from its state.
    private struct Random {
        var state: UInt64

        mutating func below(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return bound < 1 ? 0 : Int(state >> 33) % bound
        }
    }
}
