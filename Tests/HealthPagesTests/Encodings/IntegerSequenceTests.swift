import Testing

@testable import HealthPages

@Suite struct IntegerSequenceTests {
    /// Writes and reads numbers between two other bytes, and returns the chosen encoding.
    @discardableResult
    static func roundTrip(_ numbers: [Int64]) throws -> (encoding: IntegerEncoding, size: Int) {
        var writer = ByteWriter()
        writer.byte(0xFF)
        let encoding = numbers.withUnsafeBufferPointer { IntegerSequenceWriter.write($0, to: &writer) }
        let end = writer.count
        for _ in 0..<BitPacking.slack { writer.byte(0xFF) }
        let read = try ByteReader.lending(writer.bytes) { raw throws(PageError) in
            var reader = ByteReader(raw, range: 1..<end)
            let target = UnsafeMutablePointer<Int64>.allocate(capacity: numbers.count + 1)
            defer { target.deallocate() }
            try IntegerSequenceReader.read(&reader, count: numbers.count, into: target, "run")
            try reader.finish("run")
            return Array(UnsafeBufferPointer(start: target, count: numbers.count))
        }
        try #require(read == numbers, "\(numbers)")
        return (encoding, end - 1)
    }

    private static func expect(
        _ encoding: IntegerEncoding, atMost size: Int, _ count: Int64, _ number: (Int64) -> Int64
    ) throws {
        let result = try roundTrip((0..<count).map(number))
        #expect(result.encoding == encoding)
        #expect(result.size <= size, "\(encoding)")
    }

    @Test func choosesTheSmallestEncoding() throws {
        try Self.expect(.constant, atMost: 2, 100) { _ in 5 }
        try Self.expect(.stride, atMost: 4, 100) { 1000 + $0 * 12 }
        try Self.expect(.packed, atMost: 91, 100) { $0 * 7919 % 100 }
        try Self.expect(.patched, atMost: 1266, 1000) { $0 == 500 ? 1 << 40 : $0 * 7919 % 1000 }
        try Self.expect(.dictionary, atMost: 267, 1000) { $0 * $0 * 7919 % 1009 % 4 * 1_000_003 }
        try Self.expect(.steppedPacked, atMost: 512, 1000) { $0 * 1000 + $0 * $0 * 7919 % 1009 % 8 }
        try Self.expect(.steppedPatched, atMost: 530, 1000) {
            ($0 > 500 ? 1 << 40 : 0) + $0 * 1000 + $0 * $0 * 7919 % 1009 % 8
        }
        // Outliers on both sides make zero the base.
        try Self.expect(.patched, atMost: 22, 1000) { $0 == 10 ? -1 << 40 : $0 == 700 ? 1 << 40 : 0 }
    }

    @Test func everySmallSequenceRoundTrips() throws {
        let alphabet: [Int64] = [0, 1, -1, 7, .min, .max, 1 << 56]
        try Self.roundTrip([])
        for first in alphabet {
            try Self.roundTrip([first])
            for second in alphabet {
                try Self.roundTrip([first, second])
                for third in alphabet {
                    try Self.roundTrip([first, second, third])
                    for fourth in alphabet { try Self.roundTrip([first, second, third, fourth]) }
                }
            }
        }
    }

    @Test(arguments: 0..<150 as Range<UInt64>)
    func randomSequencesRoundTrip(seed: UInt64) throws {
        var random = SeededRandom(seed)
        let count = random.int(1...400)
        let width = random.int(0...64)
        let outlierIn = random.int(1...300)
        let isSummed = random.chance(2)
        var sum: Int64 = Int64(bitPattern: random.next()) >> Int64(random.int(0...63))
        let numbers: [Int64] = (0..<count).map { _ in
            let bits = random.chance(outlierIn) ? random.int(0...64) : width
            let number = bits == 0 ? 0 : Int64(bitPattern: random.next() >> UInt64(64 - bits))
            sum = isSummed ? sum &+ number : number
            return sum
        }
        try Self.roundTrip(numbers)
    }

    @Test func everyTruncationThrows() throws {
        let runs: [[Int64]] = [
            (0..<50).map { $0 * 7919 % 100 }, (0..<50).map { $0 == 5 ? 1 << 40 : $0 % 9 },
            (0..<200).map { $0 % 4 * 1_000_003 }, (0..<50).map { $0 * 1000 + $0 * 7919 % 8 },
            Array(repeating: 1 << 30, count: 9), (0..<9).map { $0 << 30 },
        ]
        for numbers in runs {
            var writer = ByteWriter()
            numbers.withUnsafeBufferPointer { _ = IntegerSequenceWriter.write($0, to: &writer) }
            let end = writer.count
            writer.zeros(BitPacking.slack)
            for length in 0..<end {
                #expect(throws: PageError.self) {
                    try ByteReader.lending(writer.bytes) { raw throws(PageError) in
                        var reader = ByteReader(raw, range: 0..<length)
                        let target = UnsafeMutablePointer<Int64>.allocate(capacity: numbers.count)
                        defer { target.deallocate() }
                        try IntegerSequenceReader.read(&reader, count: numbers.count, into: target, "run")
                    }
                }
            }
        }
    }
}
