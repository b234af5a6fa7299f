import Foundation
import HealthModel
import HealthPages
import HealthStorage

/// Takes samples and objects out of a store with everything that hangs on them, and leaves their
/// tombstones. Members of an erased object stay.
struct Eraser {
    /// One sample or object to erase.
    struct Victim {
        var identity: StoredIdentity
        /// The deletion's own sequence.
        var tombstone: Int64
        /// Who takes its place in objects; `nil` for nobody.
        var successor: Int64?
    }

    let transaction: any StorageTransaction
    let identities: DerivedIdentities
    let editor: PageEditor

    /// Erases all victims; one that is not there is passed over.
    func erase(_ victims: [Victim]) throws {
        guard !victims.isEmpty else { return }
        let dictionaries = try transaction.dictionaries()
        var tombstones: [StoredTombstone] = []
        var samples: [TypeCode: [Victim]] = [:]
        for victim in victims {
            let type = victim.identity.type
            if TypeCatalog.description(for: type)?.kind.isPaged != true,
                let object = try transaction.object(sequence: victim.identity.sequence)
            {
                tombstones.append(try erase(object, victim, dictionaries))
            } else {
                samples[type, default: []].append(victim)
            }
        }
        for (type, victims) in samples {
            try erase(victims, of: type, dictionaries, &tombstones)
        }
        for tombstone in tombstones.sorted(by: { $0.sequence < $1.sequence }) {
            try transaction.putTombstone(tombstone)
        }
        try AttachmentTable.removeAll(of: tombstones.map(\.uuid), in: transaction)
    }

    private func erase(
        _ object: StoredObject, _ victim: Victim, _ dictionaries: StoreDictionaries
    ) throws -> StoredTombstone {
        let metadata = try ObjectCoder.decode(object.payload).metadata
        let mark = SyncMark(metadata)
        try removeSync(mark, type: object.type, revision: object.revision, of: victim, dictionaries)
        if let successor = victim.successor {
            try transaction.replaceMember(object.sequence, with: successor)
        }
        try transaction.removeObject(sequence: object.sequence)
        return StoredTombstone(
            sequence: victim.tombstone, type: object.type,
            uuid: object.uuid ?? identities.uuid(for: object.sequence),
            syncIdentifier: mark?.identifier, syncVersion: mark?.version)
    }

    private func erase(
        _ victims: [Victim], of type: TypeCode, _ dictionaries: StoreDictionaries,
        _ tombstones: inout [StoredTombstone]
    ) throws {
        let bySequence = Dictionary(
            victims.map { ($0.identity.sequence, $0) }, uniquingKeysWith: { first, _ in first })
        let removed = try editor.remove(bySequence.keys.sorted(), of: type, identities: identities)
        for row in removed.sequences.indices {
            let sequence = removed.sequences[row]
            guard let victim = bySequence[sequence] else { continue }
            let mark = SyncMark(removed.metadata(at: row))
            try removeSync(
                mark, type: type, revision: removed.revisions[row], of: victim, dictionaries)
            let given = removed.uuid(at: row)
            if let given { try transaction.removeIdentity(given) }
            if removed.metadata(at: row)[MetadataKey.seriesCount] != nil {
                try QuantitySeriesTable.remove(of: victim.identity, in: transaction)
            }
            if let successor = victim.successor {
                try transaction.replaceMember(sequence, with: successor)
            } else {
                try transaction.removeLinks(ofMember: sequence)
            }
            tombstones.append(
                StoredTombstone(
                    sequence: victim.tombstone, type: type,
                    uuid: given ?? identities.uuid(for: sequence),
                    syncIdentifier: mark?.identifier, syncVersion: mark?.version))
        }
    }

    /// Frees the sync identifier, unless another object holds it by now.
    private func removeSync(
        _ mark: SyncMark?, type: TypeCode, revision: UInt32, of victim: Victim,
        _ dictionaries: StoreDictionaries
    ) throws {
        guard let mark, let source = dictionaries.revision(revision)?.source.bundleIdentifier else {
            return
        }
        let key = mark.key(source: source, type: type)
        if try transaction.sync(key)?.sequence == victim.identity.sequence {
            try transaction.removeSync(key)
        }
    }
}
