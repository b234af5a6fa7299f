import Testing

@testable import HealthPages

@Suite struct BitPackingTests {
    @Test(arguments: Array(0...56) + [64])
    func roundTripsWithNeighbors(width: Int) throws {
        var random = SeededRandom(UInt64(width))
        for count in 0...19 {
            let numbers = (0..<count).map { _ in
                width == 0 ? 0 : random.next() >> UInt64(64 - width)
            }
            for base in [0, 41, Int64.min, Int64.max] {
                var writer = ByteWriter()
                writer.byte(0xFF)
                writer.packed(count: count, width: width) { numbers[$0] }
                #expect(writer.count == 1 + BitPacking.size(count: count, width: width))
                let end = writer.count
                // With and without enough bytes after the run for eight-byte loads.
                for slack in [0, BitPacking.slack - 1, BitPacking.slack] {
                    let bytes = writer.bytes + Array(repeating: 0xFF, count: slack)
                    let read = try ByteReader.lending(bytes) { raw throws(PageError) in
                        var reader = ByteReader(raw, range: 1..<end)
                        let numbers = try reader.integers(count, width, base)
                        #expect(reader.isAtEnd)
                        return numbers
                    }
                    #expect(read == numbers.map { base &+ Int64(bitPattern: $0) }, "count \(count)")
                }
            }
        }
    }

    @Test func everyTruncationThrows() {
        for length in 0..<3 {
            #expect(throws: PageError.self) {
                try ByteReader.lending(Array(repeating: 0, count: length)) { raw throws(PageError) in
                    var reader = ByteReader(raw)
                    _ = try reader.integers(8, 3, 0)
                }
            }
        }
    }

    @Test(arguments: [57, 63, 65, 255])
    func oddWidthsThrow(width: Int) {
        #expect(throws: PageError.self) {
            try ByteReader.lending(Array(repeating: 0, count: 4096)) { raw throws(PageError) in
                var reader = ByteReader(raw)
                _ = try reader.integers(8, width, 0)
            }
        }
    }
}

extension ByteReader {
    fileprivate mutating func integers(_ count: Int, _ width: Int, _ base: Int64) throws(PageError) -> [Int64] {
        let target = UnsafeMutablePointer<Int64>.allocate(capacity: count + 1)
        defer { target.deallocate() }
        target.initialize(repeating: 77, count: count + 1)
        try packed(count: count, width: width, adding: base, into: target, "run")
        #expect(target[count] == 77)
        return Array(UnsafeBufferPointer(start: target, count: count))
    }
}
