import Foundation
import HealthModel
import Testing

@testable import HealthPages

/// Decoding damaged bytes throws or succeeds; it never traps and never allocates much memory.
@Suite struct PageDamageTests {
    /// A header with the checksum of these bytes, so that the damage reaches the decoders.
    private static func vouching(_ header: PageHeader, for body: [UInt8]) -> PageHeader {
        var header = header
        header.bodyLength = body.count
        header.bodyChecksum = Checksum.of(body)
        return header
    }

    /// Whether the body could be read.
    private static func reads(_ header: PageHeader, _ body: [UInt8]) -> Bool {
        do throws(PageError) {
            return try ByteReader.lending(body) { raw throws(PageError) in
                let reader = try PageReader(header: header, body: raw)
                let columns = try reader.read(.all)
                // Decoded columns have the length in the header.
                #expect(columns.starts.count == header.count && columns.metadata.count == header.count)
                #expect(columns.metadata.numbers.allSatisfy { $0 <= columns.metadata.table.count })
                return true
            }
        } catch {
            return false
        }
    }

    @Test func nothingIsReadWithoutAValidChecksum() throws {
        let page = try PageWriter.write(RealisticColumns.steps(20), rows: 0..<20)
        #expect(Self.reads(page.header, page.body))
        for length in 0..<page.body.count {
            let error = PageError(.truncated, "page body", at: length).naming(
                .init(type: page.header.type, firstSequence: page.header.firstSequence))
            #expect(throws: error) {
                try ByteReader.lending(Array(page.body[..<length])) { raw throws(PageError) in
                    _ = try PageReader(header: page.header, body: raw)
                }
            }
        }
        #expect(!Self.reads(page.header, page.body + [0]))
        for bit in 0..<page.body.count * 8 {
            var damaged = page.body
            damaged[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(!Self.reads(page.header, damaged), "bit \(bit)")
        }
    }

    @Test(arguments: 0..<8 as Range<UInt64>)
    func everyVouchedTruncationThrows(seed: UInt64) throws {
        var random = SeededRandom(seed)
        let columns = RandomColumns.make(count: 12, &random)
        let page = try PageWriter.write(columns, rows: 0..<12)
        for length in 0..<page.body.count {
            let body = Array(page.body[..<length])
            #expect(!Self.reads(Self.vouching(page.header, for: body), body), "length \(length)")
        }
    }

    /// 300 pages of 40 mutations each.
    @Test(arguments: 0..<300 as Range<UInt64>)
    func mutatedPagesNeverTrap(seed: UInt64) throws {
        var random = SeededRandom(seed)
        let count = random.int(1...24)
        let page = try PageWriter.write(RandomColumns.make(count: count, &random), rows: 0..<count)
        for _ in 0..<40 {
            var body = page.body
            for _ in 0..<random.int(1...4) {
                let place = random.int(0...body.count - 1)
                switch random.int(0...4) {
                case 0: body[place] ^= 1 << UInt8(random.int(0...7))
                case 1: body[place] = UInt8(random.int(0...255))
                case 2: body[place] = random.pick([0, 0x7F, 0x80, 0xFF])
                case 3: body.insert(UInt8(random.int(0...255)), at: place)
                default: if body.count > 1 { body.remove(at: place) }
                }
            }
            _ = Self.reads(Self.vouching(page.header, for: body), body)
        }
    }

    /// The body of one page with the header of another and a valid checksum.
    @Test(arguments: 0..<60 as Range<UInt64>)
    func strangeHeadersNeverTrap(seed: UInt64) throws {
        var random = SeededRandom(seed)
        let pages = try (0..<6).map { _ in
            let count = random.int(1...24)
            return try PageWriter.write(RandomColumns.make(count: count, &random), rows: 0..<count)
        }
        for header in pages {
            for body in pages { _ = Self.reads(Self.vouching(header.header, for: body.body), body.body) }
        }
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func mutatedHeadersNeverTrap(seed: UInt64) throws {
        var random = SeededRandom(seed)
        let count = random.int(1...24)
        let page = try PageWriter.write(RandomColumns.make(count: count, &random), rows: 0..<count)
        for _ in 0..<20 {
            var bytes = page.headerBytes
            for _ in 0..<random.int(1...3) {
                bytes[random.int(PageHeader.fixedLength...bytes.count - 1)] = UInt8(random.int(0...255))
            }
            // Update the checksum, so that the fields themselves are checked.
            let checksum =
                UInt32(truncatingIfNeeded: Checksum.of(Array(bytes[PageHeader.fixedLength...])))
                ^ UInt32(bytes[3]) &* 0x9E37_79B1
            for place in 0..<4 { bytes[4 + place] = UInt8(truncatingIfNeeded: checksum >> UInt32(8 * place)) }
            if let header = try? PageHeader(decoding: bytes) {
                _ = Self.reads(header, page.body)
                _ = Self.reads(Self.vouching(header, for: page.body), page.body)
            }
        }
    }

    /// Counts that exceed the bytes are rejected before memory is allocated.
    @Test func countsAreCheckedBeforeAllocating() throws {
        var columns = RealisticColumns.heartRate(2)
        columns.metadata.numbers = [1, 2]
        let page = try PageWriter.write(columns, rows: 0..<2)
        var writer = ByteWriter()
        for length in [4, 3, 4, 0, 0, 0, 9, 3, 0, 0] { writer.unsigned(length) }
        writer.raw([0, 4, 0, 2])  // starts: seconds, stride 0, 1
        writer.raw([0, 0, 0])  // ends: own start, constant 0
        writer.raw([0, 0, 2, 0])  // values: an extra byte
        writer.raw([0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F])  // pool of 2^62 strings
        writer.raw([4, 0, 2])
        writer.zeros(BitPacking.slack)
        let header = Self.vouching(page.header, for: writer.bytes)
        try ByteReader.lending(writer.bytes) { raw throws(PageError) in
            let reader = try PageReader(header: header, body: raw)
            #expect(throws: PageError.self) { try reader.read(.metadata) }
            #expect(throws: PageError.self) { try reader.read(.values) }
            #expect(try reader.read([.starts, .ends]).ends == [0, 1])
        }
    }
}
