import Foundation
import HealthModel
import Testing

@testable import HealthPages

/// Bytes written by format version 1, kept in Fixtures. If one of these fails, stores written before can
/// no longer be read: mend the reader, never the fixture.
@Suite struct GoldenPagesTests {
    @Test(arguments: Golden.pages.map(\.name))
    func pagesOfVersion1AreStillRead(_ name: String) throws {
        let columns = try #require(Golden.pages.first { $0.name == name }).columns
        let parts = try Golden.bytes(name)
        try #require(parts.count == 2)
        let header = try PageHeader(decoding: parts[0])
        #expect(header.formatVersion == 1)
        #expect(header.type == columns.type)
        let rows = 0..<columns.starts.count
        #expect(header.count == rows.count)
        let read = try ByteReader.lending(parts[1]) { raw throws(PageError) in
            try PageReader(header: header, body: raw).read(.all)
        }
        #expect(Identical.difference(columns, rows: rows, read) == nil)
        // The header says of the samples what it says of them today.
        let today = try PageWriter.write(columns, rows: rows).header
        #expect(header.traits == today.traits)
        #expect(header.units == today.units && header.revisions == today.revisions && header.devices == today.devices)
        #expect(header.leastSequence == today.leastSequence && header.greatestSequence == today.greatestSequence)
        #expect(
            Identical.check(
                [header.firstStart, header.lastStart, header.greatestEnd, header.sum, header.minimum, header.maximum],
                [today.firstStart, today.lastStart, today.greatestEnd, today.sum, today.minimum, today.maximum]))
        #expect(
            Identical.check(
                [header.latest.value, header.latest.start, header.latest.end],
                [today.latest.value, today.latest.start, today.latest.end]))
        #expect(
            Identical.check(
                [header.coveredDuration, header.totalDuration, header.weightedSum],
                [today.coveredDuration, today.totalDuration, today.weightedSum]))
    }

    /// The fixtures hold between them every encoding the format has.
    @Test func fixturesMeetEveryEncoding() throws {
        var kinds: Set<UInt8> = []
        for page in Golden.pages {
            let parts = try Golden.bytes(page.name)
            try ByteReader.lending(parts[1]) { raw throws(PageError) in
                let reader = try PageReader(header: PageHeader(decoding: parts[0]), body: raw)
                for column in [PageBody.Column.starts, .ends, .values, .sequences, .revisions]
                where !reader.isAbsent(column) {
                    var bytes = reader.reader(column)
                    // Times and values have a byte of their own before the integers.
                    if column.rawValue <= PageBody.Column.values.rawValue {
                        let tag = try bytes.byte("tag")
                        if column == .values, tag & NumberEncoding.exceptionsFlag != 0 {
                            _ = try bytes.unsigned("exceptions")
                        }
                    }
                    kinds.insert(try bytes.byte("encoding"))
                }
            }
        }
        #expect(kinds == Set((0...6).map { UInt8($0) }))
    }
}
