import Testing

@testable import HealthPages

@Suite struct CompactNumberTests {
    @Test(
        arguments: [
            (0, 1), (1, 2), (-1, 2), (72, 2), (180, 3), (0.5, 2), (650_000_000, 5), (650_000_000.25, 6), (12.75, 3),
            (1 / 3, 9),
            (.nan, 9), (-0.0, 9), (.infinity, 9), (-63_114_076_800, 6), (64_092_211_200, 6),
            (Double(bitPattern: 0x7FF4_0000_0000_1234), 9), (.leastNonzeroMagnitude, 9), (0x1p49, 8), (-0x1p49 - 1, 8),
        ] as [(Double, Int)])
    func roundTripsInTheExpectedSize(_ value: Double, _ size: Int) throws {
        var writer = ByteWriter()
        writer.byte(0xFF)
        writer.number(value)
        #expect(writer.count == 1 + size)
        writer.byte(0xFF)
        try ByteReader.lending(writer.bytes) { raw throws(PageError) in
            var reader = ByteReader(raw)
            _ = try reader.byte("prefix")
            #expect(try reader.number("number").bitPattern == value.bitPattern)
            #expect(reader.remaining == 1)
        }
        for length in 0..<size {
            #expect(throws: PageError.self) {
                try ByteReader.lending(Array(writer.bytes[1..<1 + length])) { raw throws(PageError) in
                    var reader = ByteReader(raw)
                    _ = try reader.number("number")
                }
            }
        }
    }
}
