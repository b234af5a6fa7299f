import Foundation

/// A growing buffer of bytes that keeps its memory when emptied, so that reusing it does not allocate. Use it on one
/// thread at a time.
final class ByteBuffer {
    private(set) var base: UnsafeMutablePointer<UInt8>
    private(set) var count = 0
    private var capacity: Int

    init(capacity: Int = 1 << 16) {
        self.capacity = capacity
        base = .allocate(capacity: capacity)
    }

    deinit {
        base.deallocate()
    }

    /// The appended bytes, valid until the next change.
    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: count) }

    func removeAll() {
        count = 0
    }

    /// Frees memory that unusually large content needed. The buffer must be empty.
    func shrink(to limit: Int) {
        guard capacity > limit else { return }
        base.deallocate()
        capacity = limit
        count = 0
        base = .allocate(capacity: limit)
    }

    /// Reserves space for `length` more bytes and returns its address. Call ``advance(by:)`` after writing to it.
    @inline(__always)
    func room(_ length: Int) -> UnsafeMutablePointer<UInt8> {
        if capacity - count < length { grow(length) }
        return base + count
    }

    @inline(__always)
    func advance(by length: Int) {
        count += length
    }

    @inline(__always)
    func append(_ byte: UInt8) {
        room(1).pointee = byte
        count += 1
    }

    func append(_ bytes: UnsafeRawBufferPointer) {
        guard let source = bytes.baseAddress, bytes.count > 0 else { return }
        memcpy(room(bytes.count), source, bytes.count)
        count += bytes.count
    }

    func append(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { append($0) }
    }

    func append(_ text: StaticString) {
        append(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    func append(_ text: String) {
        var text = text
        text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
    }

    private func grow(_ length: Int) {
        let larger = max(capacity * 2, count + length)
        let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
        memcpy(memory, base, count)
        base.deallocate()
        base = memory
        capacity = larger
    }
}
