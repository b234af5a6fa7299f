import Foundation
import HealthModel
import Testing

@testable import HealthPages

/// Random columns with printed seeds, page by page and appended to each other.
@Suite struct PageRandomTests {
    @Test(arguments: 0..<300 as Range<UInt64>)
    func randomColumnsRoundTrip(seed: UInt64) throws {
        var random = SeededRandom(seed)
        let count = random.int(1...150)
        let columns = RandomColumns.make(count: count, &random)
        let first = random.int(0...count - 1)
        let rows = first..<random.int(first + 1...count)
        let page = try PageWriter.write(columns, rows: rows)
        let read = try PageRoundTripTests.read(page)
        #expect(Identical.difference(columns, rows: rows, read) == nil, "seed \(seed), rows \(rows)")
        #expect(read.type == columns.type)
        // Writing the decoded columns reproduces the page.
        let again = try PageWriter.write(read, rows: 0..<rows.count)
        #expect(again.body == page.body && again.headerBytes == page.headerBytes, "seed \(seed)")
    }

    @Test(arguments: 1000..<1060 as Range<UInt64>)
    func anyPagesAppend(seed: UInt64) throws {
        var random = SeededRandom(seed)
        let parts = (0..<random.int(2...5)).map { _ in RandomColumns.make(count: random.int(1...40), &random) }
        var all = SampleColumns(type: TypeCode(rawValue: 1))
        for part in parts {
            let page = try PageWriter.write(part, rows: 0..<part.starts.count)
            try ByteReader.lending(page.body) { raw throws(PageError) in
                try PageReader(header: page.header, body: raw).append(.all, to: &all)
            }
        }
        var offset = 0
        for part in parts {
            let rows = 0..<part.starts.count
            #expect(
                Identical.difference(part, rows: rows, all, at: offset) == nil, "seed \(seed), row \(offset)")
            offset += rows.count
        }
        #expect(all.count == offset)
    }
}
