import CZlib

/// The checksum of zip and gzip.
package struct CRC32: Hashable, Sendable {
    /// The checksum of the bytes so far.
    package private(set) var value: UInt32 = 0

    /// Creates the checksum of no bytes.
    package init() {}

    /// Creates the checksum of bytes.
    package init(_ bytes: UnsafeRawBufferPointer) {
        append(bytes)
    }

    /// Appends bytes.
    package mutating func append(_ bytes: UnsafeRawBufferPointer) {
        value = UInt32(crc32_z(UInt(value), bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count))
    }

    /// Appends bytes whose checksum is known.
    package mutating func append(_ other: CRC32, count: Int) {
        value = UInt32(crc32_combine(UInt(value), UInt(other.value), count))
    }
}
