public import HealthModel
import HealthPages
import HealthStorage

extension HealthEngine {
    /// The sources that have samples of the type, in the order in which merging prefers them, best
    /// first.
    ///
    /// By default Apple Watch comes first, then iPhone, then others; within a rank the source that
    /// came into the store last. The person's order, where there is one, stands before it. Samples
    /// typed in by hand go before all of these, whichever source they are of.
    public func sourceOrder(of type: TypeCode) throws -> [SourceOrderEntry] {
        try storage.read { snapshot in
            let dictionaries = try dictionaries(in: snapshot)
            let preference = try sourcePreference(of: type, in: snapshot)
            let counts = try countsBySource(of: type, dictionaries: dictionaries, in: snapshot)
            let ordered = try orderedSources(
                preference: preference, dictionaries: dictionaries, in: snapshot)
            return ordered.compactMap { bundleIdentifier in
                guard let found = counts[bundleIdentifier] else { return nil }
                return SourceOrderEntry(
                    source: found.source,
                    isEnabled: !preference.disabled.contains(bundleIdentifier), count: found.count)
            }
        }
    }

    /// Sets the person's order of sources for one type, best first, and which sources do not count.
    /// Sources not named follow in the default order; two empty arguments restore it.
    /// - Throws: ``EngineError/invalidArgument(_:)`` when a source is named twice.
    public func setSourceOrder(
        _ bundleIdentifiers: [String], disabled: Set<String>, of type: TypeCode
    ) throws {
        guard Set(bundleIdentifiers).count == bundleIdentifiers.count else {
            throw EngineError.invalidArgument("A source is named twice in the order.")
        }
        let preference = SourcePreference(order: bundleIdentifiers, disabled: disabled)
        try commit { transaction, draft in
            guard try sourcePreference(of: type, in: transaction) != preference else { return }
            let isDefault = preference == SourcePreference()
            try Settings.write(
                isDefault ? nil : preference, namespace: Settings.Namespace.sourceOrder,
                key: String(type.rawValue), in: transaction)
            draft.settingsChanged = true
        }
    }

    /// How many samples or objects each source has, by bundle identifier, under its latest name.
    private func countsBySource(
        of type: TypeCode, dictionaries: StoreDictionaries, in snapshot: any StorageSnapshot
    ) throws -> [String: (source: SourceRecord, count: Int)] {
        var byRevision: [UInt32: Int] = [:]
        try snapshot.visitPages(of: type, in: .all, bodies: true) { view in
            let header = try PageHeader(decoding: view.header)
            if header.revisions.count == 1 {
                byRevision[header.revisions[0], default: 0] += header.count
            } else {
                let page = try PageReader(header: header, body: view.body).read(.revisions)
                for revision in page.revisions { byRevision[revision, default: 0] += 1 }
            }
            return true
        }
        try snapshot.visitObjects(of: type, in: .all) { object in
            byRevision[object.revision, default: 0] += 1
            return true
        }
        var counts: [String: (source: SourceRecord, count: Int)] = [:]
        for (revision, count) in byRevision.sorted(by: { $0.key < $1.key }) {
            guard let source = dictionaries.revision(revision)?.source else { continue }
            let before = counts[source.bundleIdentifier]?.count ?? 0
            counts[source.bundleIdentifier] = (source, before + count)
        }
        return counts
    }
}
