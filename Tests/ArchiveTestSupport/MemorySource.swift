import HealthFiles

/// Bytes in memory as a stream that hands out at most `step` of them at a time.
package final class MemorySource: ByteSource {
    package let name = "memory"
    package let byteCount: Int?
    private let bytes: [UInt8]
    private let step: Int
    private var position = 0

    package init(_ bytes: [UInt8], step: Int = .max) {
        self.bytes = bytes
        self.step = step
        byteCount = bytes.count
    }

    package func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        let count = min(buffer.count, step, bytes.count - position)
        buffer.copyBytes(from: bytes[position..<(position + count)])
        position += count
        return count
    }
}
