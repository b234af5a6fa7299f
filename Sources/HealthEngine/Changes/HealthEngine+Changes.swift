import HealthModel
package import HealthStorage
import Synchronization

extension HealthEngine {
    /// Returns what was added and deleted after a position in the sequence, in insertion order.
    ///
    /// A sample that was deleted since is reported as a deletion only. Deletions are reported even of samples that the
    /// caller never saw, except for types of which it may read nothing or only what it saved, and unless a sample is known
    /// not to have matched its part (``SampleFilter/matched(_:_:_:)``). The limit applies to both together.
    /// Continuing from ``ChangesResult/sequence`` returns what the limit cut off, or nothing and the same sequence.
    ///
    /// - Throws: ``EngineError/authorizationNotDetermined(_:)`` for a type that the caller never requested.
    package func changes(_ request: ChangesRequest, as caller: Caller) throws -> ChangesResult {
        try storage.read { snapshot in
            var scope: [TypeCode: ReadScope] = [:]
            for part in request.parts where scope[part.type] == nil {
                scope[part.type] = try checkRead(part.type, as: caller, in: snapshot)
            }
            return try changes(request, scope: scope, caller: caller, in: snapshot)
        }
    }

    private func changes(
        _ request: ChangesRequest, scope: [TypeCode: ReadScope], caller: Caller, in snapshot: any StorageSnapshot
    ) throws -> ChangesResult {
        let lastSequence = try snapshot.lastSequence()
        var request = request
        if request.beginsAgain, request.after > lastSequence { request.after = 0 }
        guard request.limit > 0 else {
            let added = try select(
                SampleRequest(parts: request.parts), after: request.after, scope: scope, caller: caller,
                in: snapshot)
            let deleted = try tombstones(
                request, scope, caller, through: .max, dictionaries(in: snapshot, lastSequence: lastSequence),
                in: snapshot)
            return ChangesResult(added: added, deleted: deleted, sequence: max(request.after, lastSequence))
        }
        let key = ChangeTraversal.Key(parts: request.parts, scope: scope, caller: caller, lastSequence: lastSequence)
        return try firstChanges(request, key, in: snapshot)
    }

    /// Returns the first changes, up to the limit. Objects and deletions are read only as far as they can be among
    /// them, and the traversal through page samples is kept for the request that continues.
    private func firstChanges(
        _ request: ChangesRequest, _ key: ChangeTraversal.Key, in snapshot: any StorageSnapshot
    ) throws -> ChangesResult {
        // One more than the limit shows whether anything is left.
        let sought = min(request.limit, .max - 1) + 1
        let dictionaries = try dictionaries(in: snapshot, lastSequence: key.lastSequence)
        let reader = MemberReader(
            snapshot: snapshot, dictionaries: dictionaries, identities: identities,
            limits: ReadLimits(of: key.caller, self, in: snapshot))
        var unfinished = traversals.take(key, at: request.after)
        let parts = try compile(request, key, dictionaries, withPaged: unfinished == nil, in: snapshot)
        // The rows of a unfinished traversal may have been read already. This fails like any other read while samples are locked.
        if unfinished != nil { _ = try snapshot.object(sequence: 0) }
        var traversal =
            try unfinished.take() ?? ChangeTraversal(key, parts: parts.paged, after: request.after, in: snapshot)

        let samples = try traversal.sequences(first: sought, in: snapshot)
        let bound = samples.count == sought ? samples.last ?? .max : .max
        var objects: [ObjectRow] = []
        for part in parts.objects {
            var selector = ObjectSelector(part: part, reader: reader)
            try selector.select(first: sought, through: bound)
            objects += selector.rows
        }
        var deleted = try tombstones(
            request, key.scope, key.caller, through: bound, limit: sought, dictionaries, in: snapshot)

        var last = Int64.max
        if samples.count + objects.count + deleted.count > request.limit {
            let sequences = samples + objects.map(\.stored.sequence) + deleted.map(\.sequence)
            last = sequences.sorted()[request.limit - 1]
            objects.removeAll { $0.stored.sequence > last }
            deleted.removeAll { $0.sequence > last }
        }
        let batches = traversal.take(through: last)
        let order = SelectionOrder(batches: batches, objects: objects, sort: [], dictionaries)
        var added = SampleSelection(
            batches: batches, order: try order.references(limit: 0), dictionaries: dictionaries, identities: identities)
        try added.resolve(objects, reader)
        guard last < .max else {
            return ChangesResult(added: added, deleted: deleted, sequence: max(request.after, key.lastSequence))
        }
        traversals.keep(traversal)
        return ChangesResult(added: added, deleted: deleted, sequence: last)
    }

    /// Compiles the parts of a request; those of types in pages only if asked for.
    private func compile(
        _ request: ChangesRequest, _ key: ChangeTraversal.Key, _ dictionaries: StoreDictionaries, withPaged: Bool,
        in snapshot: any StorageSnapshot
    ) throws -> (paged: [SelectionPart], objects: [SelectionPart]) {
        var parts: (paged: [SelectionPart], objects: [SelectionPart]) = ([], [])
        for (type, filter) in Self.united(request.parts) {
            let compiler = FilterCompiler(
                type: type, dictionaries: dictionaries, identities: identities, snapshot: snapshot)
            if compiler.kind.isPaged, !withPaged { continue }
            let compiled = try compiler.compile(filter, scope: key.scope[type] ?? .nothing, caller: key.caller)
            if case .always(false) = compiled { continue }
            let part = SelectionPart(type: type, filter: compiled, columns: .all, after: request.after)
            if compiler.kind.isPaged { parts.paged.append(part) } else { parts.objects.append(part) }
        }
        return parts
    }

    /// Returns deletions of the types that may be read and of samples that may have matched, up to a sequence and a
    /// limit.
    private func tombstones(
        _ request: ChangesRequest, _ scope: [TypeCode: ReadScope], _ caller: Caller, through last: Int64,
        limit: Int = .max, _ dictionaries: StoreDictionaries, in snapshot: any StorageSnapshot
    ) throws -> [StoredTombstone] {
        var found: [StoredTombstone] = []
        let parts = Self.united(request.parts).compactMap { type, filter -> (TypeCode, SampleFilter)? in
            switch scope[type] {
            case .nothing?: nil
            case .ownOnly?: (type, .and([filter, .ownSource]))
            // Also of samples before a limit, which the caller may have seen without it.
            case .everything?, .picked?, nil: (type, filter)
            }
        }
        let filters = Dictionary(parts, uniquingKeysWith: { first, _ in first })
        guard !filters.isEmpty else { return found }
        // All types are visited, because only then the visit can end where the next batch begins.
        try snapshot.visitTombstones(after: request.after, types: nil) { tombstone in
            guard tombstone.sequence <= last else { return false }
            var tombstone = tombstone
            tombstone.type = dictionaries.catalogCode(of: tombstone.type)
            if let filter = filters[tombstone.type], filter.matched(tombstone, dictionaries, caller) ?? true {
                found.append(tombstone)
            }
            return found.count < limit
        }
        return found
    }
}

extension SampleFilter {
    /// Returns whether a deleted sample matched; `nil` if what is left of it, its dates, source and UUID, doesn't tell.
    func matched(_ tombstone: StoredTombstone, _ dictionaries: StoreDictionaries, _ caller: Caller) -> Bool? {
        func verdict(_ isIncluded: (SourceRevisionRecord) -> Bool) -> Bool? {
            tombstone.revision.flatMap(dictionaries.revision).map(isIncluded)
        }
        switch self {
        case .all: return true
        case .nothing: return false
        case .and(let parts):
            let verdicts = parts.map { $0.matched(tombstone, dictionaries, caller) }
            return verdicts.contains(false) ? false : verdicts.contains(nil) ? nil : true
        case .or(let parts):
            let verdicts = parts.map { $0.matched(tombstone, dictionaries, caller) }
            return verdicts.contains(true) ? true : verdicts.contains(nil) ? nil : false
        case .not(let part): return part.matched(tombstone, dictionaries, caller).map { !$0 }
        case .start(let comparison, let bound): return tombstone.start.map { comparison.holds($0, bound) }
        case .end(let comparison, let bound): return tombstone.end.map { comparison.holds($0, bound) }
        case .uuid(let expected): return expected.contains(tombstone.uuid)
        case .source(let expected): return verdict { expected.contains($0.source.bundleIdentifier) }
        case .ownSource: return verdict { $0.source.bundleIdentifier == caller.bundleIdentifier }
        case .revision(let patterns): return verdict { revision in patterns.contains { $0.matches(revision) } }
        default: return nil
        }
    }
}

/// The traversals that requests with a limit left unfinished, so that the requests that continue need not begin again.
final class ChangeTraversals: Sendable {
    /// The number of unfinished traversals, the most recent last. Each may have some thousand rows.
    private static let maximumCount = 4

    private let traversals = Mutex<[ChangeTraversal]>([])

    /// Removes and returns the traversal at a position. Traversals of earlier states of the store are discarded.
    func take(_ key: ChangeTraversal.Key, at position: Int64) -> ChangeTraversal? {
        traversals.withLock { traversals in
            traversals.removeAll { $0.key.lastSequence < key.lastSequence }
            guard let index = traversals.firstIndex(where: { $0.position == position && $0.key == key }) else {
                return nil
            }
            return traversals.remove(at: index)
        }
    }

    /// Keeps a traversal for the request that continues it.
    func keep(_ traversal: ChangeTraversal) {
        traversals.withLock { traversals in
            if traversals.count == Self.maximumCount { traversals.removeFirst() }
            traversals.append(traversal)
        }
    }
}

/// A request for what was added and deleted after a position in the sequence.
package struct ChangesRequest: Sendable {
    /// The types, with filters.
    package var parts: [SampleRequest.Part]
    /// The last sequence already read; 0 to begin with the first.
    package var after: Int64
    /// The maximum number of additions and deletions together; 0 for no limit.
    package var limit: Int

    /// Whether to begin with the first sequence if ``after`` is beyond the last one.
    package var beginsAgain: Bool

    /// Creates a request.
    package init(parts: [SampleRequest.Part], after: Int64 = 0, limit: Int = 0, beginsAgain: Bool = false) {
        self.parts = parts
        self.after = after
        self.limit = limit
        self.beginsAgain = beginsAgain
    }
}

/// Changes in insertion order, and the position from which to continue.
package struct ChangesResult: Sendable {
    /// The samples and objects that were added and are still stored.
    package var added: SampleSelection
    /// The deletions, ascending by sequence.
    package var deleted: [StoredTombstone]
    /// The last sequence that this result covers.
    package var sequence: Int64
}

extension StorageSnapshot {
    /// Returns the types that gained or lost a sample or object after this sequence.
    func typesChanged(after sequence: Int64) throws -> Set<TypeCode> {
        guard try lastSequence() > sequence else { return [] }
        var changed = Set(try typesAdded(after: sequence))
        var deleted: Set<TypeCode> = []
        try visitTombstones(after: sequence, types: nil) { tombstone in
            deleted.insert(tombstone.type)
            return true
        }
        if !deleted.isEmpty {
            let dictionaries = try dictionaries()
            changed.formUnion(deleted.map(dictionaries.catalogCode))
        }
        return changed
    }
}

/// When a store was changed, to the quarter of an hour. Samples and deletions have a sequence, but no time at which they
/// were stored; their own dates say when something was measured.
///
/// The first change of each quarter of an hour records the sequence before it; every day of every time zone begins with
/// a quarter. Only the first commit of a quarter writes more.
struct ChangeTimes {
    static let namespace = "changeTimes"
    static let interval = 900.0

    /// The number of the quarter of an hour since 2001.
    private let quarter: Int

    init(at time: Double) {
        quarter = Int((time / Self.interval).rounded(.down))
    }

    /// Whether the first change of this time is known to be recorded, by what ``record(_:in:)`` was called for last.
    func isRecorded(_ last: ChangeTimes?) -> Bool { last?.quarter == quarter }

    /// Records the sequence before a change, unless there was one before it.
    func record(_ sequence: Int64, in transaction: any StorageTransaction) throws {
        guard try transaction.value(namespace: Self.namespace, key: String(quarter)) == nil else { return }
        try transaction.setValue(Array(String(sequence).utf8), namespace: Self.namespace, key: String(quarter))
    }

    /// Returns the position after which everything was changed at this time or later.
    ///
    /// A clock that was set back can have changed things of this time before others: the position is then that of the
    /// first one.
    func position(in snapshot: any StorageSnapshot) throws -> ChangePosition {
        var position = ChangePosition(sequence: try snapshot.lastSequence(), time: Double(quarter) * Self.interval)
        for (key, value) in try snapshot.values(namespace: Self.namespace) {
            guard let number = Int(key), let sequence = Int64(String(decoding: value, as: UTF8.self)) else {
                throw StorageError(.damaged, "A setting in “\(Self.namespace)” cannot be read.")
            }
            if number >= quarter { position.sequence = min(position.sequence, sequence) }
        }
        return position
    }
}

/// A position in the sequence of changes, found by a time.
package struct ChangePosition: Hashable, Sendable {
    /// The sequence after which everything was changed at ``time`` or later.
    package var sequence: Int64
    /// The time: the beginning of the quarter of an hour that was asked for, in seconds since 2001.
    package var time: Double
}

extension HealthEngine {
    /// Returns the position after which everything was added or deleted at this time or later, in seconds since 2001.
    package func changePosition(since time: Double) throws -> ChangePosition {
        try storage.read { try ChangeTimes(at: time).position(in: $0) }
    }
}
