/// Walks over little-endian bytes and throws at their end. Twin of ``ByteWriter``.
///
/// The range `offset..<end` is what may be consumed; `bytes` may go on behind it, which is what packed
/// integers need for their eight-byte loads.
struct ByteReader {
    let bytes: UnsafeRawBufferPointer
    private(set) var offset: Int
    let end: Int

    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
        offset = 0
        end = bytes.count
    }

    /// The caller has checked that the range lies within the bytes.
    init(_ bytes: UnsafeRawBufferPointer, range: Range<Int>) {
        self.bytes = bytes
        offset = range.lowerBound
        end = range.upperBound
    }

    var isAtEnd: Bool { offset == end }
    var remaining: Int { end - offset }

    func error(_ kind: PageError.Kind, _ what: StaticString) -> PageError {
        PageError(kind, what.description, at: offset)
    }

    mutating func byte(_ what: StaticString) throws(PageError) -> UInt8 {
        guard offset < end else { throw error(.truncated, what) }
        defer { offset += 1 }
        return bytes[offset]
    }

    mutating func fixed32(_ what: StaticString) throws(PageError) -> UInt32 {
        UInt32(littleEndian: try take(4, what).loadUnaligned(as: UInt32.self))
    }

    mutating func fixed64(_ what: StaticString) throws(PageError) -> UInt64 {
        UInt64(littleEndian: try take(8, what).loadUnaligned(as: UInt64.self))
    }

    /// The next `count` bytes.
    mutating func take(_ count: Int, _ what: StaticString) throws(PageError) -> UnsafeRawBufferPointer {
        guard count >= 0, count <= end - offset else { throw error(.truncated, what) }
        defer { offset += count }
        return UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count])
    }

    /// Throws unless everything was consumed.
    func finish(_ what: StaticString) throws(PageError) {
        guard isAtEnd else { throw error(.inconsistent, what) }
    }
}
