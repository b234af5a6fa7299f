public import Foundation
import HealthEngine
import HealthModel
public import UniformTypeIdentifiers

/// A file kept with an object of the store. What it is, not its bytes: those are read with an
/// ``HKAttachmentStore``.
// Unchecked: every stored property is a constant of a Sendable type; the compiler checks only final classes.
public class HKAttachment: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    final let record: AttachmentRecord
    /// The object it hangs on.
    final let owner: UUID

    init(_ record: AttachmentRecord, of owner: UUID) {
        self.record = record
        self.owner = owner
    }

    /// The attachment's own identity.
    public var identifier: UUID { record.identifier }

    /// The name it was given.
    public var name: String { record.name }

    /// The kind of its data.
    public var contentType: UTType { UTType(record.contentType) ?? UTType(importedAs: record.contentType) }

    /// How many bytes it has.
    public var size: Int { record.size }

    /// When it was added.
    public var creationDate: Date { Date(timeIntervalSinceReferenceDate: record.creation) }

    /// Extra facts by key; `nil` when there are none.
    public var metadata: [String: Any]? {
        let values = MetadataDictionary(record.metadata).values
        return values.isEmpty ? nil : values
    }

    public func copy(with zone: NSZone? = nil) -> Any { self }

    public class var supportsSecureCoding: Bool { true }

    private struct Archive: Codable {
        var record: AttachmentRecord
        var owner: UUID
    }

    /// `nil` for a damaged archive.
    public required init?(coder: NSCoder) {
        guard let archive = SecureRecord.decode(Archive.self, from: coder), archive.record.size >= 0 else {
            return nil
        }
        record = archive.record
        owner = archive.owner
    }

    public func encode(with coder: NSCoder) {
        SecureRecord.encode(Archive(record: record, owner: owner), with: coder)
    }

    public override func isEqual(_ object: Any?) -> Bool {
        (object as? HKAttachment)?.identifier == identifier
    }

    public override var hash: Int { identifier.hashValue }

    public override var description: String { "<HKAttachment \(identifier), \(contentType), \(size) bytes>" }
}
