import Foundation

/// The part of a stream that is in memory. Whoever scans moves ``position`` forward past what is done
/// with; ``refill()`` keeps the rest and reads on, so that one element always lies in one piece.
///
/// After the last byte come ``padding`` zero bytes, so that wide loads may look past the end.
struct ScanWindow: ~Copyable {
    /// How many readable bytes follow the window's end.
    static let padding = 64
    /// The largest single element that is taken; a larger one is no health record.
    static let greatestElement = 1 << 25

    /// The window's first byte.
    private(set) var base: UnsafeMutablePointer<UInt8>
    /// How many bytes are in the window.
    private(set) var count = 0
    /// Everything before this offset is done with.
    var position = 0
    /// How many bytes of the stream lie before the window.
    private(set) var bytesBefore = 0
    /// Whether the stream has nothing more to give.
    private(set) var isAtEnd = false
    /// Control characters seen so far.
    private(set) var controlBytes = 0
    /// Checks that all is UTF-8, and counts what is not.
    private(set) var encoding = UTF8Census()
    private let source: any ByteSource
    private var capacity: Int
    private var linesBefore = 0

    init(source: any ByteSource, chunkSize: Int) {
        self.source = source
        capacity = max(chunkSize, 16)
        base = .allocate(capacity: capacity + Self.padding)
        base.initialize(repeating: 0, count: capacity + Self.padding)
    }

    deinit {
        base.deallocate()
    }

    /// Bytes of the stream that have been read so far.
    var bytesRead: Int { bytesBefore + count }

    /// The line, counted from 1, on which the byte at `offset` stands.
    func line(at offset: Int) -> Int {
        linesBefore + ByteCensus.lineFeeds(base, offset) + 1
    }

    /// Lets go of what lies before ``position`` and reads more. Offsets into the window shift by the
    /// old position. False when the stream had nothing more to give.
    mutating func refill() throws -> Bool {
        if isAtEnd { return false }
        let kept = count - position
        guard kept < Self.greatestElement else {
            throw ImportError(
                .unreadable,
                "“\(source.name)” has an element of more than \(Self.greatestElement >> 20) MB at line \(line(at: position)); no export has one.")
        }
        linesBefore += ByteCensus.lineFeeds(base, position)
        bytesBefore += position
        // An element that fills half the window wants a larger one: doubling keeps the work linear.
        if kept > capacity / 2 {
            let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity * 2 + Self.padding)
            larger.update(from: base + position, count: kept)
            base.deallocate()
            base = larger
            capacity *= 2
        } else {
            memmove(base, base + position, kept)
        }
        position = 0
        count = kept
        let read = try source.readFully(
            into: UnsafeMutableRawBufferPointer(start: base + kept, count: capacity - kept))
        if read == 0 { isAtEnd = true }
        controlBytes += ByteCensus.controls(base + kept, read)
        encoding.add(base + kept, read)
        count += read
        (base + count).update(repeating: 0, count: Self.padding)
        return !isAtEnd
    }
}
