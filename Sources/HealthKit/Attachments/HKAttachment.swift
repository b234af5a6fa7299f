public import Foundation
import HealthEngine
import HealthModel
public import UniformTypeIdentifiers

/// A file attached to a stored object. Use an ``HKAttachmentStore`` to read its bytes.
// Unchecked: every stored property is a constant of a Sendable type; the compiler checks only final classes.
open class HKAttachment: _ValueObject, @unchecked Sendable {
    private let record: AttachmentRecord
    /// The object it is attached to.
    final let owner: UUID

    init(_ record: AttachmentRecord, of owner: UUID) {
        self.record = record
        self.owner = owner
    }

    /// The attachment's own identity.
    open var identifier: UUID { record.identifier }

    /// The name.
    open var name: String { record.name }

    /// The type of the file.
    open var contentType: UTType { UTType(record.contentType) ?? UTType(importedAs: record.contentType) }

    /// The number of bytes.
    open var size: Int { record.size }

    /// The date it was added.
    open var creationDate: Date { Date(timeIntervalSinceReferenceDate: record.creation) }

    /// The metadata by key; `nil` when there is none.
    open var metadata: [String: Any]? { MetadataDictionary(record.metadata).valuesOrNil }

    private struct Archive: Codable, Hashable {
        var record: AttachmentRecord
        var owner: UUID
    }

    /// Decodes an attachment; `nil` for a damaged archive.
    public required init?(coder: NSCoder) {
        guard let archive = SecureRecord.decode(Archive.self, from: coder), archive.record.size >= 0 else {
            return nil
        }
        record = archive.record
        owner = archive.owner
    }

    override var archivedRecord: any Codable & Hashable { Archive(record: record, owner: owner) }

    open override func isEqual(_ object: Any?) -> Bool {
        (object as? HKAttachment)?.identifier == identifier
    }

    open override var hash: Int { identifier.hashValue }

    open override var description: String { "<HKAttachment \(identifier), \(contentType), \(size) bytes>" }
}
