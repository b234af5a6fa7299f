import HealthModel
import HealthStorage
import Synchronization

/// The order of all source revisions for merging overlapping data of one type.
struct MergeOrder: Sendable {
    /// The place of a sample that a person entered: before every source.
    static let enteredByHand: Int32 = 0

    /// Places by revision number, all above ``enteredByHand``; smaller is better. Revisions of one
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
    /// precede every source; the caller assigns them ``MergeOrder/enteredByHand``.
    func mergeOrder(
        of type: TypeCode, dictionaries: StoreDictionaries, in snapshot: any StorageSnapshot
    ) throws -> MergeOrder {
        let preference = try sourcePreference(of: type, in: snapshot)
        let sources = try rankedSources(preference: preference, dictionaries: dictionaries, in: snapshot)
        let last = Int32(sources.names.count) + 1
        var places = [last]
        var disabled = [false]
        for revision in dictionaries.revisions {
            let bundleIdentifier = revision.source.bundleIdentifier
            places.append(sources.number(of: bundleIdentifier).map { sources.places[$0] } ?? last)
            disabled.append(preference.disabled.contains(bundleIdentifier))
        }
        return MergeOrder(
            places: places, disabled: disabled, hasDisabled: disabled.contains(true), lastPlace: last)
    }

    /// Bundle identifiers of all sources, best first.
    func orderedSources(
        preference: SourcePreference, dictionaries: StoreDictionaries,
        in snapshot: any StorageSnapshot
    ) throws -> [String] {
        let sources = try rankedSources(preference: preference, dictionaries: dictionaries, in: snapshot)
        var ordered = sources.names
        for (number, place) in sources.places.enumerated() { ordered[Int(place) - 1] = sources.names[number] }
        return ordered
    }

    private func rankedSources(
        preference: SourcePreference, dictionaries: StoreDictionaries, in snapshot: any StorageSnapshot
    ) throws -> RankedSources {
        var sources = RankedSources(dictionaries.revisions)
        try snapshot.visitValues(namespace: Settings.Namespace.sourceKinds) { bundleIdentifier, bytes in
            guard let first = bytes.first, let rank = SourceRank(rawValue: first),
                let number = sources.number(of: bundleIdentifier)
            else { return }
            sources.ranks[number] = min(rank, sources.ranks[number])
        }
        for (index, bundleIdentifier) in preference.order.enumerated() {
            guard let number = sources.number(of: bundleIdentifier), sources.preferred[number] == .max else { continue }
            sources.preferred[number] = index
        }
        sources.order()
        return sources
    }

    func sourcePreference(
        of type: TypeCode, in snapshot: any StorageSnapshot
    ) throws -> SourcePreference {
        try Settings.read(
            SourcePreference.self, namespace: Settings.Namespace.sourceOrder,
            key: String(type.rawValue), in: snapshot) ?? SourcePreference()
    }
}

/// The sources of a store, by their bundle identifiers in ascending order. For the few that there are, searching is as
/// fast as a dictionary, without what the first use of a dictionary costs a process.
private struct RankedSources {
    let names: [String]
    /// The first revision of each source. Revisions are numbered in the order of their first appearance.
    private let appeared: [Int]
    /// The best rank of each source.
    var ranks: [SourceRank]
    /// The place of each source in the person's order; the maximum for sources that aren't in it.
    var preferred: [Int]
    /// The place of each source, from 1.
    private(set) var places: [Int32] = []

    init(_ revisions: [SourceRevisionRecord]) {
        var found: [(name: String, revision: Int)] = []
        for (number, revision) in revisions.enumerated() { found.append((revision.source.bundleIdentifier, number)) }
        found.sort { $0.name == $1.name ? $0.revision < $1.revision : $0.name < $1.name }
        var (names, appeared, ranks): ([String], [Int], [SourceRank]) = ([], [], [])
        for (name, revision) in found {
            if names.last != name {
                names.append(name)
                appeared.append(revision)
                ranks.append(.other)
            }
            ranks[ranks.count - 1] = min(ranks[ranks.count - 1], SourceRank(revision: revisions[revision], device: nil))
        }
        (self.names, self.appeared, self.ranks) = (names, appeared, ranks)
        preferred = [Int](repeating: .max, count: names.count)
    }

    /// The place of a bundle identifier in ``names``.
    func number(of name: String) -> Int? {
        var (low, high) = (0, names.count)
        while low < high {
            let middle = low + (high - low) / 2
            if names[middle] < name { low = middle + 1 } else { high = middle }
        }
        return low < names.count && names[low] == name ? low : nil
    }

    /// Sets the places: by the person's order, by rank, and the source that appeared last first.
    mutating func order() {
        var numbers = Array(names.indices)
        numbers.sort { left, right in
            if preferred[left] != preferred[right] { return preferred[left] < preferred[right] }
            if ranks[left] != ranks[right] { return ranks[left] < ranks[right] }
            return appeared[left] > appeared[right]
        }
        places = [Int32](repeating: 0, count: names.count)
        for (place, number) in numbers.enumerated() { places[number] = Int32(place) + 1 }
    }
}

// MARK: - Hardware kinds

// Archives do not contain the product type of a source; only the devices of its samples distinguish a watch from
// a phone. Every write therefore records the best kind of each source, so that merging need
// not read samples.
extension HealthEngine {
    /// Records the kind of source that a written pair of revision and device suggests. Returns the kind for
    /// ``rememberWrittenKinds(_:)`` after the transaction, or `nil` if there is nothing to record.
    func recordKind(
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

    /// Spares later writes the lookup of kinds that are stored.
    func rememberWrittenKinds(_ kinds: [SourceKind]) {
        guard !kinds.isEmpty else { return }
        writtenKinds.withLock { $0.formUnion(kinds) }
    }
}

/// A source with the kind of hardware its samples suggest.
struct SourceKind: Hashable, Sendable {
    var bundleIdentifier: String
    var rank: SourceRank
}
