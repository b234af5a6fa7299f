import HealthModel
import HealthStorage

extension HealthEngine {
    /// What was added and deleted after a point of the sequence, in insertion order.
    ///
    /// A sample that has been deleted since is reported as a deletion only. Deletions are reported by
    /// type, also of samples the caller has never seen, except of types it may not read at all. The
    /// limit counts both; continuing from ``ChangesResult/sequence`` brings what a limit cut off, and
    /// with no change in between brings nothing and the same sequence.
    ///
    /// Throws ``EngineError/authorizationNotDetermined(_:)`` for a type the caller never asked for.
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
        // One more than the limit tells whether anything is left.
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

    /// How many of each are among the first `limit` of both, and the last sequence of those.
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
            reference.batch < 0
                ? objects[Int(reference.row)].sequence
                : batches[Int(reference.batch)].sequences[Int(reference.row)]
        }
    }
}
