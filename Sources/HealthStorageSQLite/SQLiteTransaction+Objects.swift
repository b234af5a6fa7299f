import Foundation
import GRDB
import HealthModel
import HealthStorage

extension SQLiteTransaction {
    func putObject(_ object: StoredObject) throws {
        recordSequence(object.sequence)
        let previous = try uuid(ofObject: object.sequence)
        // Write the UUID first, so that a duplicate is found before anything of the object has been written.
        if let uuid = object.uuid {
            if previous == uuid { try removeIdentity(uuid) }
            try putIdentity(uuid, StoredIdentity(type: object.type, sequence: object.sequence))
        }
        if let previous, previous != object.uuid { try removeIdentity(previous) }
        try database.run(
            """
            INSERT OR REPLACE INTO object (sequence, type, start, "end", uuid, revision, device, payload)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                object.sequence, object.type, object.start, object.end, object.uuid, Int64(object.revision),
                Int64(object.device),
            ]
        ) { statement in
            try object.payload.withUnsafeBytes {
                try statement.bind(bytes: $0, at: 8)
                try statement.execute()
            }
        }
    }

    func removeObject(sequence: Int64) throws {
        guard try object(sequence: sequence) != nil else { return }
        try willRemove()
        if let uuid = try uuid(ofObject: sequence) { try removeIdentity(uuid) }
        for sql in ["DELETE FROM object WHERE sequence = ?", "DELETE FROM link_run WHERE owner = ?"] {
            try database.execute(sql, [sequence])
        }
        try removeLinks(ofMember: sequence)
    }

    func putIdentity(_ uuid: UUID, _ identity: StoredIdentity) throws {
        try statements.run(.putIdentity, in: connection) { statement in
            try statement.bind([uuid, identity.type, identity.sequence])
            try statement.execute()
        }
    }

    func removeIdentity(_ uuid: UUID) throws {
        try database.execute("DELETE FROM identity WHERE uuid = ?", [uuid])
    }

    func putSync(_ sync: StoredSync) throws {
        try database.execute("INSERT OR IGNORE INTO sync_source (bundle) VALUES (?)", [sync.key.source])
        try database.execute(
            """
            INSERT OR REPLACE INTO sync (source, type, identifier, version, sequence)
            VALUES ((SELECT id FROM sync_source WHERE bundle = ?), ?, ?, ?, ?)
            """,
            [sync.key.source, sync.key.type, sync.key.identifier, sync.version, sync.sequence])
    }

    func removeSync(_ key: StoredSync.Key) throws {
        try database.execute(
            """
            DELETE FROM sync
            WHERE source = (SELECT id FROM sync_source WHERE bundle = ?) AND type = ? AND identifier = ?
            """,
            key.arguments)
    }

    func putTombstone(_ tombstone: StoredTombstone) throws {
        recordSequence(tombstone.sequence)
        try database.execute(
            """
            INSERT INTO tombstone (sequence, type, uuid, sync_identifier, sync_version, start, "end", revision)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                tombstone.sequence, tombstone.type, tombstone.uuid, tombstone.syncIdentifier, tombstone.syncVersion,
                tombstone.start, tombstone.end, tombstone.revision.map { Int64($0) },
            ])
    }

    private func uuid(ofObject sequence: Int64) throws -> UUID? {
        try database.first("SELECT uuid FROM object WHERE sequence = ?", [sequence]) { try $0.optionalUUID(0) }
    }
}
