/// A stream of bytes read once from front to back.
protocol ByteSource: AnyObject {
    /// What is read, for messages: a path, or a path with the entry inside it.
    var name: String { get }
    /// How many bytes there are, where that is known beforehand.
    var byteCount: Int? { get }
    /// Fills some of `buffer` from its start and says how much; 0 at the end of the stream only.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int
}

extension ByteSource {
    /// Reads until `buffer` is full or the stream ends.
    func readFully(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        var filled = 0
        while filled < buffer.count {
            let count = try read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]))
            if count == 0 { break }
            filled += count
        }
        return filled
    }
}
