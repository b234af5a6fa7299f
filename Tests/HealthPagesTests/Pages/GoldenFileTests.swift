import Foundation
import HealthModel
@testable import HealthPages
import Testing

/// Bytes written by format version 1, in Fixtures. If a test fails, existing stores can no longer be read: fix the
/// reader, never the fixture.
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
        // The header is the one that would be written today.
        let today = try PageWriter.write(columns, rows: rows).header
        #expect(header.traits == today.traits)
        #expect(header.units == today.units && header.revisions == today.revisions && header.devices == today.devices)
        #expect(header.minimumSequence == today.minimumSequence && header.maximumSequence == today.maximumSequence)
        #expect(
            Identical.check(
                [header.firstStart, header.lastStart, header.maximumEnd, header.minimum, header.maximum],
                [today.firstStart, today.lastStart, today.maximumEnd, today.minimum, today.maximum]))
        // Which of two NaNs a sum keeps depends on the order in which the compiler adds them.
        #expect(Identical.check([header.sum], [today.sum]) || header.sum.isNaN && today.sum.isNaN)
        #expect(
            Identical.check(
                [header.latest.value, header.latest.start, header.latest.end],
                [today.latest.value, today.latest.start, today.latest.end]))
        #expect(
            Identical.check(
                [header.coveredDuration, header.totalDuration, header.weightedSum],
                [today.coveredDuration, today.totalDuration, today.weightedSum]))
    }

    /// The fixtures contain every encoding of the format.
    @Test func fixturesContainEveryEncoding() throws {
        var kinds: Set<UInt8> = []
        for page in Golden.pages {
            let parts = try Golden.bytes(page.name)
            try ByteReader.lending(parts[1]) { raw throws(PageError) in
                let reader = try PageReader(header: PageHeader(decoding: parts[0]), body: raw)
                for column in [PageBody.Column.starts, .ends, .values, .sequences, .revisions]
                where !reader.isAbsent(column) {
                    var bytes = reader.reader(column)
                    // Times and values begin with their own byte.
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

/// Payloads written by format version 1, in Fixtures; see ``GoldenPagesTests``.
@Suite struct GoldenObjectsTests {
    @Test(arguments: Golden.objects.map(\.name))
    func objectsOfVersion1AreStillRead(_ name: String) throws {
        let object = try #require(Golden.objects.first { $0.name == name })
        let parts = try Golden.bytes(name)
        try #require(parts.count == 1)
        let read = try ObjectCoder.decode(parts[0])
        #expect(Identical.check(read.metadata, object.metadata))
        #expect(read.creation == object.creation)
        #expect(read.body == object.body)
    }
}
