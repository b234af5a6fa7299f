/// Counts what a reader wants to know of whole blocks, sixteen bytes at a time.
enum ByteCensus {
    /// How many of the bytes are line feeds.
    static func lineFeeds(_ start: UnsafePointer<UInt8>, _ count: Int) -> Int {
        tally(start, count) { block in
            block .== SIMD16(repeating: 0x0A)
        } scalar: { byte in
            byte == 0x0A
        }
    }

    /// How many of the bytes are line feeds, and how many are control characters that XML does not allow:
    /// below a space, and neither tab, line feed nor carriage return.
    static func census(_ start: UnsafePointer<UInt8>, _ count: Int) -> (lineFeeds: Int, controls: Int) {
        let feeds = lineFeeds(start, count)
        // Nearly every block has no byte below a space but line feeds; counting those two is enough then.
        let low = tally(start, count) { $0 .< SIMD16(repeating: 0x20) } scalar: { $0 < 0x20 }
        if low == feeds { return (feeds, 0) }
        let others = tally(start, count) { block in
            (block .== SIMD16(repeating: 0x09)) .| (block .== SIMD16(repeating: 0x0D))
        } scalar: { byte in
            byte == 0x09 || byte == 0x0D
        }
        return (feeds, low - feeds - others)
    }

    @inline(__always)
    private static func tally(
        _ start: UnsafePointer<UInt8>, _ count: Int,
        vector: (SIMD16<UInt8>) -> SIMDMask<SIMD16<Int8>>, scalar: (UInt8) -> Bool
    ) -> Int {
        let raw = UnsafeRawPointer(start)
        var total = 0
        var position = 0
        while count - position >= 16 {
            // A lane holds at most 255 hits, so the lanes are added up that often.
            var hits = SIMD16<UInt8>()
            let end = min(count - 15, position + 16 * 255)
            while position < end {
                let block = raw.loadUnaligned(fromByteOffset: position, as: SIMD16<UInt8>.self)
                // A true lane is all ones, that is -1.
                hits &-= unsafeBitCast(vector(block), to: SIMD16<UInt8>.self)
                position += 16
            }
            total += Int(SIMD16<UInt16>(truncatingIfNeeded: hits).wrappedSum())
        }
        while position < count {
            if scalar(start[position]) { total += 1 }
            position += 1
        }
        return total
    }
}
