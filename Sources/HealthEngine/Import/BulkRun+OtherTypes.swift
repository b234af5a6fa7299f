import HealthModel
import HealthStorage

extension BulkRun {
    /// Finds objects that the store has under another type, because the archive of one of the two came without
    /// the file that says which it is. The stored one gives way where the file comes now, and leaves a tombstone:
    /// whoever follows either type hears of it.
    mutating func findByOtherTypes(_ objects: inout [BulkObject], draft: inout CommitDraft) throws {
        guard !batch.otherTypes.isEmpty else { return }
        var places: [String: [Int]] = [:]
        for other in batch.otherTypes {
            guard batch.objects.indices.contains(other.object) else {
                throw EngineError.invalidArgument("A batch names other types of an object that it does not hold.")
            }
            guard !objects[other.object].isDone else { continue }
            for identifier in other.identifiers { places[identifier, default: []].append(other.object) }
        }
        let dictionaries = try transaction.dictionaries()
        for (identifier, places) in places.sorted(by: { $0.key < $1.key }) {
            guard let type = dictionaries.type(identifier: identifier)?.code else { continue }
            try findStored(&objects, at: places.filter { !objects[$0].isDone }, underType: type, draft: &draft)
        }
    }

    private mutating func findStored(
        _ objects: inout [BulkObject], at places: [Int], underType type: TypeCode, draft: inout CommitDraft
    ) throws {
        let starts = Set(places.map { objects[$0].record.start })
        guard let first = starts.min(), let last = starts.max() else { return }
        let before = before
        var candidates: [Double: [StoredObject]] = [:]
        try transaction.visitObjects(of: type, in: .time(startsBefore: last.nextUp, endsAtOrAfter: first)) { object in
            if object.sequence <= before, starts.contains(object.start) { candidates[object.start, default: []].append(object) }
            return true
        }
        guard !candidates.isEmpty else { return }
        try extendClasses(
            revisions: places.map { objects[$0].revision }, devices: places.map { objects[$0].device })
        for place in places {
            let object = objects[place]
            let match = try candidates[object.record.start]?.first { stored in
                // Equal payloads would be two without a file, or with the same: then it is no matter of the file.
                try memory.isFree(stored.sequence, of: type) && object.payload != stored.payload && isEqual(object, stored)
            }
            guard let match else { continue }
            _ = memory.claim(match.sequence, of: type)
            if try ObjectLikeness.withFile(match.payload, newer: object.record) != nil {
                try erase(StoredIdentity(type: type, sequence: match.sequence), draft: &draft)
            } else {
                objects[place].isDone = true
                objects[place].sequence = match.sequence
                alreadyThere[try describe(type).code, default: 0] += 1
            }
        }
    }

    private func erase(_ identity: StoredIdentity, draft: inout CommitDraft) throws {
        let tombstone = try takeSequences(1, draft: &draft)
        draft.types.insert(identity.type)
        try Eraser(transaction: transaction, identities: identities, editor: editor)
            .erase([Eraser.Victim(identity: identity, tombstone: tombstone, successor: nil)])
    }
}
