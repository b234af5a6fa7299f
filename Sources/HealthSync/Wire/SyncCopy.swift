import Foundation
import HealthKit

/// How samples that were received are marked, by which they are recognized.
enum SyncCopy {
    /// The key of the metadata value that says where a sample came from.
    static let originKey = "org.openhealthkit.origin"
    /// The origin of what a seed contains.
    static let seed = "seed"

    private static let prefix = "org.openhealthkit.copy."

    /// The sync identifier of the copy of a sample.
    static func identifier(of uuid: UUID) -> String { prefix + uuid.uuidString }

    /// The UUID of the sample of which an object is the copy; `nil` for an object that was not received.
    static func original(of metadata: [String: Any]?) -> UUID? {
        (metadata?[HKMetadataKeySyncIdentifier] as? String).flatMap { text in
            text.hasPrefix(prefix) ? UUID(uuidString: String(text.dropFirst(prefix.count))) : nil
        }
    }

    /// Whether an object was received, also a deleted one, which keeps nothing but its sync identifier.
    static func isCopy(_ metadata: [String: Any]?) -> Bool {
        original(of: metadata) != nil
    }

    /// The copies of samples. Only those of this app's source can be deleted by it.
    static func predicate(for uuids: some Sequence<UUID>) -> NSPredicate {
        HKQuery.predicateForObjects(
            withMetadataKey: HKMetadataKeySyncIdentifier, allowedValues: uuids.map { identifier(of: $0) })
    }

    /// The copies of one origin.
    static func predicate(forOrigin origin: String) -> NSPredicate {
        HKQuery.predicateForObjects(withMetadataKey: originKey, allowedValues: [origin])
    }

    /// The copies of one origin with at most this version.
    static func predicate(forOrigin origin: String, through version: Int) -> NSPredicate {
        NSCompoundPredicate(andPredicateWithSubpredicates: [
            predicate(forOrigin: origin),
            HKQuery.predicateForObjects(
                withMetadataKey: HKMetadataKeySyncVersion, operatorType: .lessThanOrEqualTo, value: version),
        ])
    }
}
