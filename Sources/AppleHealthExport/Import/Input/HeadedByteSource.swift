/// A stream whose first bytes have been read already, to see what it is.
final class HeadedByteSource: ByteSource {
    let name: String
    let byteCount: Int?
    private let head: [UInt8]
    private let rest: any ByteSource
    private var position = 0

    init(head: [UInt8], rest: any ByteSource) {
        name = rest.name
        byteCount = rest.byteCount
        self.head = head
        self.rest = rest
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        guard position < head.count else { return try rest.read(into: buffer) }
        let count = min(buffer.count, head.count - position)
        buffer.copyBytes(from: head[position..<(position + count)])
        position += count
        return count
    }
}
