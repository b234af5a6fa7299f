import HealthFiles
@testable import AppleHealthExport

/// A long stream that takes no memory: a beginning, something over and over, an end.
final class RepeatingSource: ByteSource {
    let name = "memory"
    let byteCount: Int? = nil
    private let parts: [(bytes: [UInt8], times: Int)]
    private var part = 0
    private var time = 0
    private var position = 0

    init(head: String, filling: String, times: Int, tail: String) {
        // Copied some at a time, or a test would take its time.
        let filling = Array(filling.utf8)
        let many = max(1, 65_536 / filling.count)
        parts = [
            (Array(head.utf8), 1), (Array(repeatElement(filling, count: many).joined()), times / many),
            (filling, times % many), (Array(tail.utf8), 1),
        ]
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        var filled = 0
        while filled < buffer.count, part < parts.count {
            let (bytes, times) = parts[part]
            guard time < times, !bytes.isEmpty else {
                part += 1
                time = 0
                continue
            }
            let count = min(buffer.count - filled, bytes.count - position)
            bytes.withUnsafeBytes { bytes in
                UnsafeMutableRawBufferPointer(rebasing: buffer[filled..<filled + count])
                    .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[position..<position + count]))
            }
            filled += count
            position += count
            if position == bytes.count {
                position = 0
                time += 1
            }
        }
        return filled
    }
}
