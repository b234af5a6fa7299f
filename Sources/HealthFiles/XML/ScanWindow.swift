import Foundation

/// The part of a stream that is in memory. A scanner moves ``position`` past the bytes it has processed; ``refill()``
/// keeps the rest and reads more, so that an element is always contiguous.
///
/// The last byte is followed by ``padding`` zero bytes, so that wide loads may read past the end.
package struct ScanWindow: ~Copyable {
    /// The number of readable bytes after the window's end.
    package static let padding = 64
    /// The default maximum size of an element. Larger elements cannot be health records and are skipped.
    package static let maximumElementSize = 1 << 25

    /// The window's first byte.
    package private(set) var base: UnsafeMutablePointer<UInt8>
    /// The number of bytes in the window.
    package private(set) var count = 0
    /// The offset up to which the bytes have been processed.
    package var position = 0
    /// The number of bytes of the stream before the window.
    package private(set) var bytesBefore = 0
    /// Whether the end of the stream has been reached.
    package private(set) var isAtEnd = false
    /// The number of invalid control characters so far.
    package private(set) var controlBytes = 0
    /// Counts the bytes that are not UTF-8.
    package private(set) var encoding = UTF8Validator()
    private let source: any ByteSource
    private let chunkSize: Int
    private let maximumElementSize: Int
    private var capacity: Int
    private var linesBefore = 0
    /// The number of line feeds in the window.
    private var lineFeeds = 0
    /// The last offset whose line was asked for, and the number of line feeds before it.
    private var known = (offset: 0, lineFeeds: 0)

    package init(source: any ByteSource, chunkSize: Int, maximumElementSize: Int = Self.maximumElementSize) {
        self.source = source
        self.maximumElementSize = maximumElementSize
        self.chunkSize = max(chunkSize, 16)
        capacity = self.chunkSize
        base = .allocate(capacity: capacity + Self.padding)
        base.initialize(repeating: 0, count: capacity + Self.padding)
    }

    deinit {
        base.deallocate()
    }

    /// The number of bytes of the stream read so far.
    package var bytesRead: Int { bytesBefore + count }

    /// The line of the byte at `offset`, counted from 1.
    ///
    /// Counts from the last offset asked for: an archive can have something to report about every element.
    package mutating func line(at offset: Int) -> Int {
        let before =
            offset >= known.offset
            ? known.lineFeeds + ByteCounter.lineFeeds(base + known.offset, offset - known.offset)
            : known.lineFeeds - ByteCounter.lineFeeds(base + offset, known.offset - offset)
        known = (offset, before)
        return linesBefore + before + 1
    }

    /// Discards the bytes before ``position`` and reads more. Offsets shift by the old position. Returns false at the
    /// end of the stream.
    /// - Throws: ``OversizedElement`` if the markup at ``position`` fills the largest possible window. Reading can
    ///   continue after the position has moved.
    package mutating func refill() throws -> Bool {
        if isAtEnd { return false }
        let retained = count - position
        guard retained < maximumElementSize else { throw OversizedElement() }
        let retainedFeeds = ByteCounter.lineFeeds(base + position, retained)
        linesBefore += lineFeeds - retainedFeeds
        bytesBefore += position
        known = (0, 0)
        resize(toHold: retained)
        position = 0
        count = retained
        let read = try source.readFully(
            into: UnsafeMutableRawBufferPointer(start: base + retained, count: capacity - retained))
        if read == 0 { isAtEnd = true }
        let counts = ByteCounter.counts(base + retained, read)
        lineFeeds = retainedFeeds + counts.lineFeeds
        controlBytes += counts.controls
        encoding.add(base + retained, read)
        count += read
        (base + count).update(repeating: 0, count: Self.padding)
        return !isAtEnd
    }

    /// Moves the bytes that are retained to the start of a window of suitable size.
    private mutating func resize(toHold retained: Int) {
        // An element that fills half the window needs a larger one; doubling keeps the work linear. Afterwards the
        // window shrinks again, so that it fits the processor's cache.
        let wanted =
            retained > capacity / 2
            ? min(capacity * 2, maximumElementSize + chunkSize) : retained < chunkSize / 2 ? chunkSize : capacity
        guard wanted != capacity else {
            memmove(base, base + position, retained)
            return
        }
        let other = UnsafeMutablePointer<UInt8>.allocate(capacity: wanted + Self.padding)
        other.update(from: base + position, count: retained)
        base.deallocate()
        base = other
        capacity = wanted
    }
}
