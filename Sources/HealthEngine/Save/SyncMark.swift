import HealthModel
import HealthStorage

/// An object's sync identifier and version.
struct SyncMark: Hashable {
    var identifier: String
    var version: Double

    /// `nil` for metadata without both, each of its kind.
    init?(_ metadata: Metadata) {
        guard !metadata.isEmpty,
            case .string(let identifier) = metadata[MetadataKey.syncIdentifier],
            let version = metadata[MetadataKey.syncVersion]?.number
        else { return nil }
        self.identifier = identifier
        self.version = version
    }

    /// What the identifier is unique within: the source and the type.
    func key(source: String, type: TypeCode) -> StoredSync.Key {
        StoredSync.Key(source: source, type: type, identifier: identifier)
    }
}
