import Foundation
import HealthEngine
import HealthModel
import UniformTypeIdentifiers

extension StoreConnection {
    /// Copies a file into the store, in one transaction, and attaches it to an object.
    func attaching(
        _ file: AttachmentFile, to owner: UUID, metadata: Result<Metadata, any Error>
    ) -> StoreWork<HKAttachment> {
        let (caller, creation) = (caller, clock.now())
        return StoreWork(
            .writing,
            engine: { engine in
                let metadata = try metadata.get()
                let (handle, size) = try file.open()
                defer { try? handle.close() }
                let record = AttachmentRecord(
                    identifier: UUID(), name: file.name, contentType: file.contentType.identifier, size: size,
                    creation: creation.timeIntervalSinceReferenceDate, metadata: metadata)
                try engine.attachments.add(record, to: owner, as: caller) { _ in
                    [UInt8](try handle.read(upToCount: AttachmentRecord.pieceSize) ?? Data())
                }
                return HKAttachment(record, of: owner)
            })
    }

    /// Removes a file from an object.
    func removingAttachment(_ attachment: UUID, from owner: UUID) -> StoreWork<Void> {
        let caller = caller
        return StoreWork(.writing, engine: { try $0.attachments.remove(attachment, from: owner, as: caller) })
    }

    /// The files of an object, in the order they were added.
    func attachments(of owner: UUID) -> StoreWork<[HKAttachment]> {
        let caller = caller
        return StoreWork(
            .reading,
            engine: { engine in
                try engine.attachments.records(of: owner, as: caller).map {
                    HKAttachment($0, of: owner)
                }
            })
    }

    /// One piece of a file.
    func piece(_ number: Int, of attachment: HKAttachment) throws -> [UInt8] {
        try engine().attachments.piece(number, of: attachment.identifier, owner: attachment.owner, as: caller)
    }
}

extension HKAttachmentStore {
    /// The maximum size of an attachment, in bytes.
    static let maximumSize = AttachmentRecord.maximumSize
}

extension HKAttachment {
    /// The number of pieces in which a store keeps the file.
    var pieceCount: Int { (size + AttachmentRecord.pieceSize - 1) / AttachmentRecord.pieceSize }
}
