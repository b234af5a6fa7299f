import Foundation
import HealthModel
import HealthStorage

extension BulkRun {
    /// Keeps the batch's files with their objects, which are in the store by now. A file that its object has
    /// already, by what is said of it and by its size, is not kept again.
    func keepAttachments(of objects: [BulkObject]) throws {
        for attachment in batch.attachments {
            guard batch.objects.indices.contains(attachment.owner) else {
                throw EngineError.invalidArgument("A batch holds a file of an object that it does not hold.")
            }
            guard attachment.bytes.count <= AttachmentRecord.greatestSize else {
                throw EngineError.invalidArgument("A batch holds a file that is too large for an attachment.")
            }
            guard let sequence = objects[attachment.owner].sequence else { continue }
            let owner = try transaction.object(sequence: sequence)?.uuid ?? identities.uuid(for: sequence)
            let kept = try AttachmentTable.records(of: owner, in: transaction)
            var record = attachment.record
            record.size = attachment.bytes.count
            guard !kept.contains(where: { $0.metadata == record.metadata && $0.size == record.size }) else { continue }
            if try AttachmentTable.piece(0, of: record.identifier, in: transaction) != nil {
                record.identifier = Self.mixed(record.identifier, owner)
            }
            try AttachmentTable.setPieces(attachment.bytes, of: record, in: transaction)
            try AttachmentTable.setRecords(kept + [record], of: owner, in: transaction)
        }
    }

    /// An identity made of two: the same in every import.
    private static func mixed(_ one: UUID, _ other: UUID) -> UUID {
        var bytes = one.uuid
        withUnsafeMutableBytes(of: &bytes) { bytes in
            withUnsafeBytes(of: other.uuid) { other in
                for index in bytes.indices { bytes[index] ^= other[index] }
            }
        }
        return UUID(uuid: bytes)
    }
}
