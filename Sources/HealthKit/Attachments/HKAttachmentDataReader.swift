public import Foundation

/// Reads an attachment's bytes with `await`, whole or one by one.
public final class HKAttachmentDataReader: Sendable {
    private let reading: AttachmentReading

    init(_ reading: AttachmentReading) {
        self.reading = reading
    }

    /// What is read.
    public var attachment: HKAttachment { reading.attachment }

    /// Counts the bytes read so far; cancelling it ends the reading.
    public var progress: Progress { reading.progress }

    /// All bytes.
    public var data: Data {
        get async throws { try await reading.all() }
    }

    /// The bytes one by one; read from the store in larger pieces.
    public var bytes: HKAttachment.AsyncBytes { HKAttachment.AsyncBytes(reading) }
}
