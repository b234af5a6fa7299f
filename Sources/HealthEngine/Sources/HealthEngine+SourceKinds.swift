import HealthModel
import HealthStorage
import Synchronization

/// A source's hardware kind.
///
/// Archives do not name the product of a source; only the devices its samples carry tell a watch from
/// a telephone. So every write notes the best kind each source has been seen with, and merging need
/// not look into samples.
extension HealthEngine {
    /// The best rank of each source, by bundle identifier, where it is better than `other`.
    func sourceRanks(
        dictionaries: StoreDictionaries, in snapshot: any StorageSnapshot
    ) throws -> [String: SourceRank] {
        var ranks: [String: SourceRank] = [:]
        for (bundleIdentifier, bytes) in try snapshot.values(namespace: Settings.Namespace.sourceKinds) {
            guard let first = bytes.first, let rank = SourceRank(rawValue: first) else { continue }
            ranks[bundleIdentifier] = rank
        }
        for revision in dictionaries.revisions {
            let rank = SourceRank(revision: revision, device: nil)
            let bundleIdentifier = revision.source.bundleIdentifier
            if rank < ranks[bundleIdentifier] ?? .other {
                ranks[bundleIdentifier] = rank
            }
        }
        return ranks
    }

    /// Notes what kind of source a written pair of revision and device suggests. Returns the kind for
    /// ``rememberWritten(_:)`` once the transaction is through, or `nil` when there was nothing to note.
    func noteKind(
        revision: SourceRevisionRecord, device: DeviceRecord?, in transaction: any StorageTransaction
    ) throws -> SourceKind? {
        let rank = SourceRank(revision: revision, device: device)
        guard rank < .other else { return nil }
        let kind = SourceKind(bundleIdentifier: revision.source.bundleIdentifier, rank: rank)
        guard !writtenKinds.withLock({ $0.contains(kind) }) else { return nil }
        let stored = try transaction.value(
            namespace: Settings.Namespace.sourceKinds, key: kind.bundleIdentifier)
        if let first = stored?.first, first <= rank.rawValue { return kind }
        try transaction.setValue(
            [rank.rawValue], namespace: Settings.Namespace.sourceKinds, key: kind.bundleIdentifier)
        return kind
    }

    /// Spares later writes the look-up of kinds that are durable.
    func rememberWritten(_ kinds: [SourceKind]) {
        guard !kinds.isEmpty else { return }
        writtenKinds.withLock { $0.formUnion(kinds) }
    }
}
