import Foundation

/// The part of a stream that is in memory. Whoever scans moves ``position`` forward past what is done
/// with; ``refill()`` keeps the rest and reads on, so that one element always lies in one piece.
///
/// After the last byte come ``padding`` zero bytes, so that wide loads may look past the end.
struct ScanWindow: ~Copyable {
    /// How many readable bytes follow the window's end.
    static let padding = 64
    /// The largest single element that is usually taken; a larger one is no health record, and is stepped
    /// over.
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
    private let chunkSize: Int
    private let greatestElement: Int
    private var capacity: Int
    private var linesBefore = 0
    /// Line feeds in the window.
    private var lineFeeds = 0

    init(source: any ByteSource, chunkSize: Int, greatestElement: Int = Self.greatestElement) {
        self.source = source
        self.greatestElement = greatestElement
        self.chunkSize = max(chunkSize, 16)
        capacity = self.chunkSize
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
    /// - Throws: ``OversizedElement`` when what begins at ``position`` fills the largest window there may
    ///   be; whoever moves the position on may go on reading.
    mutating func refill() throws -> Bool {
        if isAtEnd { return false }
        let kept = count - position
        guard kept < greatestElement else { throw OversizedElement() }
        let feedsKept = ByteCensus.lineFeeds(base + position, kept)
        linesBefore += lineFeeds - feedsKept
        bytesBefore += position
        resize(toHold: kept)
        position = 0
        count = kept
        let read = try source.readFully(
            into: UnsafeMutableRawBufferPointer(start: base + kept, count: capacity - kept))
        if read == 0 { isAtEnd = true }
        let census = ByteCensus.census(base + kept, read)
        lineFeeds = feedsKept + census.lineFeeds
        controlBytes += census.controls
        encoding.add(base + kept, read)
        count += read
        (base + count).update(repeating: 0, count: Self.padding)
        return !isAtEnd
    }

    /// Moves what is kept to the front of a window that fits it.
    private mutating func resize(toHold kept: Int) {
        // An element that fills half the window wants a larger one: doubling keeps the work linear.
        // After it the window is small again, and near the processor.
        let wanted =
            kept > capacity / 2
            ? min(capacity * 2, greatestElement + chunkSize) : kept < chunkSize / 2 ? chunkSize : capacity
        guard wanted != capacity else {
            memmove(base, base + position, kept)
            return
        }
        let other = UnsafeMutablePointer<UInt8>.allocate(capacity: wanted + Self.padding)
        other.update(from: base + position, count: kept)
        base.deallocate()
        base = other
        capacity = wanted
    }
}
