import Foundation
import HealthModel
import HealthStorage

extension PostgreSQLSnapshot {
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
        let rows = try rows("\(Self.objectColumns) WHERE person = $1 AND sequence = $2") {
            $0.add(person)
            $0.add(sequence)
        }
        return rows.count == 0 ? nil : try Self.object(rows, 0)
    }

    final func sync(_ key: StoredSync.Key) throws -> StoredSync? {
        let rows = try rows(
            """
            SELECT version, sequence FROM sync
            WHERE person = $1 AND source = $2 AND type = $3 AND identifier = $4
            """
        ) {
            $0.add(person)
            $0.add(key)
        }
        guard rows.count > 0 else { return nil }
        return StoredSync(key: key, version: try rows.real(0, 0), sequence: try rows.integer(0, 1))
    }

    final func visitIdentities(_ visit: (UUID, StoredIdentity) throws -> Bool) throws {
        let columns = "SELECT uuid, type, sequence FROM identity WHERE person = $1"
        var last: UUID?
        try visitBatches { limit in
            guard let last else {
                return try rows("\(columns) ORDER BY uuid LIMIT $2") {
                    $0.add(person)
                    $0.add(limit)
                }
            }
            return try rows("\(columns) AND uuid > $3 ORDER BY uuid LIMIT $2") {
                $0.add(person)
                $0.add(limit)
                $0.add(last)
            }
        } visit: { rows, row in
            let uuid = try rows.uuid(row, 0)
            last = uuid
            return try visit(
                uuid,
                StoredIdentity(type: TypeCode(rawValue: try rows.number(row, 1)), sequence: try rows.integer(row, 2)))
        }
    }

    final func visitSyncs(_ visit: (StoredSync) throws -> Bool) throws {
        let columns = "SELECT source, type, identifier, version, sequence FROM sync WHERE person = $1"
        var last: StoredSync.Key?
        try visitBatches { limit in
            guard let last else {
                return try rows("\(columns) ORDER BY source, type, identifier LIMIT $2") {
                    $0.add(person)
                    $0.add(limit)
                }
            }
            return try rows(
                "\(columns) AND (source, type, identifier) > ($3, $4, $5) ORDER BY source, type, identifier LIMIT $2"
            ) {
                $0.add(person)
                $0.add(limit)
                $0.add(last)
            }
        } visit: { rows, row in
            let key = StoredSync.Key(
                source: rows.text(row, 0), type: TypeCode(rawValue: try rows.number(row, 1)),
                identifier: rows.text(row, 2))
            last = key
            return try visit(StoredSync(key: key, version: try rows.real(row, 3), sequence: try rows.integer(row, 4)))
        }
    }

    final func visitTombstones(
        after sequence: Int64, types: Set<TypeCode>?, _ visit: (StoredTombstone) throws -> Bool
    ) throws {
        var last = sequence
        try visitBatches { limit in
            try rows(
                """
                SELECT sequence, type, uuid, sync_identifier, sync_version FROM tombstone
                WHERE person = $1 AND sequence > $2 ORDER BY sequence LIMIT $3
                """
            ) {
                $0.add(person)
                $0.add(last)
                $0.add(limit)
            }
        } visit: { rows, row in
            last = try rows.integer(row, 0)
            let type = TypeCode(rawValue: try rows.number(row, 1))
            if let types, !types.contains(type) { return true }
            return try visit(
                StoredTombstone(
                    sequence: last, type: type, uuid: try rows.uuid(row, 2), syncIdentifier: rows.optionalText(row, 3),
                    syncVersion: try rows.optionalReal(row, 4)))
        }
    }

    private func visitObjects(
        of type: TypeCode, startsBefore: Double?, endsAtOrAfter: Double?,
        _ visit: (StoredObject) throws -> Bool
    ) throws {
        // No object starts at minus infinity.
        var last = (start: -Double.infinity, sequence: Int64.max)
        try visitBatches { limit in
            try rows(
                """
                \(Self.objectColumns)
                WHERE person = $1 AND type = $2 AND (start, sequence) > ($3, $4) AND start <= $5 AND "end" >= $6
                ORDER BY start, sequence LIMIT $7
                """
            ) {
                $0.add(person)
                $0.add(Int64(type.rawValue))
                $0.add(last.start)
                $0.add(last.sequence)
                $0.add(startsBefore.map(\.nextDown) ?? .infinity)
                $0.add(endsAtOrAfter ?? -.infinity)
                $0.add(limit)
            }
        } visit: { rows, row in
            let object = try Self.object(rows, row)
            last = (object.start, object.sequence)
            return try visit(object)
        }
    }

    private func visitObjects(
        of type: TypeCode, after sequence: Int64, _ visit: (StoredObject) throws -> Bool
    ) throws {
        var last = sequence
        try visitBatches { limit in
            try rows(
                """
                \(Self.objectColumns)
                WHERE person = $1 AND type = $2 AND sequence > $3 ORDER BY sequence LIMIT $4
                """
            ) {
                $0.add(person)
                $0.add(Int64(type.rawValue))
                $0.add(last)
                $0.add(limit)
            }
        } visit: { rows, row in
            let object = try Self.object(rows, row)
            last = object.sequence
            return try visit(object)
        }
    }

    /// Visits rows in batches, which grow; each begins after the row visited last.
    private func visitBatches(
        _ batch: (_ limit: Int64) throws -> PostgreSQLRows, visit: (PostgreSQLRows, Int) throws -> Bool
    ) throws {
        var limit: Int64 = 64
        while true {
            let rows = try batch(limit)
            for row in 0..<rows.count {
                guard try visit(rows, row) else { return }
            }
            guard rows.count == Int(limit) else { return }
            limit = min(limit * 4, 1_024)
        }
    }

    private static func object(_ rows: PostgreSQLRows, _ row: Int) throws -> StoredObject {
        StoredObject(
            sequence: try rows.integer(row, 0), uuid: try rows.optionalUUID(row, 4),
            type: TypeCode(rawValue: try rows.number(row, 1)), start: try rows.real(row, 2),
            end: try rows.real(row, 3), revision: try rows.number(row, 5), device: try rows.number(row, 6),
            payload: Array(rows.bytes(row, 7)))
    }
}

extension PostgreSQLArguments {
    /// Adds a sync key as three arguments.
    mutating func add(_ key: StoredSync.Key) {
        add(key.source)
        add(Int64(key.type.rawValue))
        add(key.identifier)
    }
}
