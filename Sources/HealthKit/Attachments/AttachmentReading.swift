public import Foundation

/// One reading of an attachment's bytes, with its progress.
// Unchecked: Foundation's Progress is thread-safe but not marked so; everything else is constant.
final class AttachmentReading: @unchecked Sendable {
    let attachment: HKAttachment
    let progress: Progress
    private let connection: StoreConnection

    init(_ attachment: HKAttachment, _ connection: StoreConnection) {
        self.attachment = attachment
        self.connection = connection
        progress = Progress(totalUnitCount: Int64(attachment.size))
    }

    var pieceCount: Int { attachment.pieceCount }

    /// Reads one piece and counts it as progress.
    private func read(_ number: Int) throws -> [UInt8] {
        if progress.isCancelled {
            throw HKError.make(.errorUserCanceled, "Reading the attachment was cancelled.")
        }
        let bytes = try connection.piece(number, of: attachment)
        progress.completedUnitCount += Int64(bytes.count)
        return bytes
    }

    /// Reads one piece on a background thread.
    func piece(_ number: Int) async throws -> [UInt8] {
        try await connection.perform(StoreWork(.reading) { try self.read(number) })
    }

    /// All bytes.
    var all: StoreWork<Data> {
        StoreWork(.reading) {
            var data = Data(capacity: self.attachment.size)
            for number in 0..<self.pieceCount { data.append(contentsOf: try self.read(number)) }
            return data
        }
    }

    /// Reads all bytes on a background thread.
    func data() async throws -> Data {
        try await connection.perform(all)
    }

    /// Passes each piece to a handler, and whether it is the last.
    func stream(to handle: @escaping @Sendable (Data, Bool) -> Void) -> StoreWork<Void> {
        StoreWork(.reading) {
            if self.pieceCount == 0 { handle(Data(), true) }
            for number in 0..<self.pieceCount {
                handle(Data(try self.read(number)), number == self.pieceCount - 1)
            }
        }
    }
}

/// Reads an attachment's bytes asynchronously, as a whole or one by one.
// Unchecked: every stored property is a constant of a Sendable type; the compiler checks only final classes.
open class HKAttachmentDataReader: @unchecked Sendable {
    private let reading: AttachmentReading

    init(_ reading: AttachmentReading) {
        self.reading = reading
    }

    /// The attachment.
    open var attachment: HKAttachment { reading.attachment }

    /// The progress in bytes; cancelling it stops the reading.
    open var progress: Progress { reading.progress }

    /// All bytes.
    open var data: Data {
        get async throws { try await reading.data() }
    }

    /// The bytes one by one, read from the store in larger pieces.
    open var bytes: HKAttachment.AsyncBytes { HKAttachment.AsyncBytes(reading) }
}

extension HKAttachment {
    /// An attachment's bytes, one by one.
    public struct AsyncBytes: AsyncSequence, Sendable {
        public typealias Element = UInt8
        public typealias AsyncIterator = BufferedAsyncByteIterator

        private let reading: AttachmentReading

        init(_ reading: AttachmentReading) {
            self.reading = reading
        }

        public func makeAsyncIterator() -> BufferedAsyncByteIterator {
            BufferedAsyncByteIterator(reading)
        }
    }
}

/// Iterates over bytes that are read in larger pieces on demand.
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
    /// - Throws: ``HKError``, for instance if the attachment was removed in the meantime.
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
