public import HealthModel
import HealthPages
import HealthStorage

extension HealthEngine {
    /// The sources of the samples or objects of a type that the filter selects and the caller may
    /// see, in the order in which they came into the store.
    /// - Throws: ``EngineError/authorizationNotDetermined(_:)``.
    public func sources(
        of type: TypeCode, matching filter: SampleFilter, as caller: Caller
    ) throws -> [SourceRecord] {
        try storage.read { snapshot in
            let scope = try checkRead(type, as: caller, in: snapshot)
            guard scope != .nothing else { return [] }
            let dictionaries = try dictionaries(in: snapshot)
            var revisions: Set<UInt32> = []
            var named: [SourceRecord] = []
            if filter == .all, scope == .everything {
                revisions = try revisionsInUse(of: type, in: snapshot)
            } else {
                let selection = try select(
                    SampleRequest(
                        parts: [SampleRequest.Part(type: type, filter: filter)],
                        columns: [.revisions]),
                    scope: [type: scope], caller: caller, in: snapshot)
                for batch in selection.batches { revisions.formUnion(batch.revisions) }
                named = selection.objects.compactMap { $0.revision?.source }
            }
            var seen: Set<String> = []
            let sources = revisions.sorted().compactMap { dictionaries.revision($0)?.source } + named
            return sources.filter { seen.insert($0.bundleIdentifier).inserted }
        }
    }

    /// How much there is of every type that the caller may see, ascending by type.
    public func typeOverview(as caller: Caller) throws -> [TypeOverview] {
        try storage.read { snapshot in
            let dictionaries = try dictionaries(in: snapshot)
            return try snapshot.typesInUse().compactMap { type in
                guard let description = dictionaries.type(type) else { return nil }
                let scope: ReadScope
                do {
                    scope = try checkRead(type, as: caller, in: snapshot)
                } catch EngineError.authorizationNotDetermined {
                    return nil
                }
                return try overview(of: description, scope: scope, caller: caller, in: snapshot)
            }
        }
    }

    private func overview(
        of type: TypeDescription, scope: ReadScope, caller: Caller, in snapshot: any StorageSnapshot
    ) throws -> TypeOverview? {
        var found = TypeOverview(type: type, count: 0, start: .infinity, end: -.infinity)
        func add(_ count: Int, start: Double, end: Double) {
            found.count += count
            found.start = min(found.start, start)
            found.end = max(found.end, end)
        }
        switch scope {
        case .nothing:
            return nil
        case .everything:
            try snapshot.visitPages(of: type.code, in: .all, bodies: false) { view in
                add(view.bounds.count, start: view.key.firstStart, end: view.bounds.greatestEnd)
                return true
            }
            try snapshot.visitObjects(of: type.code, in: .all) { object in
                add(1, start: object.start, end: object.end)
                return true
            }
        case .ownOnly, .picked:
            let selection = try select(
                SampleRequest(
                    parts: [SampleRequest.Part(type: type.code)], columns: [.starts, .ends]),
                scope: [type.code: scope], caller: caller, in: snapshot)
            for batch in selection.batches {
                for row in batch.starts.indices {
                    add(1, start: batch.starts[row], end: batch.ends[row])
                }
            }
            for object in selection.objects { add(1, start: object.start, end: object.end) }
        }
        return found.count > 0 ? found : nil
    }

    private func revisionsInUse(
        of type: TypeCode, in snapshot: any StorageSnapshot
    ) throws -> Set<UInt32> {
        var revisions: Set<UInt32> = []
        try snapshot.visitPages(of: type, in: .all, bodies: false) { view in
            revisions.formUnion(try PageHeader(decoding: view.header).revisions)
            return true
        }
        try snapshot.visitObjects(of: type, in: .all) { object in
            revisions.insert(object.revision)
            return true
        }
        return revisions
    }
}
