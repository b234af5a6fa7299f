import Foundation
import HealthModel
import HealthStorage

/// Where attachments lie: the list of each object's attachments under the object's identity, and the pieces
/// of each attachment under its own.
enum AttachmentTable {
    private static let lists = "attachments"
    /// There while any object has attachments, so that deleting samples costs one look where none has.
    private static let mark = "any"

    static func records(of owner: UUID, in snapshot: any StorageSnapshot) throws -> [AttachmentRecord] {
        try Settings.read([AttachmentRecord].self, namespace: lists, key: owner.uuidString, in: snapshot) ?? []
    }

    static func setRecords(
        _ records: [AttachmentRecord], of owner: UUID, in transaction: any StorageTransaction
    ) throws {
        try Settings.write(records.isEmpty ? nil : records, namespace: lists, key: owner.uuidString, in: transaction)
        if !records.isEmpty { try transaction.setValue([], namespace: lists, key: mark) }
    }

    static func piece(_ number: Int, of attachment: UUID, in snapshot: any StorageSnapshot) throws -> [UInt8]? {
        try snapshot.value(namespace: pieces(attachment), key: String(number))
    }

    static func setPiece(
        _ bytes: [UInt8]?, _ number: Int, of attachment: UUID, in transaction: any StorageTransaction
    ) throws {
        try transaction.setValue(bytes, namespace: pieces(attachment), key: String(number))
    }

    /// Puts an attachment's bytes into their pieces.
    static func setPieces(
        _ bytes: [UInt8], of record: AttachmentRecord, in transaction: any StorageTransaction
    ) throws {
        for number in 0..<record.pieceCount {
            let start = number * AttachmentRecord.pieceSize
            let end = min(start + AttachmentRecord.pieceSize, bytes.count)
            try setPiece(Array(bytes[start..<end]), number, of: record.identifier, in: transaction)
        }
    }

    /// The identities of all that has attachments, in no particular order.
    static func owners(in snapshot: any StorageSnapshot) throws -> [UUID] {
        try snapshot.values(namespace: lists).keys.compactMap { UUID(uuidString: $0) }
    }

    static func removePieces(of record: AttachmentRecord, in transaction: any StorageTransaction) throws {
        for number in 0..<record.pieceCount {
            try setPiece(nil, number, of: record.identifier, in: transaction)
        }
    }

    /// Takes away what hung on objects that are erased.
    static func removeAll(of owners: [UUID], in transaction: any StorageTransaction) throws {
        guard try transaction.value(namespace: lists, key: mark) != nil else { return }
        for owner in owners {
            let records = try records(of: owner, in: transaction)
            guard !records.isEmpty else { continue }
            for record in records { try removePieces(of: record, in: transaction) }
            try setRecords([], of: owner, in: transaction)
        }
    }

    private static func pieces(_ attachment: UUID) -> String { "attachment/" + attachment.uuidString }
}
