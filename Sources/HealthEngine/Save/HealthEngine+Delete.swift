package import Foundation
package import HealthModel
import HealthPages
package import HealthStorage

extension HealthEngine {
    /// Deletes samples and objects by identity: all of them or none. Applications can delete only what they saved
    /// themselves, ``Caller/Permission/owner`` anything. Members of a deleted object are kept.
    /// - Throws: ``EngineError/invalidArgument(_:)`` for an empty list and for a UUID of nothing that the caller can
    ///   delete; ``EngineError/authorizationDenied(_:)`` or ``EngineError/authorizationNotDetermined(_:)`` if the
    ///   caller is not allowed to share the type.
    package func delete(_ uuids: [UUID], as caller: Caller) throws {
        guard !uuids.isEmpty else {
            throw EngineError.invalidArgument("dataObjects cannot be empty")
        }
        try commit(prefetching: { uuids }) { transaction, pending in
            try delete(uuids, as: caller, in: transaction, pending: &pending)
        }
    }

    /// Deletes like ``delete(_:as:)``, inside a transaction, which may then save replacements. Has no
    /// effect for an empty list.
    func delete(
        _ uuids: [UUID], as caller: Caller, in transaction: any StorageTransaction, pending: inout PendingCommit
    ) throws {
        let finder = finder(in: transaction)
        var seen: Set<UUID> = []
        var found: [StoredIdentity] = []
        for uuid in uuids where seen.insert(uuid).inserted {
            guard let identity = try finder.locate(uuid) else { throw Self.notFound }
            found.append(identity)
        }
        try checkShare(Set(found.map(\.type)), as: caller, in: transaction)
        if caller.permission != .owner {
            try checkOwn(found, caller: caller, in: transaction)
        }
        try erase(found, in: transaction, pending: &pending)
    }

    /// Deletes the caller's own samples or objects of one type that match a filter, or those of every source for
    /// ``Caller/Permission/owner``, in one transaction.
    /// - Returns: The number deleted, which may be 0.
    /// - Throws: ``EngineError/authorizationDenied(_:)`` or ``EngineError/authorizationNotDetermined(_:)`` if the
    ///   caller is not allowed to share the type.
    @discardableResult
    package func deleteObjects(
        of type: TypeCode, matching filter: SampleFilter, as caller: Caller
    ) throws -> Int {
        try deleteObjects(of: [type], matching: filter, as: caller)
    }

    /// Deletes the caller's own samples or objects of several types that match a filter, or those of every source for
    /// ``Caller/Permission/owner``: those of all types or none. Members of correlations are kept unless `withMembers`.
    /// - Returns: The number deleted, which may be 0.
    /// - Throws: ``EngineError/authorizationDenied(_:)`` or ``EngineError/authorizationNotDetermined(_:)`` if the
    ///   caller is not allowed to share one of the types.
    @discardableResult
    package func deleteObjects(
        of types: [TypeCode], matching filter: SampleFilter, withMembers: Bool = false, as caller: Caller
    ) throws -> Int {
        try commit { transaction, pending in
            let scope: ReadScope = caller.permission == .owner ? .everything : .ownOnly
            var found: [StoredIdentity] = []
            var members: Set<StoredIdentity> = []
            // Everything is selected before anything is erased, because a filter can concern what owns a sample.
            for type in Set(types).sorted() {
                try checkShare(type, as: caller, in: transaction)
                let request = SampleRequest(
                    parts: [SampleRequest.Part(type: type, filter: filter)], columns: .sequences)
                let selection = try select(
                    request, scope: [type: scope], caller: caller, in: transaction)
                let sequences =
                    selection.batches.flatMap(\.sequences) + selection.objects.map(\.sequence)
                found += sequences.sorted().map { StoredIdentity(type: type, sequence: $0) }
                guard withMembers, TypeCatalog.description(for: type)?.kind == .correlation else { continue }
                members.formUnion(
                    selection.objects.flatMap(\.members).map { StoredIdentity(type: $0.type, sequence: $0.sequence) })
            }
            members.subtract(found)
            for type in Set(members.map(\.type)) { try checkShare(type, as: caller, in: transaction) }
            found += members
            try erase(found, in: transaction, pending: &pending)
            return found.count
        }
    }

    private static let notFound = EngineError.invalidArgument("Failed to find some objects for deletion.")

    /// Erases samples and objects. The deletions' sequences are in the order given.
    package func erase(
        _ identities: [StoredIdentity], in transaction: any StorageTransaction,
        pending: inout PendingCommit
    ) throws {
        guard !identities.isEmpty else { return }
        let first = try transaction.allocateSequences(identities.count)
        pending.recordSequences(identities.count, from: first)
        let types = Set(identities.map(\.type))
        pending.types.formUnion(types)
        // A save in the same transaction must read the last page of a type again.
        for type in types { _ = pending.shortPages.removePage(of: type) }
        let eraser = RecordRemover(
            transaction: transaction, identities: self.identities,
            editor: PageEditor(transaction: transaction, capacity: configuration.pageCapacity))
        try eraser.erase(
            identities.enumerated().map { index, identity in
                RecordRemover.Deletion(identity: identity, tombstone: first + Int64(index), successor: nil)
            })
    }

    /// Throws an error unless the caller's application saved all of these.
    private func checkOwn(
        _ found: [StoredIdentity], caller: Caller, in transaction: any StorageTransaction
    ) throws {
        let dictionaries = try transaction.dictionaries()
        func isOwn(_ revision: UInt32) -> Bool {
            dictionaries.revision(revision)?.source.bundleIdentifier == caller.bundleIdentifier
        }
        var samples: [TypeCode: [Int64]] = [:]
        for identity in found {
            if let object = try transaction.object(sequence: identity.sequence) {
                guard isOwn(object.revision) else { throw Self.notFound }
            } else {
                samples[identity.type, default: []].append(identity.sequence)
            }
        }
        let finder = finder(in: transaction)
        for (type, sequences) in samples {
            let rows = try finder.rows(of: type, sequences: sequences.sorted(), columns: .revisions)
            guard rows.revisions.count == sequences.count, rows.revisions.allSatisfy(isOwn) else {
                throw Self.notFound
            }
        }
    }
}

/// Removes samples and objects from a store with everything that belongs to them, and leaves their tombstones. Members
/// of an erased object are kept.
struct RecordRemover {
    /// One sample or object to erase.
    struct Deletion {
        var identity: StoredIdentity
        /// The deletion's own sequence.
        var tombstone: Int64
        /// The sequence of the sample that replaces it in objects, if any.
        var successor: Int64?
    }

    let transaction: any StorageTransaction
    let identities: DerivedIdentities
    let editor: PageEditor

    /// Executes all deletions, ignoring those of nothing that is stored.
    func erase(_ deletions: [Deletion]) throws {
        guard !deletions.isEmpty else { return }
        let dictionaries = try transaction.dictionaries()
        var tombstones: [StoredTombstone] = []
        var samples: [TypeCode: [Deletion]] = [:]
        for deletion in deletions {
            let type = deletion.identity.type
            if TypeCatalog.description(for: type)?.kind.isPaged != true,
                let object = try transaction.object(sequence: deletion.identity.sequence)
            {
                tombstones.append(try erase(object, deletion, dictionaries))
            } else {
                samples[type, default: []].append(deletion)
            }
        }
        for (type, deletions) in samples {
            try erase(deletions, of: type, dictionaries, &tombstones)
        }
        for tombstone in tombstones.sorted(by: { $0.sequence < $1.sequence }) {
            try transaction.putTombstone(tombstone)
        }
        try AttachmentTable.removeAll(of: tombstones.map(\.uuid), in: transaction)
    }

    private func erase(
        _ object: StoredObject, _ deletion: Deletion, _ dictionaries: StoreDictionaries
    ) throws -> StoredTombstone {
        let metadata = try ObjectCoder.decode(object.payload).metadata
        let mark = SyncMark(metadata)
        try removeSync(mark, type: object.type, revision: object.revision, of: deletion, dictionaries)
        if let successor = deletion.successor {
            try transaction.replaceMember(object.sequence, with: successor)
        }
        try transaction.removeObject(sequence: object.sequence)
        return StoredTombstone(
            sequence: deletion.tombstone, type: object.type, uuid: object.uuid ?? identities.uuid(for: object.sequence),
            syncIdentifier: mark?.identifier, syncVersion: mark?.version, start: object.start, end: object.end,
            revision: object.revision)
    }

    private func erase(
        _ deletions: [Deletion], of type: TypeCode, _ dictionaries: StoreDictionaries,
        _ tombstones: inout [StoredTombstone]
    ) throws {
        let bySequence = Dictionary(
            deletions.map { ($0.identity.sequence, $0) }, uniquingKeysWith: { first, _ in first })
        let removed = try editor.remove(bySequence.keys.sorted(), of: type, identities: identities)
        for row in removed.sequences.indices {
            let sequence = removed.sequences[row]
            guard let deletion = bySequence[sequence] else { continue }
            let mark = SyncMark(removed.metadata(at: row))
            try removeSync(mark, type: type, revision: removed.revisions[row], of: deletion, dictionaries)
            let given = removed.uuid(at: row)
            if let given { try transaction.removeIdentity(given) }
            if removed.metadata(at: row)[MetadataKey.seriesCount] != nil {
                try QuantitySeriesTable.remove(of: deletion.identity, in: transaction)
            }
            if let successor = deletion.successor {
                try transaction.replaceMember(sequence, with: successor)
            } else {
                try transaction.removeLinks(ofMember: sequence)
            }
            tombstones.append(
                StoredTombstone(
                    sequence: deletion.tombstone, type: type, uuid: given ?? identities.uuid(for: sequence),
                    syncIdentifier: mark?.identifier, syncVersion: mark?.version, start: removed.starts[row],
                    end: removed.ends[row], revision: removed.revisions[row]))
        }
    }

    /// Releases the sync identifier, unless another object has it by now.
    private func removeSync(
        _ mark: SyncMark?, type: TypeCode, revision: UInt32, of deletion: Deletion, _ dictionaries: StoreDictionaries
    ) throws {
        guard let mark, let source = dictionaries.revision(revision)?.source.bundleIdentifier else {
            return
        }
        let key = mark.key(source: source, type: type)
        if try transaction.sync(key)?.sequence == deletion.identity.sequence {
            try transaction.removeSync(key)
        }
    }
}
