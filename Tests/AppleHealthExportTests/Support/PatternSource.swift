import HealthFiles
@testable import AppleHealthExport

/// A stream that is never in memory as a whole: a head, one piece over and over, a tail.
final class PatternSource: ByteSource {
    let name = "pattern"
    let byteCount: Int? = nil
    private let parts: [(bytes: [UInt8], count: Int)]
    private var part = 0
    private var round = 0
    private var position = 0

    init(head: String, pattern: String, count: Int, tail: String) {
        parts = [(Array(head.utf8), 1), (Array(pattern.utf8), count), (Array(tail.utf8), 1)]
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        var filled = 0
        while filled < buffer.count, part < parts.count {
            let bytes = parts[part].bytes
            let count = min(buffer.count - filled, bytes.count - position)
            bytes.withUnsafeBytes {
                UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]).copyMemory(
                    from: .init(rebasing: $0[position..<(position + count)]))
            }
            filled += count
            position += count
            if position == bytes.count {
                position = 0
                round += 1
                if round == parts[part].count { (part, round) = (part + 1, 0) }
            }
        }
        return filled
    }
}
