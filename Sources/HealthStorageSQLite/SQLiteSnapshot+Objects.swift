import Foundation
import HealthModel
import HealthStorage

extension SQLiteSnapshot {
    private static let objectColumns =
        "SELECT sequence, type, start, \"end\", uuid, revision, device, payload FROM object"

    final func visitObjects(
        of type: TypeCode, in window: PageWindow, _ visit: (StoredObject) throws -> Bool
    ) throws {
        switch window {
        case .all:
            try visitObjects(of: type, startsBefore: nil, endsAtOrAfter: nil, visit)
        case .time(let startsBefore, let endsAtOrAfter):
            try visitObjects(of: type, startsBefore: startsBefore, endsAtOrAfter: endsAtOrAfter, visit)
        case .sequencesAfter(let sequence):
            try visitObjects(of: type, after: sequence, visit)
        case .containing(let sequence):
            if let object = try object(sequence: sequence), object.type == type {
                _ = try visit(object)
            }
        }
    }

    final func object(sequence: Int64) throws -> StoredObject? {
        try database.run("\(Self.objectColumns) WHERE sequence = ?") { statement in
            try statement.bind(sequence, at: 1)
            return try statement.step() ? try Self.object(statement) : nil
        }
    }

    final func locate(_ uuid: UUID) throws -> StoredIdentity? {
        try database.run("SELECT type, sequence FROM identity WHERE uuid = ?") { statement in
            try statement.bind(uuid, at: 1)
            guard try statement.step() else { return nil }
            return StoredIdentity(
                type: TypeCode(rawValue: try statement.number(0)), sequence: statement.integer(1))
        }
    }

    final func sync(_ key: StoredSync.Key) throws -> StoredSync? {
        try database.run(
            """
            SELECT version, sequence FROM sync
            WHERE source = (SELECT id FROM sync_source WHERE bundle = ?) AND type = ? AND identifier = ?
            """
        ) { statement in
            try statement.bind(key)
            guard try statement.step() else { return nil }
            return StoredSync(key: key, version: statement.real(0), sequence: statement.integer(1))
        }
    }

    final func visitIdentities(_ visit: (UUID, StoredIdentity) throws -> Bool) throws {
        try database.run("SELECT uuid, type, sequence FROM identity ORDER BY uuid") { statement in
            while try statement.step() {
                let identity = StoredIdentity(
                    type: TypeCode(rawValue: try statement.number(1)), sequence: statement.integer(2))
                guard try visit(try statement.uuid(0), identity) else { return }
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
                let key = StoredSync.Key(
                    source: statement.text(0), type: TypeCode(rawValue: try statement.number(1)),
                    identifier: statement.text(2))
                guard try visit(StoredSync(key: key, version: statement.real(3), sequence: statement.integer(4))) else {
                    return
                }
            }
        }
    }

    final func visitTombstones(
        after sequence: Int64, types: Set<TypeCode>?, _ visit: (StoredTombstone) throws -> Bool
    ) throws {
        try database.run(
            """
            SELECT sequence, type, uuid, sync_identifier, sync_version FROM tombstone
            WHERE sequence > ? ORDER BY sequence
            """
        ) { statement in
            try statement.bind(sequence, at: 1)
            while try statement.step() {
                let type = TypeCode(rawValue: try statement.number(1))
                if let types, !types.contains(type) { continue }
                let tombstone = StoredTombstone(
                    sequence: statement.integer(0), type: type, uuid: try statement.uuid(2),
                    syncIdentifier: statement.optionalText(3), syncVersion: statement.optionalReal(4))
                guard try visit(tombstone) else { return }
            }
        }
    }

    private func visitObjects(
        of type: TypeCode, startsBefore: Double?, endsAtOrAfter: Double?,
        _ visit: (StoredObject) throws -> Bool
    ) throws {
        try database.run(
            """
            \(Self.objectColumns) INDEXED BY object_time
            WHERE type = ? AND start <= ? AND "end" >= ? ORDER BY start, sequence
            """
        ) { statement in
            try statement.bind(Int64(type.rawValue), at: 1)
            try statement.bind(startsBefore.map(\.nextDown) ?? .infinity, at: 2)
            try statement.bind(endsAtOrAfter ?? -.infinity, at: 3)
            while try statement.step() {
                guard try visit(try Self.object(statement)) else { return }
            }
        }
    }

    private func visitObjects(
        of type: TypeCode, after sequence: Int64, _ visit: (StoredObject) throws -> Bool
    ) throws {
        try database.run(
            """
            \(Self.objectColumns) INDEXED BY object_sequence
            WHERE type = ? AND sequence > ? ORDER BY sequence
            """
        ) { statement in
            try statement.bind(Int64(type.rawValue), at: 1)
            try statement.bind(sequence, at: 2)
            while try statement.step() {
                guard try visit(try Self.object(statement)) else { return }
            }
        }
    }

    private static func object(_ statement: PreparedStatement) throws -> StoredObject {
        StoredObject(
            sequence: statement.integer(0), uuid: try statement.optionalUUID(4),
            type: TypeCode(rawValue: try statement.number(1)), start: statement.real(2),
            end: statement.real(3), revision: try statement.number(5), device: try statement.number(6),
            payload: Array(statement.bytes(7)))
    }
}

extension PreparedStatement {
    /// Binds a sync key as the first three arguments.
    func bind(_ key: StoredSync.Key) throws {
        try bind(key.source, at: 1)
        try bind(Int64(key.type.rawValue), at: 2)
        try bind(key.identifier, at: 3)
    }
}
