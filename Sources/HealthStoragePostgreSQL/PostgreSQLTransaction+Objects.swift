import Foundation
import HealthModel
import HealthStorage

extension PostgreSQLTransaction {
    func putObject(_ object: StoredObject) throws {
        let isNew = isAllocatedHere(object.sequence) && newObjects.insert(object.sequence).inserted
        let previous = isNew ? nil : try uuid(ofObject: object.sequence)
        // The UUID first, so that a duplicate is found before anything of the object has been written.
        if let uuid = object.uuid {
            if previous == uuid { try removeIdentity(uuid) }
            try putIdentity(uuid, StoredIdentity(type: object.type, sequence: object.sequence))
        }
        if let previous, previous != object.uuid { try removeIdentity(previous) }
        guard !isNew else { return try write { $0.objects.append(object) } }
        try write(
            """
            INSERT INTO object (person, sequence, type, start, "end", uuid, revision, device, payload)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
            ON CONFLICT (person, sequence) DO UPDATE SET type = excluded.type, start = excluded.start,
                "end" = excluded."end", uuid = excluded.uuid, revision = excluded.revision, device = excluded.device,
                payload = excluded.payload
            """,
            [
                person, object.sequence, object.type, object.start, object.end, object.uuid, Int64(object.revision),
                Int64(object.device), object.payload,
            ])
    }

    func removeObject(sequence: Int64) throws {
        guard let object = try object(sequence: sequence) else { return }
        if let uuid = object.uuid { try removeIdentity(uuid) }
        linkWindow = LinkWindow()
        for sql in [
            "DELETE FROM object WHERE person = $1 AND sequence = $2",
            "DELETE FROM link_run WHERE person = $1 AND owner = $2",
        ] {
            try write(sql, [person, sequence])
        }
        try removeLinks(ofMember: sequence)
    }

    func putIdentity(_ uuid: UUID, _ identity: StoredIdentity) throws {
        // A failed statement would end the transaction, so the UUID is looked up first, unless it was already or the
        // store is new.
        let isKnown =
            row.commits == 0
            ? !newIdentities.contains(uuid) : absentIdentities.contains(uuid) || assumedAbsent.remove(uuid) != nil
        if !isKnown, try locate(uuid) != nil {
            throw StorageError(.duplicate, "There is a sample or object with this UUID already.")
        }
        absentIdentities.remove(uuid)
        forgetPrefetched(uuid)
        if row.commits == 0 { newIdentities.insert(uuid) }
        try write { $0.identities[uuid] = identity }
    }

    func removeIdentity(_ uuid: UUID) throws {
        forgetPrefetched(uuid)
        try write {
            $0.identities[uuid] = nil
            $0.removedIdentities.insert(uuid)
        }
        recordAbsence(of: uuid)
    }

    func putSync(_ sync: StoredSync) throws {
        try write(
            """
            INSERT INTO sync (person, source, type, identifier, version, sequence) VALUES ($1, $2, $3, $4, $5, $6)
            ON CONFLICT (person, source, type, identifier)
            DO UPDATE SET version = excluded.version, sequence = excluded.sequence
            """,
            [person, sync.key.source, sync.key.type, sync.key.identifier, sync.version, sync.sequence])
    }

    func removeSync(_ key: StoredSync.Key) throws {
        try write(
            "DELETE FROM sync WHERE person = $1 AND source = $2 AND type = $3 AND identifier = $4",
            [person, key.source, key.type, key.identifier])
    }

    func putTombstone(_ tombstone: StoredTombstone) throws {
        if !(isAllocatedHere(tombstone.sequence) && newTombstones.insert(tombstone.sequence).inserted) {
            let found = try rows(
                "SELECT 1::int8 FROM tombstone WHERE person = $1 AND sequence = $2", [person, tombstone.sequence])
            guard found.count == 0 else {
                throw StorageError(.duplicate, "There is a deletion with this sequence number already.")
            }
        }
        try write(
            """
            INSERT INTO tombstone
                (person, sequence, type, uuid, sync_identifier, sync_version, start, "end", revision)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
            """,
            [
                person, tombstone.sequence, tombstone.type, tombstone.uuid, tombstone.syncIdentifier,
                tombstone.syncVersion, tombstone.start, tombstone.end, tombstone.revision.map { Int64($0) },
            ])
    }

    private func uuid(ofObject sequence: Int64) throws -> UUID? {
        let rows = try rows("SELECT uuid FROM object WHERE person = $1 AND sequence = $2", [person, sequence])
        return rows.count == 0 ? nil : try rows[0].optionalUUID(0)
    }
}
