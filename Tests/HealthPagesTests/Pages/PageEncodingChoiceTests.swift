import Foundation
import HealthModel
import Testing

@testable import HealthPages

/// The encoding that the writer chooses for a column, identified by the column's first bytes.
@Suite struct PageEncodingChoiceTests {
    private static func tags(_ columns: SampleColumns, _ column: PageBody.Column) throws -> [UInt8] {
        let page = try PageWriter.write(columns, rows: 0..<columns.starts.count)
        #expect(
            Identical.difference(columns, rows: 0..<columns.starts.count, try PageRoundTripTests.read(page)) == nil)
        return try ByteReader.lending(page.body) { raw throws(PageError) in
            var reader = try PageReader(header: page.header, body: raw).reader(column)
            return [try reader.byte("tag"), try reader.byte("tag")]
        }
    }

    private static func columns(_ count: Int, _ fill: (inout SampleColumns, Int) -> Void) -> SampleColumns {
        var columns = SampleColumns(type: TypeCode(rawValue: 1))
        for row in 0..<count {
            columns.starts.append(Double(row * 100))
            columns.ends.append(Double(row * 100))
            columns.values.append(1)
            columns.revisions.append(1)
            columns.sequences.append(Int64(row))
            fill(&columns, row)
        }
        return columns
    }

    @Test(arguments: [
        (600_000_000.0, TimeScale.second), (0.001, .millisecond), (0.000_001, .microsecond), (1 / 3, .bits),
        (-0.0, .bits), (-63_114_076_800, .second),
    ])
    func startsTakeTheCoarsestExactScale(_ instant: Double, _ scale: TimeScale) throws {
        let columns = Self.columns(40) { columns, row in
            columns.starts[row] = row == 0 ? min(instant, 0) : 600_000_000 + Double(row)
            if row == 39 { columns.starts[row] = 600_000_100 + (instant > 0 && instant < 1 ? instant : 0) }
            if row == 0, instant.sign == .minus { columns.starts[row] = instant }
            columns.ends[row] = columns.starts[row]
        }
        #expect(try Self.tags(columns, .starts)[0] == scale.rawValue)
    }

    @Test func endsAreMeasuredFromTheirOwnStartOrTheNext() throws {
        let durations = Self.columns(200) { columns, row in columns.ends[row] += Double(row * 7919 % 50) }
        #expect(try Self.tags(durations, .ends)[0] == 0x00)
        // Contiguous samples: gaps are zero while durations vary.
        var clock = 0.0
        let contiguous = Self.columns(200) { columns, row in
            columns.starts[row] = clock
            clock += Double(row * 7919 % 50 + 1)
            columns.ends[row] = clock
        }
        #expect(try Self.tags(contiguous, .ends)[0] == 0x10)
        let fractions = Self.columns(200) { columns, row in columns.ends[row] += Double(row * 7919 % 50) / 1000 }
        #expect(try Self.tags(fractions, .ends)[0] == 0x01)
        let instants = Self.columns(200) { _, _ in }
        #expect(try Self.tags(instants, .ends) == [0x00, IntegerEncoding.constant.rawValue])
    }

    @Test func creationsAreDelaysOrDates() throws {
        let delays = Self.columns(200) { columns, row in
            columns.creations.append(columns.ends[row] + Double(row * 7919 % 60))
        }
        #expect(try Self.tags(delays, .creations)[0] == 0x00)
        let together = Self.columns(200) { columns, row in columns.creations.append(Double(row / 50 * 5000 + 5000)) }
        #expect(try Self.tags(together, .creations)[0] == 0x20)
        let some = Self.columns(200) { columns, row in
            columns.creations.append(row % 3 == 0 ? .nan : columns.ends[row] + Double(row * 7919 % 60))
        }
        #expect(try Self.tags(some, .creations)[0] == 0x10)
    }

    @Test func uuidsHaveABitmapOnlyIfSomeAreMissing() throws {
        var random = SeededRandom(9)
        let all = Self.columns(20) { columns, _ in columns.uuids.append(RandomColumns.uuid(&random)) }
        #expect(try Self.tags(all, .uuids)[0] == IdentityColumnWriter.allTag)
        let some = Self.columns(20) { columns, row in
            columns.uuids.append(row == 5 ? RandomColumns.uuid(&random) : nil)
        }
        #expect(try Self.tags(some, .uuids)[0] == IdentityColumnWriter.bitmapTag)
        let page = try PageWriter.write(Self.columns(20) { columns, _ in columns.uuids.append(nil) }, rows: 0..<20)
        #expect(!page.header.hasGivenUUIDs)
    }

    @Test func metadataWithEqualBytesIsStoredOnce() throws {
        let columns = Self.columns(30) { columns, row in
            columns.metadata.numbers.append(UInt32(row + 1))
            // Composed and decomposed letters are equal in Swift but differ in bytes.
            let text = row % 3 == 0 ? "caf\u{E9}" : row % 3 == 1 ? "cafe\u{301}" : "0"
            let value: MetadataValue = row % 3 == 2 ? .double(row % 2 == 0 ? 0 : -0.0) : .string(text)
            columns.metadata.table.append(Metadata([.init(key: "k", value: value)]))
        }
        let page = try PageWriter.write(columns, rows: 0..<30)
        let read = try PageRoundTripTests.read(page)
        #expect(read.metadata.table.count == 4)
        #expect(Identical.difference(columns, rows: 0..<30, read) == nil)
    }
}
