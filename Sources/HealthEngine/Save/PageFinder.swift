import Foundation
import HealthModel
import HealthPages
import HealthStorage

/// Finds stored samples by identity or sequence. The reading half of ``PageEditor``.
struct PageFinder {
    let snapshot: any StorageSnapshot
    let identities: DerivedIdentities

    /// Where a UUID, given or derived, leads to; `nil` for one that stands for nothing stored.
    func locate(_ uuid: UUID) throws -> StoredIdentity? {
        try snapshot.locate(uuid) ?? locateDerived(uuid)
    }

    /// Where a UUID leads to that the store gave itself; `nil` for any other.
    func locateDerived(_ uuid: UUID) throws -> StoredIdentity? {
        guard let sequence = identities.sequence(of: uuid), sequence > 0,
            sequence <= (try snapshot.lastSequence())
        else { return nil }
        if let object = try snapshot.object(sequence: sequence) {
            return object.uuid == nil ? StoredIdentity(type: object.type, sequence: sequence) : nil
        }
        for type in try snapshot.typesInUse() {
            let found = try rows(of: type, sequences: [sequence], columns: .uuids)
            if found.count == 1, found.uuid(at: 0) == nil {
                return StoredIdentity(type: type, sequence: sequence)
            }
        }
        return nil
    }

    /// Samples of one type by sequence, as many as are there, in page order. `sequences` ascend.
    func rows(
        of type: TypeCode, sequences: [Int64], columns: SampleColumnSet = .all
    ) throws -> SampleColumns {
        var result = SampleColumns(type: type)
        try visitRows(of: type, sequences: sequences) { page, rows in
            let decoded = try page.decode(columns.union([.starts, .sequences]))
            result.gather(decoded, rows: rows)
            return true
        }
        return result
    }

    /// Visits the pages that hold any of these sequences (ascending), each with its rows of them,
    /// until `visit` returns false or all are found. Pages may be rewritten by `visit`.
    func visitRows(
        of type: TypeCode, sequences: [Int64],
        _ visit: (StoredPage, [Int]) throws -> Bool
    ) throws {
        var missing = sequences.count
        for candidate in try candidates(of: type, sequences: sequences) {
            guard missing > 0 else { return }
            guard let body = try snapshot.pageBody(candidate.key) else { continue }
            var page = candidate
            page.body = body
            let stored = try page.decode(.sequences).sequences
            let rows = stored.indices.filter { sequences.containsSorted(stored[$0]) }
            guard !rows.isEmpty else { continue }
            missing -= rows.count
            guard try visit(page, rows) else { return }
        }
    }

    /// Pages whose range of sequences includes any of these, without bodies.
    private func candidates(of type: TypeCode, sequences: [Int64]) throws -> [StoredPage] {
        var found: [StoredPage] = []
        if sequences.count <= 4 {
            for sequence in sequences {
                try snapshot.visitPages(of: type, in: .containing(sequence: sequence), bodies: false) {
                    let key = $0.key
                    if !found.contains(where: { $0.key == key }) { found.append($0.copy) }
                    return true
                }
            }
            return found
        }
        try snapshot.visitPages(of: type, in: .all, bodies: false) { view in
            let next = sequences.lowerBound(of: view.bounds.leastSequence)
            if next < sequences.count, sequences[next] <= view.bounds.greatestSequence {
                found.append(view.copy)
            }
            return true
        }
        return found
    }
}

extension SampleColumns {
    /// Appends single rows of columns that may be decoded in part.
    fileprivate mutating func gather(_ other: SampleColumns, rows: [Int]) {
        func take<Value>(_ column: inout [Value], _ from: [Value]) {
            guard !from.isEmpty else { return }
            for row in rows { column.append(from[row]) }
        }
        var numbers = MetadataNumbers()
        for row in rows where row < other.metadata.count {
            metadata.append(numbers.number(of: other.metadata[row], in: other, for: &metadataTable))
        }
        if !other.uuids.isEmpty || !uuids.isEmpty {
            uuids.append(contentsOf: repeatElement(nil, count: starts.count - uuids.count))
            for row in rows { uuids.append(other.uuid(at: row)) }
        }
        if !other.creations.isEmpty || !creations.isEmpty {
            creations.append(contentsOf: repeatElement(.nan, count: starts.count - creations.count))
            for row in rows { creations.append(other.creation(at: row) ?? .nan) }
        }
        take(&starts, other.starts)
        take(&ends, other.ends)
        take(&values, other.values)
        take(&units, other.units)
        take(&revisions, other.revisions)
        take(&devices, other.devices)
        take(&sequences, other.sequences)
    }
}
