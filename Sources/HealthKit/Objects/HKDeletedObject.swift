public import Foundation
import HealthModel
import HealthStorage

/// What remains of a deleted object: its identity, and the sync keys where it had them.
// Unchecked: every stored property is a constant of a Sendable type; the compiler checks only final classes.
open class HKDeletedObject: NSObject, NSSecureCoding, @unchecked Sendable {
    private struct Record: Codable {
        var uuid: UUID
        var metadata: Metadata
    }

    private let record: Record
    private let dictionary: MetadataDictionary

    init(identity: UUID, metadata: Metadata = .empty) {
        record = Record(uuid: identity, metadata: metadata)
        dictionary = MetadataDictionary(metadata)
    }

    /// What the store keeps of a deletion.
    convenience init(_ tombstone: StoredTombstone) {
        var metadata = Metadata.empty
        if let identifier = tombstone.syncIdentifier {
            metadata.entries.append(
                .init(key: MetadataKey.syncIdentifier, value: .string(identifier)))
        }
        if let version = tombstone.syncVersion {
            metadata.entries.append(
                .init(
                    key: MetadataKey.syncVersion,
                    value: Int64(exactly: version).map { .integer($0) } ?? .double(version)))
        }
        self.init(identity: tombstone.uuid, metadata: metadata)
    }

    /// The identity the object had.
    open var uuid: UUID { record.uuid }

    /// `HKMetadataKeySyncIdentifier` and `HKMetadataKeySyncVersion` where the object had them; else `nil`.
    open var metadata: [String: Any]? { record.metadata.isEmpty ? nil : dictionary.values }

    open class var supportsSecureCoding: Bool { true }

    public required init?(coder: NSCoder) {
        guard let record = SecureRecord.decode(Record.self, from: coder) else { return nil }
        self.record = record
        dictionary = MetadataDictionary(record.metadata)
    }

    open func encode(with coder: NSCoder) {
        SecureRecord.encode(record, with: coder)
    }

    open override func isEqual(_ object: Any?) -> Bool {
        (object as? HKDeletedObject)?.uuid == uuid
    }

    open override var hash: Int { uuid.hashValue }

    open override var description: String { "<HKDeletedObject \(uuid)>" }
}
