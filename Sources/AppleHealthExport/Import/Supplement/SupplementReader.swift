/// Reads a supplement line by line: the twin of ``SupplementWriter``. Whatever the bytes are, it holds no more
/// than one line of them, and every line is one that was written or is told as damaged. Used by one thread.
final class SupplementReader {
    /// What came next.
    enum Outcome {
        /// A line, with how many bytes it has.
        case line(SupplementLine, bytes: Int)
        /// A line that is not as it was written.
        case damaged
        /// The file could not be read any further.
        case unreadable
    }

    private let source: any ByteSource
    private var buffer: [UInt8] = []
    private var position = 0
    /// Up to where the buffer is known to have no line break.
    private var searched = 0
    private var isAtEnd = false

    private static let chunk = 1 << 18

    init(source: any ByteSource) {
        self.source = source
    }

    /// The next line; `nil` behind the last.
    func next() -> Outcome? {
        var isTooLong = false
        while true {
            if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                let line = buffer[position..<end]
                position = end + 1
                searched = position
                if isTooLong { return .damaged }
                if line.isEmpty { continue }
                return outcome(line)
            }
            if buffer.count - position > SupplementText.longestLine {
                isTooLong = true
                position = buffer.count
            }
            searched = buffer.count
            if isAtEnd {
                let rest = buffer[position...]
                position = buffer.count
                if isTooLong { return .damaged }
                // A line without its break may have been cut off and still be whole.
                return rest.isEmpty ? nil : outcome(rest)
            }
            do {
                try refill()
            } catch {
                isAtEnd = true
                buffer = []
                (position, searched) = (0, 0)
                return .unreadable
            }
        }
    }

    private func outcome(_ bytes: ArraySlice<UInt8>) -> Outcome {
        SupplementText.decode(bytes).map { .line($0, bytes: bytes.count) } ?? .damaged
    }

    private func refill() throws {
        buffer.removeSubrange(..<position)
        searched -= position
        position = 0
        let count = buffer.count
        buffer.append(contentsOf: repeatElement(0, count: Self.chunk))
        let read = try buffer.withUnsafeMutableBytes { bytes in
            try source.read(into: UnsafeMutableRawBufferPointer(rebasing: bytes[count...]))
        }
        buffer.removeSubrange((count + read)...)
        isAtEnd = read == 0
    }
}
