public import Foundation
public import UniformTypeIdentifiers

/// A file attached to a stored object. Use an ``HKAttachmentStore`` to read its bytes.
// Unchecked: every stored property is a constant of a Sendable type; the compiler checks only final classes.
open class HKAttachment: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    struct Fields: Sendable, Codable {
        var identifier: UUID
        var name: String
        /// The identifier of a uniform type.
        var contentType: String
        /// The number of bytes.
        var size: Int
        /// Seconds since 2001-01-01 00:00:00 UTC.
        var creation: Double
        var metadata: MetadataDictionary
    }

    private let fields: Fields
    /// The object it is attached to.
    final let owner: UUID

    init(_ fields: Fields, of owner: UUID) {
        self.fields = fields
        self.owner = owner
    }

    /// The attachment's own identity.
    open var identifier: UUID { fields.identifier }

    /// The name.
    open var name: String { fields.name }

    /// The type of the file.
    open var contentType: UTType { UTType(fields.contentType) ?? UTType(importedAs: fields.contentType) }

    /// The number of bytes.
    open var size: Int { fields.size }

    /// The date it was added.
    open var creationDate: Date { Date(timeIntervalSinceReferenceDate: fields.creation) }

    /// The metadata by key; `nil` when there is none.
    open var metadata: [String: Any]? { fields.metadata.valuesOrNil }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    open class var supportsSecureCoding: Bool { true }

    private struct Archive: Codable {
        var record: Fields
        var owner: UUID
    }

    /// Decodes an attachment; `nil` for a damaged archive.
    public required init?(coder: NSCoder) {
        guard let archive = SecureRecord.decode(Archive.self, from: coder), archive.record.size >= 0 else {
            return nil
        }
        fields = archive.record
        owner = archive.owner
    }

    open func encode(with coder: NSCoder) {
        SecureRecord.encode(Archive(record: fields, owner: owner), with: coder)
    }

    open override func isEqual(_ object: Any?) -> Bool {
        (object as? HKAttachment)?.identifier == identifier
    }

    open override var hash: Int { identifier.hashValue }

    open override var description: String { "<HKAttachment \(identifier), \(contentType), \(size) bytes>" }
}
