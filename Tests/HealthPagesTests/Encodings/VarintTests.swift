import Testing

@testable import HealthPages

@Suite struct VarintTests {
    static let interesting: [Int64] = {
        let powers: [Int64] = (0..<63).map { bit in 1 << bit }
        return powers.flatMap { power -> [Int64] in [power, -power, power - 1] } + [.min, .max, 0]
    }()

    @Test func roundTripsWithNeighbors() throws {
        for number in Self.interesting {
            var writer = ByteWriter()
            writer.byte(0xEE)
            writer.signed(number)
            writer.unsigned(UInt64(bitPattern: number))
            let bits = 64 - number.leadingZeroBitCount
            #expect(writer.count == 1 + Varint.size(signed: number) + Varint.size(bits: bits))
            writer.byte(0xDD)
            try ByteReader.lending(writer.bytes) { raw throws(PageError) in
                var reader = ByteReader(raw)
                #expect(try reader.byte("prefix") == 0xEE)
                #expect(try reader.signed("number") == number)
                #expect(try reader.unsigned("number") == UInt64(bitPattern: number))
                #expect(try reader.byte("suffix") == 0xDD)
                #expect(reader.isAtEnd)
            }
        }
    }

    @Test func everyTruncationThrows() {
        var writer = ByteWriter()
        writer.unsigned(UInt64.max)
        for length in 0..<writer.count {
            #expect(throws: PageError(.truncated, "number", at: length)) {
                try ByteReader.lending(Array(writer.bytes[..<length])) { raw throws(PageError) in
                    var reader = ByteReader(raw)
                    _ = try reader.unsigned("number")
                }
            }
        }
    }

    @Test(
        arguments: [
            [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x02],
            [0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01],
        ] as [[UInt8]])
    func moreThan64BitsThrow(_ bytes: [UInt8]) {
        #expect(throws: PageError.self) {
            try ByteReader.lending(bytes) { raw throws(PageError) in
                var reader = ByteReader(raw)
                _ = try reader.unsigned("number")
            }
        }
    }
}
