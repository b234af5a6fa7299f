package import HealthModel
package import HealthStorage
import Synchronization

/// The order of all source revisions for merging overlapping data of one type.
struct MergeOrder: Sendable {
    /// Places by revision number, all above 0; smaller is better. Revisions of one
    /// source have the same place. Entry 0 (no revision) and unknown revisions come last.
    let places: [Int32]
    /// Whether the person has disabled the source for this type, by revision number.
    let disabled: [Bool]
    /// Whether any source is disabled.
    let hasDisabled: Bool
    /// The place of unknown revisions.
    let lastPlace: Int32

    /// The place of a revision's samples that were not entered by hand.
    func place(ofRevision revision: UInt32) -> Int32 {
        Int(revision) < places.count ? places[Int(revision)] : lastPlace
    }

    /// Whether samples of the revision count in merged statistics.
    func isEnabled(revision: UInt32) -> Bool {
        !(Int(revision) < disabled.count && disabled[Int(revision)])
    }
}

extension HealthEngine {
    /// Returns the merge order of one type over all revisions of `dictionaries`.
    ///
    /// By default, places follow `SourceRank` (Apple Watch, iPhone, others); within a rank, the source that
    /// was added to the store last is best. The person's order takes precedence. Samples entered by hand
    /// precede every source; the caller assigns them the place 0.
    func mergeOrder(
        of type: TypeCode, dictionaries: StoreDictionaries, in snapshot: any StorageSnapshot
    ) throws -> MergeOrder {
        let preference = try sourcePreference(of: type, in: snapshot)
        let ordered = try orderedSources(preference: preference, dictionaries: dictionaries, in: snapshot)
        let placeOfSource = Dictionary(uniqueKeysWithValues: zip(ordered, Int32(1)...))
        let last = Int32(ordered.count) + 1
        let names = dictionaries.revisions.map(\.source.bundleIdentifier)
        let disabled = [false] + names.map(preference.disabled.contains)
        return MergeOrder(
            places: [last] + names.map { placeOfSource[$0] ?? last }, disabled: disabled,
            hasDisabled: disabled.contains(true), lastPlace: last)
    }

    /// Bundle identifiers of all sources, best first.
    func orderedSources(
        preference: SourcePreference, dictionaries: StoreDictionaries,
        in snapshot: any StorageSnapshot
    ) throws -> [String] {
        let ranks = try sourceRanks(dictionaries: dictionaries, in: snapshot)
        let preferred = Dictionary(preference.order.enumerated().map { ($1, $0) }) { first, _ in first }
        // Revisions are numbered in the order of their first appearance.
        var appeared: [String: Int] = [:]
        for revision in dictionaries.revisions {
            let bundleIdentifier = revision.source.bundleIdentifier
            appeared[bundleIdentifier] = appeared[bundleIdentifier] ?? appeared.count
        }
        return appeared.sorted { left, right in
            let leftKey = (preferred[left.key] ?? .max, ranks[left.key] ?? .other)
            let rightKey = (preferred[right.key] ?? .max, ranks[right.key] ?? .other)
            return leftKey == rightKey ? left.value > right.value : leftKey < rightKey
        }.map(\.key)
    }

    /// The kinds of the sources, by bundle identifier.
    func sourceRanks(
        dictionaries: StoreDictionaries, in snapshot: any StorageSnapshot
    ) throws -> [String: SourceRank] {
        var ranks = try snapshot.values(namespace: Settings.Namespace.sourceKinds).compactMapValues {
            $0.first.flatMap(SourceRank.init(rawValue:))
        }
        for revision in dictionaries.revisions {
            let rank = SourceRank(revision: revision, device: nil)
            let bundleIdentifier = revision.source.bundleIdentifier
            ranks[bundleIdentifier] = min(rank, ranks[bundleIdentifier] ?? .other)
        }
        return ranks
    }

    func sourcePreference(
        of type: TypeCode, in snapshot: any StorageSnapshot
    ) throws -> SourcePreference {
        try Settings.read(
            SourcePreference.self, namespace: Settings.Namespace.sourceOrder,
            key: String(type.rawValue), in: snapshot) ?? SourcePreference()
    }
}

// MARK: - Hardware kinds

// Archives do not contain the product type of a source; only the devices of its samples distinguish a watch from
// a phone. Every write therefore records the best kind of each source, so that merging need
// not read samples.
extension HealthEngine {
    /// Records the kind of source that a written pair of revision and device suggests.
    package func recordKind(
        revision: SourceRevisionRecord, device: DeviceRecord?, in transaction: any StorageTransaction,
        pending: inout PendingCommit
    ) throws {
        let rank = SourceRank(revision: revision, device: device)
        guard rank < .other else { return }
        let kind = SourceKind(bundleIdentifier: revision.source.bundleIdentifier, rank: rank)
        guard !writtenKinds.withLock({ $0.contains(kind) }) else { return }
        pending.kinds.append(kind)
        let stored = try transaction.value(namespace: Settings.Namespace.sourceKinds, key: kind.bundleIdentifier)
        if let first = stored?.first, first <= rank.rawValue { return }
        try transaction.setValue([rank.rawValue], namespace: Settings.Namespace.sourceKinds, key: kind.bundleIdentifier)
    }
}

/// A source with the kind of hardware its samples suggest.
struct SourceKind: Hashable, Sendable {
    var bundleIdentifier: String
    var rank: SourceRank
}

/// The sources of the revisions in some pages, for merging and for figures by source.
struct SourceTable: Sendable {
    /// The number of merge classes: the places in the merge order that occur, best first.
    let classCount: Int
    /// All sources that occur.
    let sources: [SourceRecord]
    private let classes: [UInt32]
    private let sourceIndexes: [UInt32]

    /// - Parameter revisions: The numbers that occur, ascending.
    init(revisions: [UInt32], hasEntriesByHand: Bool, order: MergeOrder, dictionaries: StoreDictionaries) {
        let places = Set(revisions.map { order.place(ofRevision: $0) }).sorted()
        let first = hasEntriesByHand ? 1 : 0
        classCount = places.count + first
        let size = Int(revisions.last ?? 0) + 1
        var classes = [UInt32](repeating: 0, count: size)
        var indexes = [UInt32](repeating: 0, count: size)
        var sources: [SourceRecord] = []
        var indexBySource: [SourceRecord: UInt32] = [:]
        for revision in revisions {
            let place = places.lowerBound(of: order.place(ofRevision: revision))
            classes[Int(revision)] = UInt32(place + first)
            let source =
                dictionaries.revision(revision)?.source ?? SourceRecord(bundleIdentifier: "", name: "")
            let index = indexBySource[source] ?? UInt32(sources.count)
            if indexBySource.updateValue(index, forKey: source) == nil { sources.append(source) }
            indexes[Int(revision)] = index
        }
        self.sources = sources
        self.classes = classes
        sourceIndexes = indexes
    }

    /// The key by which rows are grouped.
    enum Key {
        case mergeClass, source
    }

    func groupCount(by key: Key) -> Int {
        key == .mergeClass ? classCount : sources.count
    }

    /// Group numbers by revision number.
    func groups(by key: Key) -> [UInt32] {
        key == .mergeClass ? classes : sourceIndexes
    }
}
