public import Foundation
import HealthModel
import HealthStorage

/// Files kept with objects. They go when their object is deleted.
extension HealthEngine {
    /// Keeps a file with a stored object, in one transaction.
    ///
    /// - Parameter pieces: the bytes in pieces of ``AttachmentRecord/pieceSize``, by number.
    /// - Throws: ``EngineError/invalidArgument(_:)`` for an object that is not stored or not visible, and for
    ///   pieces that do not make up the record's size; an authorization error where the application may not
    ///   write the object's type.
    public func addAttachment(
        _ record: AttachmentRecord, to owner: UUID, as caller: Caller, pieces: (Int) throws -> [UInt8]
    ) throws {
        try commit { transaction, _ in
            let type = try visibleObject(owner, as: caller, in: transaction).type
            try checkShare(type, as: caller, in: transaction)
            var total = 0
            for number in 0..<record.pieceCount {
                let bytes = try pieces(number)
                total += bytes.count
                guard number == record.pieceCount - 1 || bytes.count == AttachmentRecord.pieceSize else { break }
                try AttachmentTable.setPiece(bytes, number, of: record.identifier, in: transaction)
            }
            guard total == record.size else {
                throw EngineError.invalidArgument("The attachment changed its size while it was read.")
            }
            let records = try AttachmentTable.records(of: owner, in: transaction)
            try AttachmentTable.setRecords(records + [record], of: owner, in: transaction)
        }
    }

    /// The files kept with an object, in the order they were added.
    ///
    /// - Throws: ``EngineError/invalidArgument(_:)`` for an object that is not stored or not visible;
    ///   ``EngineError/authorizationNotDetermined(_:)`` where the application never asked for its type.
    public func attachments(of owner: UUID, as caller: Caller) throws -> [AttachmentRecord] {
        try storage.read { snapshot in
            _ = try visibleObject(owner, as: caller, in: snapshot)
            return try AttachmentTable.records(of: owner, in: snapshot)
        }
    }

    /// One piece of a file's bytes; throws as ``attachments(of:as:)``, and when there is no such file.
    public func attachmentPiece(
        _ number: Int, of attachment: UUID, owner: UUID, as caller: Caller
    ) throws -> [UInt8] {
        try storage.read { snapshot in
            _ = try visibleObject(owner, as: caller, in: snapshot)
            guard let bytes = try AttachmentTable.piece(number, of: attachment, in: snapshot) else {
                throw Self.noAttachment
            }
            return bytes
        }
    }

    /// Takes a file from an object. Throws as ``addAttachment(_:to:as:pieces:)``, and when the object has no
    /// such file.
    public func removeAttachment(_ attachment: UUID, from owner: UUID, as caller: Caller) throws {
        try commit { transaction, _ in
            let type = try visibleObject(owner, as: caller, in: transaction).type
            try checkShare(type, as: caller, in: transaction)
            var records = try AttachmentTable.records(of: owner, in: transaction)
            guard let index = records.firstIndex(where: { $0.identifier == attachment }) else {
                throw Self.noAttachment
            }
            try AttachmentTable.removePieces(of: records.remove(at: index), in: transaction)
            try AttachmentTable.setRecords(records, of: owner, in: transaction)
        }
    }

    private static let noAttachment = EngineError.invalidArgument("The attachment is not stored.")

    /// Where an object is that the caller may see.
    private func visibleObject(
        _ uuid: UUID, as caller: Caller, in snapshot: any StorageSnapshot
    ) throws -> StoredIdentity {
        let notStored = EngineError.invalidArgument("The object of the attachment is not stored.")
        guard let identity = try finder(in: snapshot).locate(uuid) else { throw notStored }
        let scope = try checkRead(identity.type, as: caller, in: snapshot)
        switch scope {
        case .everything: return identity
        case .nothing: throw notStored
        case .ownOnly, .picked:
            let selection = try select(
                SampleRequest(parts: [.init(type: identity.type, filter: .uuid([uuid]))], columns: .sequences),
                scope: [identity.type: scope], caller: caller, in: snapshot)
            guard !selection.order.isEmpty else { throw notStored }
            return identity
        }
    }
}
