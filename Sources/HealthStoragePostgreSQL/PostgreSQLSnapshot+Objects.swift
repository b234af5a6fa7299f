import Foundation
import HealthModel
import HealthStorage

extension PostgreSQLSnapshot {
    private static let objectColumns =
        "SELECT sequence, type, start, \"end\", uuid, revision, device, payload FROM object"

    final func visitObjects(
        of type: TypeCode, in window: PageWindow, _ visit: (StoredObject) throws -> Bool
    ) throws {
        switch window.search() {
        case nil: return
        case .starts(let starts, let earliestEnd)?:
            // No object starts at minus infinity.
            var last = (start: -Double.infinity, sequence: Int64.max)
            try visitBatches { limit in
                try rows(
                    """
                    \(Self.objectColumns)
                    WHERE person = $1 AND type = $2 AND (start, sequence) > ($3, $4) AND start <= $5 AND "end" >= $6
                    ORDER BY start, sequence LIMIT $7
                    """,
                    [person, type, last.start, last.sequence, starts.upperBound, earliestEnd, limit])
            } visit: { row in
                let object = try StoredObject(row)
                last = (object.start, object.sequence)
                return try visit(object)
            }
        case .sequences(let sequences)?:
            var first = sequences.lowerBound
            try visitBatches { limit in
                try rows(
                    """
                    \(Self.objectColumns)
                    WHERE person = $1 AND type = $2 AND sequence BETWEEN $3 AND $4 ORDER BY sequence LIMIT $5
                    """,
                    [person, type, first, sequences.upperBound, limit])
            } visit: { row in
                let object = try StoredObject(row)
                first = object.sequence &+ 1
                return try visit(object)
            }
        }
    }

    final func object(sequence: Int64) throws -> StoredObject? {
        let rows = try rows("\(Self.objectColumns) WHERE person = $1 AND sequence = $2", [person, sequence])
        return try rows.first.map { try StoredObject($0) }
    }

    final func sync(_ key: StoredSync.Key) throws -> StoredSync? {
        let rows = try rows(
            """
            SELECT version, sequence FROM sync
            WHERE person = $1 AND source = $2 AND type = $3 AND identifier = $4
            """,
            [person, key.source, key.type, key.identifier])
        guard rows.count > 0 else { return nil }
        return StoredSync(key: key, version: try rows[0].real(0), sequence: try rows[0].integer(1))
    }

    final func visitIdentities(_ visit: (UUID, StoredIdentity) throws -> Bool) throws {
        var last = Int64.min
        while true {
            let call = PostgreSQLIdentities.next(1_024, after: last, of: person, in: pool.address.schema)
            guard let rows = try perform([call]).last, !rows.isEmpty else { return }
            for row in rows {
                last = max(last, try row.integer(PostgreSQLIdentities.firstColumn))
                let (uuid, identity) = try PostgreSQLIdentities.identity(row)
                guard try visit(uuid, identity) else { return }
            }
        }
    }

    final func visitSyncs(_ visit: (StoredSync) throws -> Bool) throws {
        let columns = "SELECT source, type, identifier, version, sequence FROM sync WHERE person = $1"
        var last: StoredSync.Key?
        try visitBatches { limit in
            guard let last else {
                return try rows("\(columns) ORDER BY source, type, identifier LIMIT $2", [person, limit])
            }
            return try rows(
                "\(columns) AND (source, type, identifier) > ($3, $4, $5) ORDER BY source, type, identifier LIMIT $2",
                [person, limit, last.source, last.type, last.identifier])
        } visit: { row in
            let sync = try StoredSync(row)
            last = sync.key
            return try visit(sync)
        }
    }

    final func visitTombstones(
        after sequence: Int64, types: Set<TypeCode>?, _ visit: (StoredTombstone) throws -> Bool
    ) throws {
        var last = sequence
        try visitBatches { limit in
            try rows(
                """
                SELECT sequence, type, uuid, sync_identifier, sync_version, start, "end", revision FROM tombstone
                WHERE person = $1 AND sequence > $2 ORDER BY sequence LIMIT $3
                """,
                [person, last, limit])
        } visit: { row in
            let tombstone = try StoredTombstone(row)
            last = tombstone.sequence
            if let types, !types.contains(tombstone.type) { return true }
            return try visit(tombstone)
        }
    }

    /// Visits rows in batches, which grow; each begins after the row visited last.
    private func visitBatches(
        _ batch: (_ limit: Int64) throws -> PostgreSQLRows, visit: (PostgreSQLRow) throws -> Bool
    ) throws {
        var limit: Int64 = 64
        while true {
            let rows = try batch(limit)
            for row in rows {
                guard try visit(row) else { return }
            }
            guard rows.count == Int(limit) else { return }
            limit = min(limit * 4, 1_024)
        }
    }
}
