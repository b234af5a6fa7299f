package import Foundation
import HealthModel
import HealthStorage

/// Files attached to objects. They are deleted with their object.
package struct AttachmentStore: Sendable {
    let engine: HealthEngine

    /// Attaches a file to a stored object, in one transaction.
    ///
    /// - Parameter pieces: Returns the bytes of each piece of ``AttachmentRecord/pieceSize`` by number.
    /// - Throws: ``EngineError/invalidArgument(_:)`` if the object is not stored or not visible, or the pieces
    ///   do not add up to the record's size; an authorization error if the application may not write the
    ///   object's type.
    package func add(
        _ record: AttachmentRecord, to owner: UUID, as caller: Caller, pieces: (Int) throws -> [UInt8]
    ) throws {
        try engine.commit { transaction, _ in
            let type = try visibleObject(owner, as: caller, in: transaction).type
            try engine.checkShare(type, as: caller, in: transaction)
            var total = 0
            for number in 0..<record.pieceCount {
                let bytes = try pieces(number)
                total += bytes.count
                guard number == record.pieceCount - 1 || bytes.count == AttachmentRecord.pieceSize else { break }
                try AttachmentTable.setPiece(bytes, number, of: record.identifier, in: transaction)
            }
            guard total == record.size else {
                throw EngineError.invalidArgument("The size of the attachment changed while it was being read.")
            }
            let records = try AttachmentTable.records(of: owner, in: transaction)
            try AttachmentTable.setRecords(records + [record], of: owner, in: transaction)
        }
    }

    /// Returns the files attached to an object, in the order they were added.
    ///
    /// - Throws: ``EngineError/invalidArgument(_:)`` if the object is not stored or not visible;
    ///   ``EngineError/authorizationNotDetermined(_:)`` if the application never asked for its type.
    package func records(of owner: UUID, as caller: Caller) throws -> [AttachmentRecord] {
        try engine.storage.read { snapshot in
            _ = try visibleObject(owner, as: caller, in: snapshot)
            return try AttachmentTable.records(of: owner, in: snapshot)
        }
    }

    /// Returns one piece of a file. Throws like ``records(of:as:)``, and if there is no such file.
    package func piece(
        _ number: Int, of attachment: UUID, owner: UUID, as caller: Caller
    ) throws -> [UInt8] {
        try engine.storage.read { snapshot in
            _ = try visibleObject(owner, as: caller, in: snapshot)
            guard let bytes = try AttachmentTable.piece(number, of: attachment, in: snapshot) else {
                throw Self.noAttachment
            }
            return bytes
        }
    }

    /// Removes a file from an object. Throws like ``add(_:to:as:pieces:)``, and if the object has no such file.
    package func remove(_ attachment: UUID, from owner: UUID, as caller: Caller) throws {
        try engine.commit { transaction, _ in
            let type = try visibleObject(owner, as: caller, in: transaction).type
            try engine.checkShare(type, as: caller, in: transaction)
            var records = try AttachmentTable.records(of: owner, in: transaction)
            guard let index = records.firstIndex(where: { $0.identifier == attachment }) else {
                throw Self.noAttachment
            }
            try AttachmentTable.removePieces(of: records.remove(at: index), in: transaction)
            try AttachmentTable.setRecords(records, of: owner, in: transaction)
        }
    }

    private static let noAttachment = EngineError.invalidArgument("The attachment is not stored.")

    /// The location of an object that the caller may read.
    private func visibleObject(
        _ uuid: UUID, as caller: Caller, in snapshot: any StorageSnapshot
    ) throws -> StoredIdentity {
        let notStored = EngineError.invalidArgument("The object of the attachment is not stored.")
        guard let identity = try engine.finder(in: snapshot).locate(uuid) else { throw notStored }
        let scope = try engine.checkRead(identity.type, as: caller, in: snapshot)
        switch scope {
        case .everything: return identity
        case .nothing: throw notStored
        case .ownOnly, .picked:
            let selection = try engine.select(
                SampleRequest(parts: [.init(type: identity.type, filter: .uuid([uuid]))], columns: .sequences),
                scope: [identity.type: scope], caller: caller, in: snapshot)
            guard !selection.order.isEmpty else { throw notStored }
            return identity
        }
    }
}

extension HealthEngine {
    /// Files attached to objects.
    package var attachments: AttachmentStore { AttachmentStore(engine: self) }
}
