extension ByteWriter {
    /// Seven bits a byte, the lowest first; the top bit says that more follow.
    mutating func unsigned(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            byte(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        byte(UInt8(truncatingIfNeeded: rest))
    }

    mutating func unsigned(_ value: Int) {
        unsigned(UInt64(value))
    }

    /// Sign folded into the lowest bit, so that small magnitudes are short.
    mutating func signed(_ value: Int64) {
        unsigned(Varint.zigzag(value))
    }
}
