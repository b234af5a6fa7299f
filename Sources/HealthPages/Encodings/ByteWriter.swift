/// Collects little-endian bytes. Twin of ``ByteReader``.
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

    /// Adds `count` zero bytes and hands them to `fill`.
    mutating func filling(_ count: Int, _ fill: (UnsafeMutableRawBufferPointer) -> Void) {
        let start = bytes.count
        zeros(count)
        bytes.withUnsafeMutableBytes { fill(UnsafeMutableRawBufferPointer(rebasing: $0[start...])) }
    }

    /// Overwrites four bytes written before.
    mutating func replace32(_ value: UInt32, at offset: Int) {
        for place in 0..<4 {
            bytes[offset + place] = UInt8(truncatingIfNeeded: value >> UInt32(8 * place))
        }
    }
}
