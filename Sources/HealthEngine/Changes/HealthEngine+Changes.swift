import HealthModel
public import HealthStorage

extension HealthEngine {
    /// Returns what was added and deleted after a position in the sequence, in insertion order.
    ///
    /// A sample that was deleted since is reported as a deletion only. Deletions are reported by type, even of samples
    /// that the caller never saw, except for types that it may not read at all. The limit applies to both together.
    /// Continuing from ``ChangesResult/sequence`` returns what the limit cut off, or nothing and the same sequence.
    ///
    /// - Throws: ``EngineError/authorizationNotDetermined(_:)`` for a type that the caller never requested.
    public func changes(_ request: ChangesRequest, as caller: Caller) throws -> ChangesResult {
        try storage.read { snapshot in
            var scope: [TypeCode: ReadScope] = [:]
            for part in request.parts where scope[part.type] == nil {
                scope[part.type] = try checkRead(part.type, as: caller, in: snapshot)
            }
            return try changes(request, scope: scope, caller: caller, in: snapshot)
        }
    }

    private func changes(
        _ request: ChangesRequest, scope: [TypeCode: ReadScope], caller: Caller,
        in snapshot: any StorageSnapshot
    ) throws -> ChangesResult {
        let last = max(request.after, try snapshot.lastSequence())
        // One more than the limit shows whether anything is left.
        let sought = request.limit > 0 ? request.limit + 1 : 0
        var added = try select(
            SampleRequest(parts: request.parts, limit: sought), after: request.after, scope: scope,
            caller: caller, in: snapshot)
        var deleted: [StoredTombstone] = []
        let types = Set(scope.filter { $0.value != .nothing }.keys)
        if !types.isEmpty {
            try snapshot.visitTombstones(after: request.after, types: types) { tombstone in
                deleted.append(tombstone)
                return sought == 0 || deleted.count < sought
            }
        }
        guard request.limit > 0, added.count + deleted.count > request.limit else {
            return ChangesResult(added: added, deleted: deleted, sequence: last)
        }
        let cut = Self.cut(added.sequences, deleted.map(\.sequence), limit: request.limit)
        added.order.removeLast(added.order.count - cut.added)
        deleted.removeLast(deleted.count - cut.deleted)
        added.releaseUnreferenced()
        return ChangesResult(added: added, deleted: deleted, sequence: cut.sequence)
    }

    /// Returns how many of each are among the first `limit` of both, and the last sequence of those.
    private static func cut(
        _ added: [Int64], _ deleted: [Int64], limit: Int
    ) -> (added: Int, deleted: Int, sequence: Int64) {
        var (addedCount, deletedCount, last) = (0, 0, Int64(0))
        while addedCount + deletedCount < limit {
            let next = addedCount < added.count ? added[addedCount] : .max
            let gone = deletedCount < deleted.count ? deleted[deletedCount] : .max
            if next <= gone { addedCount += 1 } else { deletedCount += 1 }
            last = min(next, gone)
        }
        return (addedCount, deletedCount, last)
    }
}

extension SampleSelection {
    /// The sequence of every result, in order.
    fileprivate var sequences: [Int64] {
        order.map { reference in
            switch reference {
            case .sample(let batch, let row): batches[Int(batch)].sequences[Int(row)]
            case .object(let index): objects[Int(index)].sequence
            }
        }
    }
}

/// A request for what was added and deleted after a position in the sequence.
public struct ChangesRequest: Sendable {
    /// The types, with filters for what was added.
    public var parts: [SampleRequest.Part]
    /// The last sequence already read; 0 to begin with the first.
    public var after: Int64
    /// The maximum number of additions and deletions together; 0 for no limit.
    public var limit: Int

    /// Creates a request.
    public init(parts: [SampleRequest.Part], after: Int64 = 0, limit: Int = 0) {
        self.parts = parts
        self.after = after
        self.limit = limit
    }
}

/// Changes in insertion order, and the position from which to continue.
public struct ChangesResult: Sendable {
    /// The samples and objects that were added and are still stored.
    public var added: SampleSelection
    /// The deletions, ascending by sequence.
    public var deleted: [StoredTombstone]
    /// The last sequence that this result covers.
    public var sequence: Int64

    /// Creates a result.
    public init(added: SampleSelection, deleted: [StoredTombstone], sequence: Int64) {
        self.added = added
        self.deleted = deleted
        self.sequence = sequence
    }
}

extension StorageSnapshot {
    /// Returns the types that gained or lost a sample or object after this sequence.
    func typesChanged(after sequence: Int64) throws -> Set<TypeCode> {
        guard try lastSequence() > sequence else { return [] }
        var changed: Set<TypeCode> = []
        for type in try typesInUse() {
            try visitPages(of: type, in: .sequencesAfter(sequence), bodies: false) { _ in
                changed.insert(type)
                return false
            }
            if changed.contains(type) { continue }
            try visitObjects(of: type, in: .sequencesAfter(sequence)) { _ in
                changed.insert(type)
                return false
            }
        }
        try visitTombstones(after: sequence, types: nil) { tombstone in
            changed.insert(tombstone.type)
            return true
        }
        return changed
    }
}
