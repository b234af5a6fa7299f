package import Foundation
package import HealthModel
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
    /// ``Caller/Permission/owner``: those of all types or none.
    /// - Returns: The number deleted, which may be 0.
    /// - Throws: ``EngineError/authorizationDenied(_:)`` or ``EngineError/authorizationNotDetermined(_:)`` if the
    ///   caller is not allowed to share one of the types.
    @discardableResult
    package func deleteObjects(
        of types: [TypeCode], matching filter: SampleFilter, as caller: Caller
    ) throws -> Int {
        try commit { transaction, pending in
            let scope: ReadScope = caller.permission == .owner ? .everything : .ownOnly
            var found: [StoredIdentity] = []
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
            }
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
