/// The bytes of a JSON document.
package enum JSONSource: Sendable {
    case bytes([UInt8])
    /// Bytes that are read when they are needed: the function fills a buffer with the bytes from an offset on and returns
    /// their number, which is less than the buffer’s only at the end of the document.
    case reading(@Sendable (_ offset: Int, _ buffer: UnsafeMutableRawBufferPointer) throws -> Int)
}

/// The part of a document that is in memory.
final class JSONWindow {
    private var memory: UnsafeMutableBufferPointer<UInt8>
    /// Reads further bytes; `nil` if all are in memory.
    private let read: (@Sendable (Int, UnsafeMutableRawBufferPointer) throws -> Int)?

    /// The bytes that are in memory at first.
    let start: UnsafeBufferPointer<UInt8>

    /// - Parameter size: The number of bytes of a document that are in memory at a time, unless one token is longer.
    init(_ source: JSONSource, size: Int) {
        switch source {
        case .bytes(let bytes):
            memory = .allocate(capacity: bytes.count)
            _ = memory.initialize(from: bytes)
            start = UnsafeBufferPointer(memory)
            read = nil
        case .reading(let function):
            memory = .allocate(capacity: max(1, size))
            start = UnsafeBufferPointer(rebasing: memory[..<0])
            read = function
        }
    }

    deinit {
        memory.deallocate()
    }

    var isMovable: Bool { read != nil }

    /// Moves the window forward.
    ///
    /// - Parameters:
    ///   - kept: The last bytes of the window, with which it begins afterwards. It grows if they fill it.
    ///   - offset: The offset in the document of the byte after them.
    /// - Returns: The new bytes of the window; no more than `kept` at the end of the document.
    func move(keeping kept: UnsafeBufferPointer<UInt8>, followedBy offset: Int) throws -> UnsafeBufferPointer<UInt8> {
        guard let read else { return kept }
        let previous = memory
        if kept.count == memory.count { memory = .allocate(capacity: memory.count * 2) }
        if let first = kept.baseAddress { memory.baseAddress?.update(from: first, count: kept.count) }
        if memory.baseAddress != previous.baseAddress { previous.deallocate() }
        let room = UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: memory[kept.count...]))
        return UnsafeBufferPointer(rebasing: memory[..<(kept.count + (try read(offset, room)))])
    }
}
