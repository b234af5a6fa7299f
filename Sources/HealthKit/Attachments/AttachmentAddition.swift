import Foundation
import HealthEngine
import HealthModel
import UniformTypeIdentifiers

/// A file on its way into the store.
struct AttachmentAddition: Sendable {
    let owner: UUID
    let file: AttachmentFile
    /// What the application gave as metadata, or why it is refused.
    let metadata: Result<Metadata, any Error>
    let creation: Date
    let caller: Caller

    /// Reads the file and writes it, piece by piece, in one transaction.
    func write(to engine: HealthEngine) throws -> HKAttachment {
        let metadata = try metadata.get()
        let (handle, size) = try file.open()
        defer { try? handle.close() }
        let record = AttachmentRecord(
            identifier: UUID(), name: file.name, contentType: file.contentType.identifier, size: size,
            creation: creation.timeIntervalSinceReferenceDate, metadata: metadata)
        try engine.addAttachment(record, to: owner, as: caller) { _ in
            [UInt8](try handle.read(upToCount: AttachmentRecord.pieceSize) ?? Data())
        }
        return HKAttachment(record, of: owner)
    }
}
