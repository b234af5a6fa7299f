import HealthModel
import HealthStorage

extension HealthEngine {
    /// The merge order of one type over all revisions of `dictionaries`.
    ///
    /// Default places follow `SourceRank` (Apple Watch, iPhone, others); within a rank the source that
    /// came into the store last is best. The person's order goes before it. Samples entered by hand
    /// stand before every source; the caller gives them ``MergeOrder/enteredByHand``.
    func mergeOrder(
        of type: TypeCode, dictionaries: StoreDictionaries, in snapshot: any StorageSnapshot
    ) throws -> MergeOrder {
        let preference = try sourcePreference(of: type, in: snapshot)
        let ordered = try orderedSources(
            preference: preference, dictionaries: dictionaries, in: snapshot)
        var placeOfSource: [String: Int32] = [:]
        for (index, bundleIdentifier) in ordered.enumerated() {
            placeOfSource[bundleIdentifier] = Int32(index) + 1
        }
        let last = Int32(ordered.count) + 1
        var places = [last]
        var disabled = [false]
        for revision in dictionaries.revisions {
            let bundleIdentifier = revision.source.bundleIdentifier
            places.append(placeOfSource[bundleIdentifier] ?? last)
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
        let ranks = try sourceRanks(dictionaries: dictionaries, in: snapshot)
        var preferred: [String: Int] = [:]
        for (index, bundleIdentifier) in preference.order.enumerated()
        where preferred[bundleIdentifier] == nil {
            preferred[bundleIdentifier] = index
        }
        // Numbers of revisions grow in the order of first appearance, and so does this list.
        var appeared: [String: Int] = [:]
        for revision in dictionaries.revisions
        where appeared[revision.source.bundleIdentifier] == nil {
            appeared[revision.source.bundleIdentifier] = appeared.count
        }
        return appeared.sorted { left, right in
            let leftKey = (preferred[left.key] ?? .max, ranks[left.key] ?? .other)
            let rightKey = (preferred[right.key] ?? .max, ranks[right.key] ?? .other)
            return leftKey == rightKey ? left.value > right.value : leftKey < rightKey
        }.map(\.key)
    }

    func sourcePreference(
        of type: TypeCode, in snapshot: any StorageSnapshot
    ) throws -> SourcePreference {
        try Settings.read(
            SourcePreference.self, namespace: Settings.Namespace.sourceOrder,
            key: String(type.rawValue), in: snapshot) ?? SourcePreference()
    }
}
