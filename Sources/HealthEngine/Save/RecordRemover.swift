import Foundation
import HealthModel
import HealthPages
import HealthStorage

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
