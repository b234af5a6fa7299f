import Foundation
import HealthModel
import HealthStorage

extension SQLiteSnapshot {
    private static let objectColumns =
        "SELECT sequence, type, start, \"end\", uuid, revision, device, payload FROM object"

    final func visitObjects(
        of type: TypeCode, in window: PageWindow, _ visit: (StoredObject) throws -> Bool
    ) throws {
        switch window.search() {
        case nil: return
        case .starts(let starts, let earliestEnd)?:
            try database.run(
                """
                \(Self.objectColumns) INDEXED BY object_time
                WHERE type = ? AND start <= ? AND "end" >= ? ORDER BY start, sequence
                """,
                [type, starts.upperBound, earliestEnd]
            ) { statement in
                while try statement.step() {
                    guard try visit(StoredObject(statement)) else { return }
                }
            }
        case .sequences(let sequences)?:
            try database.run(
                """
                \(Self.objectColumns) INDEXED BY object_sequence
                WHERE type = ? AND sequence BETWEEN ? AND ? ORDER BY sequence
                """,
                [type, sequences.lowerBound, sequences.upperBound]
            ) { statement in
                while try statement.step() {
                    guard try visit(StoredObject(statement)) else { return }
                }
            }
        }
    }

    final func object(sequence: Int64) throws -> StoredObject? {
        try database.run("\(Self.objectColumns) WHERE sequence = ?", [sequence]) { statement in
            try statement.step() ? try StoredObject(statement) : nil
        }
    }

    final func locate(_ uuid: UUID) throws -> StoredIdentity? {
        try database.run("SELECT type, sequence FROM identity WHERE uuid = ?", [uuid]) { statement in
            try statement.step() ? try StoredIdentity(statement) : nil
        }
    }

    final func sync(_ key: StoredSync.Key) throws -> StoredSync? {
        try database.run(
            """
            SELECT version, sequence FROM sync
            WHERE source = (SELECT id FROM sync_source WHERE bundle = ?) AND type = ? AND identifier = ?
            """,
            key.arguments
        ) { statement in
            guard try statement.step() else { return nil }
            return StoredSync(key: key, version: statement.real(0), sequence: statement.integer(1))
        }
    }

    final func visitIdentities(_ visit: (UUID, StoredIdentity) throws -> Bool) throws {
        try database.run("SELECT uuid, type, sequence FROM identity ORDER BY uuid") { statement in
            while try statement.step() {
                guard try visit(statement.uuid(0), StoredIdentity(statement, at: 1)) else { return }
            }
        }
    }

    final func visitSyncs(_ visit: (StoredSync) throws -> Bool) throws {
        try database.run(
            """
            SELECT bundle, type, identifier, version, sequence FROM sync JOIN sync_source ON id = source
            ORDER BY source, type, identifier
            """
        ) { statement in
            while try statement.step() {
                guard try visit(StoredSync(statement)) else { return }
            }
        }
    }

    final func visitTombstones(
        after sequence: Int64, types: Set<TypeCode>?, _ visit: (StoredTombstone) throws -> Bool
    ) throws {
        try database.run(
            """
            SELECT sequence, type, uuid, sync_identifier, sync_version, start, "end", revision FROM tombstone
            WHERE sequence > ? ORDER BY sequence
            """,
            [sequence]
        ) { statement in
            while try statement.step() {
                if let types, !types.contains(try statement.code(1)) { continue }
                guard try visit(StoredTombstone(statement)) else { return }
            }
        }
    }
}
