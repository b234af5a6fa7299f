/// A run of bytes of the window.
struct ByteRange: Equatable {
    var start: Int
    var end: Int

    static let none = ByteRange(start: -1, end: -1)

    /// Whether there is one at all; an empty run is one.
    var exists: Bool { start >= 0 }
    var count: Int { end - start }

    /// The bytes themselves, valid until the window moves.
    func bytes(in base: UnsafePointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: base + start, count: end - start)
    }
}
