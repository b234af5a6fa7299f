package import HealthModel
import HealthPages
import HealthStorage

/// The amount and extent of one type's data.
package struct TypeOverview: Hashable, Sendable {
    /// The type.
    package var type: TypeDescription
    /// The number of its samples or objects.
    package var count: Int
    /// The earliest start, in seconds since 2001.
    package var start: Double
    /// The latest end, in seconds since 2001.
    package var end: Double

    /// Creates an overview.
    package init(type: TypeDescription, count: Int, start: Double, end: Double) {
        self.type = type
        self.count = count
        self.start = start
        self.end = end
    }
}

extension HealthEngine {
    /// Returns an overview of every type that the caller may read, ascending by type.
    package func typeOverview(as caller: Caller) throws -> [TypeOverview] {
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
                add(view.bounds.count, start: view.key.firstStart, end: view.bounds.maximumEnd)
                return true
            }
            try snapshot.visitObjects(of: type.code, in: .all) { object in
                add(1, start: object.start, end: object.end)
                return true
            }
        case .ownOnly, .picked:
            let selection = try select(
                SampleRequest(parts: [SampleRequest.Part(type: type.code)], columns: [.starts, .ends]),
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
}
