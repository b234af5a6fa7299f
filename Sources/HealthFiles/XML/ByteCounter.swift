/// Counts line feeds and control characters, sixteen bytes at a time.
package enum ByteCounter {
    /// Returns the number of line feeds.
    package static func lineFeeds(_ start: UnsafePointer<UInt8>, _ count: Int) -> Int {
        tally(start, count) { block in
            block .== SIMD16(repeating: 0x0A)
        } scalar: { byte in
            byte == 0x0A
        }
    }

    /// Returns the number of line feeds and of control characters that XML does not allow: those below a space other
    /// than tab, line feed and carriage return.
    package static func counts(_ start: UnsafePointer<UInt8>, _ count: Int) -> (lineFeeds: Int, controls: Int) {
        let feeds = lineFeeds(start, count)
        // In nearly every block, line feeds are the only bytes below a space; two counts suffice then.
        let low = tally(start, count) {
            $0 .< SIMD16(repeating: 0x20)
        } scalar: {
            $0 < 0x20
        }
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
            // A lane can count up to 255, after which the lanes must be summed.
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

/// Counts the faults in a stream's UTF-8: the number of U+FFFD that a decoder inserts. A character may be split
/// between two pieces of the stream.
package struct UTF8Validator {
    /// The number of faults so far; an incomplete character is not one yet.
    package private(set) var faults = 0
    /// The number of bytes missing from the current character, and the valid range of the next one.
    private var wanted = 0
    private var lowest: UInt8 = 0x80
    private var highest: UInt8 = 0xBF

    /// Adds the next piece of the stream.
    package mutating func add(_ start: UnsafePointer<UInt8>, _ count: Int) {
        var position = 0
        while position < count {
            if wanted == 0 {
                position = Self.skipASCII(start, from: position, count)
                guard position < count else { return }
                begin(start[position])
                position += 1
            } else if lowest...highest ~= start[position] {
                wanted -= 1
                (lowest, highest) = (0x80, 0xBF)
                position += 1
            } else {
                // This byte starts a new character.
                faults += 1
                wanted = 0
            }
        }
    }

    private mutating func begin(_ byte: UInt8) {
        (lowest, highest) = (0x80, 0xBF)
        switch byte {
        case 0xC2...0xDF: wanted = 1
        case 0xE0: (wanted, lowest) = (2, 0xA0)
        case 0xED: (wanted, highest) = (2, 0x9F)
        case 0xE1...0xEF: wanted = 2
        case 0xF0: (wanted, lowest) = (3, 0x90)
        case 0xF1...0xF3: wanted = 3
        case 0xF4: (wanted, highest) = (3, 0x8F)
        default: faults += 1
        }
    }

    /// The offset of the next byte that is not ASCII, or `count`. Checks 32 bytes at a time.
    private static func skipASCII(_ start: UnsafePointer<UInt8>, from first: Int, _ count: Int) -> Int {
        let raw = UnsafeRawPointer(start)
        var position = first
        while count - position >= 32 {
            let words =
                raw.loadUnaligned(fromByteOffset: position, as: UInt64.self)
                | raw.loadUnaligned(fromByteOffset: position + 8, as: UInt64.self)
                | raw.loadUnaligned(fromByteOffset: position + 16, as: UInt64.self)
                | raw.loadUnaligned(fromByteOffset: position + 24, as: UInt64.self)
            if words & 0x8080_8080_8080_8080 != 0 { break }
            position += 32
        }
        while position < count, start[position] < 0x80 { position += 1 }
        return position
    }
}
