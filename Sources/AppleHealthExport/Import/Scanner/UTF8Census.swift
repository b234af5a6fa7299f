/// Counts what in a stream is not UTF-8: as many faults as a decoder puts in U+FFFD for them. A character
/// may be cut in two by the end of a piece.
struct UTF8Census {
    /// How many faults there were so far; a character that is not complete yet is none.
    private(set) var faults = 0
    /// Bytes that the character under way still wants, and what the next of them may be.
    private var wanted = 0
    private var lowest: UInt8 = 0x80
    private var highest: UInt8 = 0xBF

    /// Goes on with the next piece of the stream.
    mutating func add(_ start: UnsafePointer<UInt8>, _ count: Int) {
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
                // What is here begins something of its own.
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

    /// The offset of the next byte beyond ASCII, or `count`: thirty-two bytes at a time.
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
