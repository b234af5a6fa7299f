/// Hands out bytes one by one from pieces that are read when needed.
public struct BufferedAsyncByteIterator: AsyncIteratorProtocol {
    public typealias Element = UInt8

    private let reading: AttachmentReading
    private var buffer: [UInt8] = []
    private var position = 0
    private var nextPiece = 0

    init(_ reading: AttachmentReading) {
        self.reading = reading
    }

    /// The next byte; `nil` at the end.
    ///
    /// - Throws: ``HKError``, for instance when the attachment was removed meanwhile.
    public mutating func next() async throws -> UInt8? {
        while position == buffer.count {
            guard nextPiece < reading.pieceCount else { return nil }
            buffer = try await reading.piece(nextPiece)
            position = 0
            nextPiece += 1
        }
        defer { position += 1 }
        return buffer[position]
    }
}
