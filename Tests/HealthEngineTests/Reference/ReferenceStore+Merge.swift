import HealthModel

extension ReferenceStore {
    /// Where a sample stands when sources are merged, smaller is better: typed in by hand, then the
    /// person's order, then Apple Watch, iPhone, and others with the newest first.
    func place(_ item: ReferenceItem) -> Int {
        if item.metadata.wasUserEntered { return 0 }
        let bundles = appeared.map(\.source.bundleIdentifier)
        var order = (preferences[item.type]?.order ?? []).filter(bundles.contains)
        func kind(_ bundle: String) -> String {
            appeared.first { $0.source.bundleIdentifier == bundle }?.productType ?? ""
        }
        let rest = bundles.filter { !order.contains($0) }
        let watches = rest.filter { kind($0).hasPrefix("Watch") }
        let phones = rest.filter { kind($0).hasPrefix("iPhone") }
        let others = rest.filter { !watches.contains($0) && !phones.contains($0) }
        for group in [watches, phones, others] { order += group.reversed() }
        return 1 + (order.firstIndex(of: item.revision.source.bundleIdentifier) ?? order.count)
    }

    func isEnabled(_ item: ReferenceItem) -> Bool {
        !(preferences[item.type]?.disabled.contains(item.revision.source.bundleIdentifier) ?? false)
    }
}
