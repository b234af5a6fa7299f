package import HealthModel
import HealthPages
import HealthStorage

/// The sources of a store's data, and the order in which statistics prefer them.
package struct SourceRegistry: Sendable {
    let engine: HealthEngine

    /// Returns the sources that have samples of the type in the order in which merging prefers them, best first.
    ///
    /// By default Apple Watch comes first, then iPhone, then others; within a rank, the source that was
    /// added to the store last. The person's own order takes precedence. Samples entered by hand precede
    /// all of these, whatever their source. Sources and counts are of what the caller may read.
    ///
    /// - Throws: ``EngineError/authorizationNotDetermined(_:)``.
    package func order(of type: TypeCode, as caller: Caller = .reader) throws -> [SourceOrderEntry] {
        try engine.storage.read { snapshot in
            let scope = try engine.checkRead(type, as: caller, in: snapshot)
            let dictionaries = try engine.dictionaries(in: snapshot)
            let preference = try engine.sourcePreference(of: type, in: snapshot)
            let counts = try countsBySource(of: type, scope, caller, dictionaries, in: snapshot)
            let ordered = try engine.orderedSources(preference: preference, dictionaries: dictionaries, in: snapshot)
            return ordered.compactMap { bundleIdentifier in
                guard let found = counts[bundleIdentifier] else { return nil }
                return SourceOrderEntry(
                    source: found.source,
                    isEnabled: !preference.disabled.contains(bundleIdentifier), count: found.count)
            }
        }
    }

    /// Returns the person's own order of the sources of one type, as given to ``setOrder(_:disabled:of:)``: bundle
    /// identifiers, best first, and the sources that do not count. Both are empty by default.
    package func ownOrder(of type: TypeCode) throws -> (order: [String], disabled: Set<String>) {
        let preference = try engine.storage.read { try engine.sourcePreference(of: type, in: $0) }
        return (preference.order, preference.disabled)
    }

    /// Returns the ranks of all sources by bundle identifier: those of a watch or phone by the samples of any type, because
    /// an archive has no devices of sleep samples.
    package func ranks() throws -> [String: SourceRank] {
        try engine.storage.read { snapshot in
            try engine.sourceRanks(dictionaries: engine.dictionaries(in: snapshot), in: snapshot)
        }
    }

    /// Sets the person's order of sources for one type, best first, and the sources that do not count.
    /// Sources that are not listed follow in the default order; two empty arguments restore it.
    ///
    /// - Throws: ``EngineError/invalidArgument(_:)`` if a source is listed twice.
    package func setOrder(
        _ bundleIdentifiers: [String], disabled: Set<String>, of type: TypeCode
    ) throws {
        guard Set(bundleIdentifiers).count == bundleIdentifiers.count else {
            throw EngineError.invalidArgument("The order lists a source twice.")
        }
        let preference = SourcePreference(order: bundleIdentifiers, disabled: disabled)
        try engine.commit { transaction, pending in
            guard try engine.sourcePreference(of: type, in: transaction) != preference else { return }
            let isDefault = preference == SourcePreference()
            try Settings.write(
                isDefault ? nil : preference, namespace: Settings.Namespace.sourceOrder,
                key: String(type.rawValue), in: transaction)
            pending.settingsChanged = true
        }
    }

    /// Returns the sources of a type's samples or objects that match the filter and that the caller may read, in
    /// the order in which they first appeared in the store.
    ///
    /// - Throws: ``EngineError/authorizationNotDetermined(_:)``.
    package func list(
        of type: TypeCode, matching filter: SampleFilter, as caller: Caller
    ) throws -> [SourceRecord] {
        try engine.storage.read { snapshot in
            let scope = try engine.checkRead(type, as: caller, in: snapshot)
            guard scope != .nothing else { return [] }
            let dictionaries = try engine.dictionaries(in: snapshot)
            var revisions: Set<UInt32> = []
            var named: [SourceRecord] = []
            if filter == .all, scope == .everything {
                revisions = try revisionsInUse(of: type, in: snapshot)
            } else {
                let selection = try engine.select(
                    SampleRequest(parts: [SampleRequest.Part(type: type, filter: filter)], columns: [.revisions]),
                    scope: [type: scope], caller: caller, in: snapshot)
                for batch in selection.batches { revisions.formUnion(batch.revisions) }
                named = selection.objects.compactMap { $0.revision?.source }
            }
            var seen: Set<String> = []
            let sources = revisions.sorted().compactMap { dictionaries.revision($0)?.source } + named
            return sources.filter { seen.insert($0.bundleIdentifier).inserted }
        }
    }

    /// The number of samples or objects of each source, by bundle identifier, with the source's latest name.
    private func countsBySource(
        of type: TypeCode, _ scope: ReadScope, _ caller: Caller, _ dictionaries: StoreDictionaries,
        in snapshot: any StorageSnapshot
    ) throws -> [String: (source: SourceRecord, count: Int)] {
        var counts: [String: (source: SourceRecord, count: Int)] = [:]
        func add(_ count: Int, of source: SourceRecord) {
            counts[source.bundleIdentifier] = (source, (counts[source.bundleIdentifier]?.count ?? 0) + count)
        }
        var byRevision: [UInt32: Int] = [:]
        if scope == .everything {
            byRevision = try countsByRevision(of: type, in: snapshot)
        } else {
            let selection = try engine.select(
                SampleRequest(parts: [SampleRequest.Part(type: type)], columns: [.revisions]), scope: [type: scope],
                caller: caller, in: snapshot)
            for revision in selection.batches.flatMap(\.revisions) { byRevision[revision, default: 0] += 1 }
            for case let source? in selection.objects.map(\.revision?.source) { add(1, of: source) }
        }
        for (revision, count) in byRevision.sorted(by: { $0.key < $1.key }) {
            if let source = dictionaries.revision(revision)?.source { add(count, of: source) }
        }
        return counts
    }

    /// The number of samples or objects of each source revision, by its number.
    private func countsByRevision(of type: TypeCode, in snapshot: any StorageSnapshot) throws -> [UInt32: Int] {
        var byRevision: [UInt32: Int] = [:]
        try snapshot.visitPages(of: type, in: .all, bodies: true) { view in
            let header = try PageHeader(of: view)
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
        return byRevision
    }

    private func revisionsInUse(
        of type: TypeCode, in snapshot: any StorageSnapshot
    ) throws -> Set<UInt32> {
        var revisions: Set<UInt32> = []
        try snapshot.visitPages(of: type, in: .all, bodies: false) { view in
            revisions.formUnion(try PageHeader(of: view).revisions)
            return true
        }
        try snapshot.visitObjects(of: type, in: .all) { object in
            revisions.insert(object.revision)
            return true
        }
        return revisions
    }
}

extension HealthEngine {
    /// The sources of the store's data.
    package var sources: SourceRegistry { SourceRegistry(engine: self) }
}

/// One source's place in the merge order of one type.
package struct SourceOrderEntry: Hashable, Sendable {
    /// The source.
    package var source: SourceRecord
    /// Whether the source counts in merged statistics.
    package var isEnabled = true
    /// The number of its samples of the type.
    package var count: Int
}

/// The person's own order of the sources of one type, as stored in the settings.
struct SourcePreference: Hashable, Sendable, Codable {
    /// Bundle identifiers, best first. Sources that are not listed follow these, in the default order.
    var order: [String] = []
    /// Bundle identifiers that do not count in merged statistics.
    var disabled: Set<String> = []
}
