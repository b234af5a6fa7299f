import HealthModel

/// Rows between columns. All columns here are complete, as decoded in full; only UUIDs and creation
/// dates may be missing as a whole.
extension SampleColumns {
    mutating func reserve(_ count: Int) {
        starts.reserveCapacity(count)
        ends.reserveCapacity(count)
        values.reserveCapacity(count)
        units.reserveCapacity(count)
        revisions.reserveCapacity(count)
        devices.reserveCapacity(count)
        metadata.reserveCapacity(count)
        sequences.reserveCapacity(count)
    }

    /// Appends a run of another's rows. `numbers` gives its metadata their numbers here.
    mutating func append(
        _ other: SampleColumns, rows: Range<Int>, numbers: inout MetadataNumbers
    ) {
        guard !rows.isEmpty else { return }
        let before = starts.count
        starts.append(contentsOf: other.starts[rows])
        ends.append(contentsOf: other.ends[rows])
        values.append(contentsOf: other.values[rows])
        units.append(contentsOf: other.units[rows])
        revisions.append(contentsOf: other.revisions[rows])
        devices.append(contentsOf: other.devices[rows])
        sequences.append(contentsOf: other.sequences[rows])
        if other.metadataTable.isEmpty {
            metadata.append(contentsOf: repeatElement(0, count: rows.count))
        } else {
            for row in rows {
                metadata.append(
                    numbers.number(of: other.metadata[row], in: other, for: &metadataTable))
            }
        }
        if !other.uuids.isEmpty {
            uuids.append(contentsOf: repeatElement(nil, count: before - uuids.count))
            uuids.append(contentsOf: other.uuids[rows])
        } else if !uuids.isEmpty {
            uuids.append(contentsOf: repeatElement(nil, count: rows.count))
        }
        if !other.creations.isEmpty {
            creations.append(contentsOf: repeatElement(.nan, count: before - creations.count))
            creations.append(contentsOf: other.creations[rows])
        } else if !creations.isEmpty {
            creations.append(contentsOf: repeatElement(.nan, count: rows.count))
        }
    }

    /// The rows of both, in order. Both are ordered by start and sequence, and every sequence of
    /// `newer` is above every one of these: at equal starts these rows come first.
    func merged(with newer: SampleColumns, rows: Range<Int>) -> SampleColumns {
        var result = SampleColumns(type: type)
        result.reserve(starts.count + rows.count)
        var ownNumbers = MetadataNumbers()
        var newNumbers = MetadataNumbers()
        var own = 0
        var new = rows.lowerBound
        while own < starts.count || new < rows.upperBound {
            var ownEnd = own
            if new < rows.upperBound {
                while ownEnd < starts.count, starts[ownEnd] <= newer.starts[new] { ownEnd += 1 }
            } else {
                ownEnd = starts.count
            }
            result.append(self, rows: own..<ownEnd, numbers: &ownNumbers)
            own = ownEnd
            var newEnd = new
            if own < starts.count {
                while newEnd < rows.upperBound, newer.starts[newEnd] < starts[own] { newEnd += 1 }
            } else {
                newEnd = rows.upperBound
            }
            result.append(newer, rows: new..<newEnd, numbers: &newNumbers)
            new = newEnd
        }
        return result
    }

    /// The rows for which `isWanted` is true, in order.
    func rows(where isWanted: (Int) -> Bool) -> SampleColumns {
        var result = SampleColumns(type: type)
        var numbers = MetadataNumbers()
        var row = 0
        while row < starts.count {
            guard isWanted(row) else {
                row += 1
                continue
            }
            var end = row + 1
            while end < starts.count, isWanted(end) { end += 1 }
            result.append(self, rows: row..<end, numbers: &numbers)
            row = end
        }
        return result
    }
}
