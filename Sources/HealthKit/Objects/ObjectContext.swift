import Foundation
import HealthModel
import Synchronization

/// What runs of objects have in common: type, source revision, device, metadata.
///
/// Samples read from the store come in long runs that agree in all four, so they share one context
/// and each sample costs one allocation and one reference.
final class ObjectContext: Sendable {
    let type: HKSampleType
    /// `nil` for objects that no store has handed out.
    let revision: HKSourceRevision?
    let device: HKDevice?
    let metadata: Metadata

    // Built when first asked for: most readers of samples never look at the metadata.
    private let dictionary = Mutex<MetadataDictionary?>(nil)

    init(
        type: HKSampleType, revision: HKSourceRevision? = nil, device: HKDevice? = nil,
        metadata: Metadata = .empty
    ) {
        self.type = type
        self.revision = revision
        self.device = device
        self.metadata = metadata
    }

    /// The metadata as applications see it; `nil` when there is none.
    var metadataValues: [String: Any]? {
        if metadata.isEmpty { return nil }
        let made = dictionary.withLock { kept in
            if let kept { return kept }
            let new = MetadataDictionary(metadata)
            kept = new
            return new
        }
        return made.values.isEmpty ? nil : made.values
    }
}
