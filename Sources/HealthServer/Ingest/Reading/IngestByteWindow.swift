import Foundation

/// The bytes of a posted body: in memory, or in a private temporary file if the body is large.
enum IngestByteSource: Sendable {
    case bytes([UInt8])
    case file(TemporaryFile)
}

/// A window over the bytes of a body, which moves forward as they are read and can be moved back.
///
/// Only one window of a file is in memory at a time.
struct IngestByteWindow {
    private let source: IngestByteSource
    private var buffer: [UInt8]
    /// The offset in the body of the first byte of `buffer`.
    private var base = 0
    private var index = 0
    private let size: Int

    /// Creates a window at the start of a body.
    ///
    /// - Parameter size: The number of bytes of a file that are in memory at a time.
    init(_ source: IngestByteSource, size: Int = 256 << 10) {
        self.source = source
        self.size = max(1, size)
        buffer = if case .bytes(let bytes) = source { bytes } else { [] }
    }

    /// The offset of the next byte in the body.
    var offset: Int { base + index }

    /// The next byte, which is not consumed; `nil` at the end.
    @inline(__always)
    mutating func peek() throws -> UInt8? {
        if index < buffer.count { return buffer[index] }
        return try fill() ? buffer[index] : nil
    }

    /// Consumes the byte that ``peek()`` has returned.
    @inline(__always)
    mutating func advance() { index += 1 }

    /// Calls `body` with the bytes of the body that are in memory from the next byte on, and consumes as many as it
    /// returns.
    @inline(__always)
    mutating func consume<Value>(_ body: (UnsafeBufferPointer<UInt8>) -> (count: Int, value: Value)) -> Value {
        let (count, value) = buffer.withUnsafeBufferPointer { bytes in
            body(UnsafeBufferPointer(rebasing: bytes[min(index, bytes.count)...]))
        }
        index += count
        return value
    }

    /// Moves to an offset, which must lie within the body.
    mutating func move(to offset: Int) {
        if offset >= base, offset <= base + buffer.count {
            index = offset - base
        } else {
            base = offset
            index = 0
            buffer.removeAll(keepingCapacity: true)
        }
    }

    /// Appends the following bytes up to the first that ends a plain run of a string: a quotation mark, a backslash or
    /// a control character.
    mutating func appendPlainRun(to bytes: inout [UInt8]) throws {
        while try peek() != nil {
            let isEnded = consume { rest in
                let count = Self.plainCount(rest)
                bytes.append(contentsOf: rest[..<count])
                return (count, count < rest.count)
            }
            if isEnded { return }
        }
    }

    /// Consumes what ``appendPlainRun(to:)`` appends. Returns the number of bytes.
    mutating func skipPlainRun() throws -> Int {
        var skipped = 0
        while try peek() != nil {
            let (count, isEnded) = consume { rest in
                let count = Self.plainCount(rest)
                return (count, (count, count < rest.count))
            }
            skipped += count
            if isEnded { break }
        }
        return skipped
    }

    /// The number of bytes before the first quotation mark, backslash or control character.
    @inline(__always)
    static func plainCount(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
        var count = 0
        while count < bytes.count, bytes[count] >= 0x20, bytes[count] != 0x22, bytes[count] != 0x5C { count += 1 }
        return count
    }

    /// Reads the next part of a file. Returns whether there is one.
    @inline(never)
    private mutating func fill() throws -> Bool {
        guard case .file(let file) = source else { return false }
        base += buffer.count
        index -= buffer.count
        buffer = try file.read(at: base + index, count: size)
        base += index
        index = 0
        return !buffer.isEmpty
    }
}
