/// Arithmetic of variable-length integers.
enum Varint {
    /// 0, -1, 1, -2 … become 0, 1, 2, 3 …
    @inline(__always)
    static func zigzag(_ value: Int64) -> UInt64 {
        UInt64(bitPattern: (value << 1) ^ (value >> 63))
    }

    @inline(__always)
    static func unzigzag(_ value: UInt64) -> Int64 {
        Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
    }

    /// How many bytes ``ByteWriter/unsigned(_:)-(UInt64)`` takes for a number of so many bits.
    @inline(__always)
    static func size(bits: Int) -> Int {
        bits <= 7 ? 1 : (bits + 6) / 7
    }

    /// How many bytes ``ByteWriter/signed(_:)`` takes.
    @inline(__always)
    static func size(signed value: Int64) -> Int {
        size(bits: 64 - zigzag(value).leadingZeroBitCount)
    }
}
