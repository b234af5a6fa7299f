package import Foundation
package import HealthModel
package import HealthStorage

/// A file attached to an object. Its bytes are stored separately, in pieces.
package struct AttachmentRecord: Hashable, Sendable, Codable {
    /// Identifies the attachment among those of all objects.
    package var identifier: UUID
    /// The file name the application gave.
    package var name: String
    /// The kind of data, as a uniform type identifier such as `com.adobe.pdf`.
    package var contentType: String
    /// Bytes.
    package var size: Int
    /// When it was added, in seconds since 2001-01-01 00:00:00 UTC.
    package var creation: Double
    /// Metadata the application gave.
    package var metadata: Metadata

    /// Creates the description of a file.
    package init(
        identifier: UUID, name: String, contentType: String, size: Int, creation: Double, metadata: Metadata
    ) {
        self.identifier = identifier
        self.name = name
        self.contentType = contentType
        self.size = size
        self.creation = creation
        self.metadata = metadata
    }

    /// Bytes in a piece; the last one may be shorter.
    package static let pieceSize = 128 * 1024

    /// The maximum size of an attachment, 10 MiB. The original's limit is not published.
    package static let maximumSize = 10 * 1024 * 1024

    /// The number of pieces the bytes are stored in.
    package var pieceCount: Int { (size + Self.pieceSize - 1) / Self.pieceSize }
}

/// The stored attachments: the list of each object's attachments is keyed by the object's identity, the pieces
/// of each attachment by its own.
package enum AttachmentTable {
    private static let lists = "attachments"
    /// Present while any object has attachments, so that deleting samples costs one lookup where none has.
    private static let mark = "any"

    package static func records(of owner: UUID, in snapshot: any StorageSnapshot) throws -> [AttachmentRecord] {
        try Settings.read([AttachmentRecord].self, namespace: lists, key: owner.uuidString, in: snapshot) ?? []
    }

    static func setRecords(
        _ records: [AttachmentRecord], of owner: UUID, in transaction: any StorageTransaction
    ) throws {
        try Settings.write(records.isEmpty ? nil : records, namespace: lists, key: owner.uuidString, in: transaction)
        if !records.isEmpty { try transaction.setValue([], namespace: lists, key: mark) }
    }

    package static func piece(_ number: Int, of attachment: UUID, in snapshot: any StorageSnapshot) throws -> [UInt8]? {
        try snapshot.value(namespace: pieces(attachment), key: String(number))
    }

    static func setPiece(
        _ bytes: [UInt8]?, _ number: Int, of attachment: UUID, in transaction: any StorageTransaction
    ) throws {
        try transaction.setValue(bytes, namespace: pieces(attachment), key: String(number))
    }

    /// Adds an attachment, whose bytes are written in pieces.
    package static func add(
        _ record: AttachmentRecord, bytes: [UInt8], to owner: UUID, in transaction: any StorageTransaction
    ) throws {
        for number in 0..<record.pieceCount {
            let start = number * AttachmentRecord.pieceSize
            let end = min(start + AttachmentRecord.pieceSize, bytes.count)
            try setPiece(Array(bytes[start..<end]), number, of: record.identifier, in: transaction)
        }
        try setRecords(records(of: owner, in: transaction) + [record], of: owner, in: transaction)
    }

    /// The identities of all objects that have attachments, in no particular order.
    package static func owners(in snapshot: any StorageSnapshot) throws -> [UUID] {
        try snapshot.values(namespace: lists).keys.compactMap { UUID(uuidString: $0) }
    }

    static func removePieces(of record: AttachmentRecord, in transaction: any StorageTransaction) throws {
        for number in 0..<record.pieceCount {
            try setPiece(nil, number, of: record.identifier, in: transaction)
        }
    }

    /// Removes the attachments of erased objects.
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
