import Testing

@testable import HealthPages

@Suite struct NumberSequenceTests {
    @discardableResult
    static func roundTrip(_ values: [Double]) throws -> (encoding: NumberEncoding, size: Int) {
        var writer = ByteWriter()
        writer.byte(0xFF)
        let encoding = values.withUnsafeBufferPointer { NumberSequenceWriter.write($0, to: &writer) }
        let end = writer.count
        for _ in 0..<BitPacking.slack { writer.byte(0xFF) }
        let read = try ByteReader.lending(writer.bytes) { raw throws(PageError) in
            var reader = ByteReader(raw, range: 1..<end)
            let target = UnsafeMutablePointer<Double>.allocate(capacity: values.count + 1)
            let scratch = UnsafeMutablePointer<Int64>.allocate(capacity: values.count + 1)
            defer {
                target.deallocate()
                scratch.deallocate()
            }
            try NumberSequenceReader.read(&reader, count: values.count, into: target, scratch: scratch, "run")
            try reader.finish("run")
            return Array(UnsafeBufferPointer(start: target, count: values.count))
        }
        try #require(Identical.check(read, values), "\(values)")
        return (encoding, end - 1)
    }

    private static func expect(
        _ encoding: NumberEncoding, _ count: Int, _ value: (Int) -> Double
    ) throws {
        let result = try roundTrip((0..<count).map(value))
        #expect(result.encoding == encoding)
    }

    @Test func choosesTheSmallestEncoding() throws {
        try Self.expect(.decimal(exponent: 0, exceptions: 0, .packed), 100) { Double($0 * 7919 % 100) }
        try Self.expect(.decimal(exponent: 3, exceptions: 0, .packed), 100) { Double($0 * $0 * 7919 % 997) / 1000 }
        try Self.expect(.decimal(exponent: 2, exceptions: 0, .stride), 100) { Double($0) / 4 }
        try Self.expect(.decimal(exponent: 1, exceptions: 1, .packed), 1000) {
            $0 == 400 ? 1 / 3 : Double($0 * 7919 % 100) / 10
        }
        // One long decimal among short ones is smaller as an exception.
        try Self.expect(.decimal(exponent: 1, exceptions: 1, .packed), 1000) {
            $0 == 401 ? 0.123_456_789 : Double($0 * 7919 % 100) / 10
        }
        // Among long ones, short ones are exact as well.
        try Self.expect(.decimal(exponent: 5, exceptions: 0, .packed), 100) {
            $0 % 2 == 0 ? 0.5 : Double($0 * 7919 % 99_991) / 100_000
        }
        let odd: [Double] = [0.1 + 0.2, 1.0 / 3, .nan]
        try Self.expect(.bits(.dictionary), 100) { odd[$0 * 7919 % 3] }
        try Self.expect(.bits(.packed), 100) { 1 / Double($0 * 7919 % 100 + 3) }
        try Self.expect(.bits(.constant), 100) { _ in -0.0 }
    }

    @Test func everySmallSequenceRoundTrips() throws {
        let alphabet: [Double] = [
            0, -0.0, 1, -1, 0.1, 1 / 3, 1e-12, 1e300, .infinity, -.infinity, .nan,
            Double(bitPattern: 0x7FF0_0000_0000_0001), .leastNonzeroMagnitude, 0x1p50, 0x1p53 + 2,
        ]
        for first in alphabet {
            try Self.roundTrip([first])
            for second in alphabet {
                try Self.roundTrip([first, second])
                for third in alphabet { try Self.roundTrip([first, second, third]) }
            }
        }
    }

    @Test func parsedDecimalsHaveADecimalForm() throws {
        var random = SeededRandom(11)
        for _ in 0..<2000 {
            let text = "\(random.int(0...99_999)).\(random.int(0...999_999))"
            let value = try #require(Double(text))
            #expect(DecimalScaling.exponent(of: value) != nil, "\(text)")
        }
    }
}
