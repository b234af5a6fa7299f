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
            """
        ) { statement in
            try statement.bind(object.sequence, at: 1)
            try statement.bind(Int64(object.type.rawValue), at: 2)
            try statement.bind(object.start, at: 3)
            try statement.bind(object.end, at: 4)
            try statement.bind(object.uuid, at: 5)
            try statement.bind(Int64(object.revision), at: 6)
            try statement.bind(Int64(object.device), at: 7)
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
            try database.run(sql) { statement in
                try statement.bind(sequence, at: 1)
                try statement.execute()
            }
        }
        try removeLinks(ofMember: sequence)
    }

    func putIdentity(_ uuid: UUID, _ identity: StoredIdentity) throws {
        try statements.run(.putIdentity, in: connection) { statement in
            try statement.bind(uuid, at: 1)
            try statement.bind(Int64(identity.type.rawValue), at: 2)
            try statement.bind(identity.sequence, at: 3)
            try statement.execute()
        }
    }

    func removeIdentity(_ uuid: UUID) throws {
        try database.run("DELETE FROM identity WHERE uuid = ?") { statement in
            try statement.bind(uuid, at: 1)
            try statement.execute()
        }
    }

    func putSync(_ sync: StoredSync) throws {
        try database.run("INSERT OR IGNORE INTO sync_source (bundle) VALUES (?)") { statement in
            try statement.bind(sync.key.source, at: 1)
            try statement.execute()
        }
        try database.run(
            """
            INSERT OR REPLACE INTO sync (source, type, identifier, version, sequence)
            VALUES ((SELECT id FROM sync_source WHERE bundle = ?), ?, ?, ?, ?)
            """
        ) { statement in
            try statement.bind(sync.key)
            try statement.bind(sync.version, at: 4)
            try statement.bind(sync.sequence, at: 5)
            try statement.execute()
        }
    }

    func removeSync(_ key: StoredSync.Key) throws {
        try database.run(
            """
            DELETE FROM sync
            WHERE source = (SELECT id FROM sync_source WHERE bundle = ?) AND type = ? AND identifier = ?
            """
        ) { statement in
            try statement.bind(key)
            try statement.execute()
        }
    }

    func putTombstone(_ tombstone: StoredTombstone) throws {
        recordSequence(tombstone.sequence)
        try database.run(
            """
            INSERT INTO tombstone (sequence, type, uuid, sync_identifier, sync_version)
            VALUES (?, ?, ?, ?, ?)
            """
        ) { statement in
            try statement.bind(tombstone.sequence, at: 1)
            try statement.bind(Int64(tombstone.type.rawValue), at: 2)
            try statement.bind(tombstone.uuid, at: 3)
            try statement.bind(tombstone.syncIdentifier, at: 4)
            try statement.bind(tombstone.syncVersion, at: 5)
            try statement.execute()
        }
    }

    private func uuid(ofObject sequence: Int64) throws -> UUID? {
        try database.run("SELECT uuid FROM object WHERE sequence = ?") { statement in
            try statement.bind(sequence, at: 1)
            return try statement.step() ? try statement.optionalUUID(0) : nil
        }
    }
}
