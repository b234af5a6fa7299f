/// Collects little-endian bytes. The counterpart of ``ByteReader``.
struct ByteWriter {
    private(set) var bytes: [UInt8] = []

    var count: Int { bytes.count }

    mutating func reserve(_ capacity: Int) {
        bytes.reserveCapacity(capacity)
    }

    mutating func byte(_ value: UInt8) {
        bytes.append(value)
    }

    mutating func fixed32(_ value: UInt32) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func fixed64(_ value: UInt64) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func raw(_ more: [UInt8]) {
        bytes.append(contentsOf: more)
    }

    mutating func raw(_ more: UnsafeRawBufferPointer) {
        bytes.append(contentsOf: more)
    }

    mutating func zeros(_ count: Int) {
        bytes.append(contentsOf: repeatElement(0, count: count))
    }

    /// Appends `count` zero bytes and passes them to `fill`.
    mutating func filling(_ count: Int, _ fill: (UnsafeMutableRawBufferPointer) -> Void) {
        let start = bytes.count
        zeros(count)
        bytes.withUnsafeMutableBytes { fill(UnsafeMutableRawBufferPointer(rebasing: $0[start...])) }
    }

    /// Overwrites four bytes.
    mutating func replace32(_ value: UInt32, at offset: Int) {
        for place in 0..<4 {
            bytes[offset + place] = UInt8(truncatingIfNeeded: value >> UInt32(8 * place))
        }
    }
}

extension ByteWriter {
    /// Writes a varint: seven bits per byte, lowest first; the top bit indicates that more follow.
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

    /// Writes a zigzag varint, so that small magnitudes are short.
    mutating func signed(_ value: Int64) {
        unsigned(Varint.zigzag(value))
    }
}

/// Arithmetic of variable-length integers.
enum Varint {
    /// Maps 0, -1, 1, -2 … to 0, 1, 2, 3 …
    @inline(__always)
    static func zigzag(_ value: Int64) -> UInt64 {
        UInt64(bitPattern: (value << 1) ^ (value >> 63))
    }

    @inline(__always)
    static func unzigzag(_ value: UInt64) -> Int64 {
        Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
    }

    /// The length in bytes of ``ByteWriter/unsigned(_:)-(UInt64)`` for a number with a number of bits.
    @inline(__always)
    static func size(bits: Int) -> Int {
        bits <= 7 ? 1 : (bits + 6) / 7
    }

    /// The length in bytes of ``ByteWriter/signed(_:)``.
    @inline(__always)
    static func size(signed value: Int64) -> Int {
        size(bits: 64 - zigzag(value).leadingZeroBitCount)
    }
}
