import Foundation
import HealthModel
import Testing

@testable import HealthPages

@Suite struct PageHeaderTests {
    private static func header(_ change: (inout PageHeader) -> Void = { _ in }) throws -> PageHeader {
        var header = try PageWriter.write(RealisticColumns.steps(40), rows: 0..<40).header
        change(&header)
        return header
    }

    /// Compares with straightforward sums and unions, in whole seconds.
    @Test(arguments: 0..<60 as Range<UInt64>)
    func containsTotalsOfTheSamples(seed: UInt64) throws {
        var random = SeededRandom(seed)
        var columns = SampleColumns(type: TypeCode(rawValue: 9))
        let count = random.int(1...60)
        columns.starts = (0..<count).map { _ in Double(random.int(0...500)) }.sorted()
        for row in 0..<count {
            columns.ends.append(columns.starts[row] + Double(random.int(0...20)))
            columns.values.append(Double(random.int(-50...50)))
            columns.units.append(UInt32(random.int(1...2)))
            columns.revisions.append(UInt32(random.int(1...3)))
            columns.devices.append(UInt32(random.int(0...1)))
            columns.sequences.append(Int64(row + 100))
        }
        let header = try PageHeader(decoding: PageWriter.write(columns, rows: 0..<count).headerBytes)
        #expect(header.type == columns.type)
        #expect(header.count == count)
        #expect(header.firstStart == columns.starts.first && header.lastStart == columns.starts.last)
        #expect(header.firstSequence == 100)
        #expect(header.maximumEnd == columns.ends.max())
        #expect(header.minimumSequence == 100 && header.maximumSequence == Int64(99 + count))
        #expect(header.sum == columns.values.reduce(0, +))
        #expect(header.minimum == columns.values.min() && header.maximum == columns.values.max())
        #expect(header.units == Set(columns.units).sorted())
        #expect(header.revisions == Set(columns.revisions).sorted())
        #expect(header.devices == Set(columns.devices).sorted())
        let lengths = zip(columns.starts, columns.ends).map { $1 - $0 }
        #expect(header.totalDuration == lengths.reduce(0, +))
        #expect(header.weightedSum == zip(columns.values, lengths).map { $0 * $1 }.reduce(0, +))
        #expect(header.hasZeroLength == lengths.contains(0))
        let covered = (0..<600).filter { second in
            (0..<count).contains { columns.starts[$0] <= Double(second) && Double(second) < columns.ends[$0] }
        }
        #expect(header.coveredDuration == Double(covered.count))
        let overlaps = (0..<count).contains { row in (0..<row).contains { columns.ends[$0] > columns.starts[row] } }
        #expect(header.traits.contains(.overlaps) == overlaps)
        let latest = (0..<count).max {
            (columns.ends[$0], columns.starts[$0], $0) < (columns.ends[$1], columns.starts[$1], $1)
        }
        let row = try #require(latest)
        #expect(
            header.latest
                == PageHeader.Latest(
                    value: columns.values[row], start: columns.starts[row], end: columns.ends[row],
                    sequence: columns.sequences[row]))
    }

    @Test func valuesThatAreNotNumbers() throws {
        var columns = RealisticColumns.energy(3)
        columns.values = [.nan, 2, 3]
        var header = try PageHeader(decoding: PageWriter.write(columns, rows: 0..<3).headerBytes)
        #expect(header.sum.isNaN && header.minimum == 2 && header.maximum == 3)
        columns.values = [.nan, .nan, .nan]
        header = try PageHeader(decoding: PageWriter.write(columns, rows: 0..<3).headerBytes)
        #expect(header.minimum.isNaN && header.maximum.isNaN && header.latest.value.isNaN)
        columns.values = [-.infinity, 0, .infinity]
        header = try PageHeader(decoding: PageWriter.write(columns, rows: 0..<3).headerBytes)
        #expect(header.sum.isNaN && header.minimum == -.infinity && header.maximum == .infinity)
    }

    /// If this length changes, existing stores may be unreadable.
    @Test func lengthIsPinned() throws {
        #expect(PageHeader.fixedLength == 8)
        #expect(PageHeader.currentVersion == 1)
        #expect(PageBody.Column.allCases.count == 10)
        #expect(BitPacking.slack == 8)
    }

    @Test func everyTruncationAndExtensionThrows() throws {
        let bytes = try Self.header().encode()
        for length in 0..<bytes.count {
            #expect(throws: PageError.self) { try PageHeader(decoding: Array(bytes[..<length])) }
        }
        #expect(throws: PageError.self) { try PageHeader(decoding: bytes + [0]) }
    }

    @Test func everyFlippedBitThrows() throws {
        let bytes = try Self.header().encode()
        for bit in 0..<bytes.count * 8 {
            var damaged = bytes
            damaged[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(throws: PageError.self, "bit \(bit)") { try PageHeader(decoding: damaged) }
        }
    }

    @Test func errorsDescribeTheCause() throws {
        var bytes = try Self.header().encode()
        bytes[0] = 0
        #expect(throws: PageError(.badMagic, "page header", at: 0)) { try PageHeader(decoding: bytes) }
        bytes = try Self.header().encode()
        bytes[2] = 2
        #expect(throws: PageError(.unsupportedVersion, "page header", at: 2)) { try PageHeader(decoding: bytes) }
        bytes[2] = 1
        bytes[20] ^= 1
        #expect(throws: PageError(.badChecksum, "header checksum", at: 4)) { try PageHeader(decoding: bytes) }
        #expect(throws: PageError(.truncated, "page header", at: 0)) { try PageHeader(decoding: []) }
    }

    @Test func contradictionsFailValidation() throws {
        try Self.header().validate()
        let changes: [(inout PageHeader) -> Void] = [
            { $0.count = 0 }, { $0.count = PageHeader.maximumCount + 1 },
            { $0.firstStart = $0.lastStart + 1 }, { $0.firstStart = .nan }, { $0.lastStart = .nan },
            { $0.maximumEnd = .nan }, { $0.latest.start = $0.firstStart - 1 },
            { $0.minimumSequence = $0.maximumSequence + 1 }, { $0.firstSequence = $0.minimumSequence - 1 },
            { $0.latest.sequence = $0.maximumSequence + 1 }, { $0.minimum = $0.maximum + 1 },
            { $0.minimum = .nan }, { $0.units = [] }, { $0.revisions = [] }, { $0.devices = [] },
            { $0.revisions = Array(0..<41) }, { $0.bodyLength = 3 }, { $0.formatVersion = 2 },
            { $0.traits = PageHeader.Traits(rawValue: 0x80) }, { $0.traits = .userEntered },
        ]
        for (index, change) in changes.enumerated() {
            let header = try Self.header(change)
            #expect(throws: PageError.self, "change \(index)") { try header.validate() }
            #expect(throws: PageError.self, "change \(index)") { try PageHeader(decoding: header.encode()) }
        }
        // The most recent sample's end is the maximum end; it is written once.
        #expect(throws: PageError.self) { try Self.header { $0.latest.end -= 1 }.validate() }
    }
}
