import Foundation
import HealthEngine

/// One reading of an attachment's bytes, with its progress.
// Unchecked: Foundation's Progress is safe on all threads but not marked so; all else is constant.
final class AttachmentReading: @unchecked Sendable {
    let attachment: HKAttachment
    let progress: Progress
    private let connection: StoreConnection

    init(_ attachment: HKAttachment, _ connection: StoreConnection) {
        self.attachment = attachment
        self.connection = connection
        progress = Progress(totalUnitCount: Int64(attachment.size))
    }

    /// How many pieces there are.
    var pieceCount: Int { attachment.record.pieceCount }

    /// One piece, counted as progress.
    func piece(_ number: Int, from engine: HealthEngine) throws -> [UInt8] {
        if progress.isCancelled {
            throw HKError.make(.errorUserCanceled, "Reading the attachment was cancelled.")
        }
        let bytes = try engine.attachmentPiece(
            number, of: attachment.identifier, owner: attachment.owner, as: connection.caller)
        progress.completedUnitCount += Int64(bytes.count)
        return bytes
    }

    /// One piece, read on a background thread.
    func piece(_ number: Int) async throws -> [UInt8] {
        try await connection.perform { try self.piece(number, from: $0) }
    }

    /// All bytes.
    func all(from engine: HealthEngine) throws -> Data {
        var data = Data(capacity: attachment.size)
        for number in 0..<pieceCount { data.append(contentsOf: try piece(number, from: engine)) }
        return data
    }

    /// All bytes, read on a background thread.
    func all() async throws -> Data {
        try await connection.perform { try self.all(from: $0) }
    }

    /// Each piece, with whether it is the last.
    func stream(from engine: HealthEngine, _ handle: (Data, Bool) -> Void) throws {
        if pieceCount == 0 { handle(Data(), true) }
        for number in 0..<pieceCount {
            handle(Data(try piece(number, from: engine)), number == pieceCount - 1)
        }
    }
}
