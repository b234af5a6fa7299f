import HealthModel

extension Metadata {
    /// These entries with others laid over them, key by key, in the order of keys.
    func merging(_ others: Metadata) -> Metadata {
        guard !others.isEmpty else { return self }
        let kept = entries.filter { others[$0.key] == nil }
        return Metadata((kept + others.entries).sorted { $0.key < $1.key })
    }
}
