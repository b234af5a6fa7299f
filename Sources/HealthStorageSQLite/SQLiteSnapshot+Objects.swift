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
            try database.visit(
                """
                \(Self.objectColumns) INDEXED BY object_time
                WHERE type = ? AND start <= ? AND "end" >= ? ORDER BY start, sequence
                """,
                [type, starts.upperBound, earliestEnd]
            ) { try visit(StoredObject($0)) }
        case .sequences(let sequences)?:
            try database.visit(
                """
                \(Self.objectColumns) INDEXED BY object_sequence
                WHERE type = ? AND sequence BETWEEN ? AND ? ORDER BY sequence
                """,
                [type, sequences.lowerBound, sequences.upperBound]
            ) { try visit(StoredObject($0)) }
        }
    }

    final func object(sequence: Int64) throws -> StoredObject? {
        try database.first("\(Self.objectColumns) WHERE sequence = ?", [sequence]) { try StoredObject($0) }
    }

    final func locate(_ uuid: UUID) throws -> StoredIdentity? {
        try database.first("SELECT type, sequence FROM identity WHERE uuid = ?", [uuid]) { try StoredIdentity($0) }
    }

    final func sync(_ key: StoredSync.Key) throws -> StoredSync? {
        try database.first(
            """
            SELECT version, sequence FROM sync
            WHERE source = (SELECT id FROM sync_source WHERE bundle = ?) AND type = ? AND identifier = ?
            """,
            key.arguments
        ) { StoredSync(key: key, version: $0.real(0), sequence: $0.integer(1)) }
    }

    final func visitIdentities(_ visit: (UUID, StoredIdentity) throws -> Bool) throws {
        try database.visit("SELECT uuid, type, sequence FROM identity ORDER BY uuid") {
            try visit($0.uuid(0), StoredIdentity($0, at: 1))
        }
    }

    final func visitSyncs(_ visit: (StoredSync) throws -> Bool) throws {
        try database.visit(
            """
            SELECT bundle, type, identifier, version, sequence FROM sync JOIN sync_source ON id = source
            ORDER BY source, type, identifier
            """
        ) { try visit(StoredSync($0)) }
    }

    final func visitTombstones(
        after sequence: Int64, types: Set<TypeCode>?, _ visit: (StoredTombstone) throws -> Bool
    ) throws {
        try database.visit(
            """
            SELECT sequence, type, uuid, sync_identifier, sync_version, start, "end", revision FROM tombstone
            WHERE sequence > ? ORDER BY sequence
            """,
            [sequence]
        ) { statement in
            if let types, !types.contains(try statement.code(1)) { return true }
            return try visit(StoredTombstone(statement))
        }
    }
}
