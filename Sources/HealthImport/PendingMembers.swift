import Foundation
import HealthEngine
import HealthModel
import HealthStorage

/// Members of objects that have not arrived yet, by the member's UUID, beside the settings.
///
/// A device sends members before their owners, but a sample that is saved while it reads can arrive after the object
/// that owns it.
struct PendingMembers {
    private static let namespace = "deliveries.members"

    private let transaction: any StorageTransaction
    /// The owners by member.
    private var owners: [UUID: Set<UUID>] = [:]
    private var changed: Set<UUID> = []

    init(transaction: any StorageTransaction) {
        self.transaction = transaction
    }

    /// Reads what waits. There is rarely anything.
    mutating func load() throws {
        for (key, bytes) in try transaction.values(namespace: Self.namespace) {
            guard let member = UUID(uuidString: key) else { continue }
            owners[member] = Set(try Settings.decode([UUID].self, from: bytes, namespace: Self.namespace))
        }
    }

    /// Records that an object owns a sample that is not stored.
    mutating func add(member: UUID, of owner: UUID) {
        if owners[member, default: []].insert(owner).inserted { changed.insert(member) }
    }

    /// Returns the links of a sample that has arrived to the owners that are still stored.
    mutating func resolve(_ member: UUID, at place: StoredIdentity, _ finder: PageFinder) throws -> [StoredLink] {
        guard !owners.isEmpty, let waiting = owners.removeValue(forKey: member) else { return [] }
        changed.insert(member)
        return try waiting.compactMap { uuid in
            try finder.locate(uuid).map { StoredLink(from: $0, to: place) }
        }
    }

    /// Writes what has changed.
    func store() throws {
        for member in changed {
            let left = owners[member]?.sorted { $0.uuidString < $1.uuidString }
            try Settings.write(left, namespace: Self.namespace, key: member.uuidString, in: transaction)
        }
    }
}

extension QuantitySeries {
    /// The metadata of a sample with these quantities: the sample's own, and the figures that applications read without
    /// the quantities.
    func describing(_ sample: SampleRecord) -> Metadata {
        guard count > 1 else { return sample.metadata }
        var entries = sample.metadata.entries
        func add(_ key: String, _ value: MetadataValue) { entries.append(Metadata.Entry(key: key, value: value)) }
        add(MetadataKey.seriesCount, .integer(Int64(count)))
        let style = TypeCatalog.description(for: sample.type)?.aggregationStyle
        // The latest is the one that ends last; of several the one that starts last.
        let latest = ends.indices.max { (ends[$0], starts[$0]) < (ends[$1], starts[$1]) }
        if style != .cumulative, let latest, let least = values.min(), let most = values.max() {
            add(MetadataKey.seriesMinimum, .double(least))
            add(MetadataKey.seriesMaximum, .double(most))
            add(MetadataKey.seriesLatest, .double(values[latest]))
            add(MetadataKey.seriesLatestStart, .double(starts[latest]))
            add(MetadataKey.seriesLatestEnd, .double(ends[latest]))
        }
        return Metadata(entries)
    }
}
