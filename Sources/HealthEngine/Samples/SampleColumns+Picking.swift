public import HealthModel

extension SampleColumns {
    /// Appends some rows of other columns, in the order given. Both sides must hold the same columns;
    /// metadata that is picked moves along, once for every distinct one.
    mutating func append(_ rows: [Int], of other: SampleColumns) {
        let before = count
        Self.pick(rows, other.starts, into: &starts)
        Self.pick(rows, other.ends, into: &ends)
        Self.pick(rows, other.values, into: &values)
        Self.pick(rows, other.units, into: &units)
        Self.pick(rows, other.revisions, into: &revisions)
        Self.pick(rows, other.devices, into: &devices)
        Self.pick(rows, other.sequences, into: &sequences)
        appendMetadata(rows, of: other)
        // The two columns that may be missing as a whole are filled up on the side that lacks them.
        if !uuids.isEmpty || rows.contains(where: { other.uuid(at: $0) != nil }) {
            while uuids.count < before { uuids.append(nil) }
            for row in rows { uuids.append(other.uuid(at: row)) }
        }
        if !creations.isEmpty || rows.contains(where: { other.creation(at: $0) != nil }) {
            while creations.count < before { creations.append(.nan) }
            for row in rows { creations.append(other.creation(at: row) ?? .nan) }
        }
    }

    private mutating func appendMetadata(_ rows: [Int], of other: SampleColumns) {
        guard !other.metadata.isEmpty else { return }
        var moved = [UInt32](repeating: 0, count: other.metadataTable.count)
        for row in rows {
            let entry = other.metadata[row]
            guard entry > 0 else {
                metadata.append(0)
                continue
            }
            if moved[Int(entry) - 1] == 0 {
                metadataTable.append(other.metadataTable[Int(entry) - 1])
                moved[Int(entry) - 1] = UInt32(metadataTable.count)
            }
            metadata.append(moved[Int(entry) - 1])
        }
    }

    private static func pick<Value>(_ rows: [Int], _ column: [Value], into target: inout [Value]) {
        guard !column.isEmpty else { return }
        for row in rows { target.append(column[row]) }
    }

    /// One row as a record.
    public func record(
        at row: Int, dictionaries: StoreDictionaries, identities: DerivedIdentities
    ) -> SampleRecord {
        SampleRecord(
            uuid: uuid(at: row) ?? identities.uuid(for: sequences[row]), type: type,
            start: starts[row], end: ends[row], value: values[row],
            unit: dictionaries.unit(units.isEmpty ? 0 : units[row]),
            revision: dictionaries.revision(revisions[row]),
            device: dictionaries.device(devices.isEmpty ? 0 : devices[row]),
            metadata: metadata(at: row), creation: creation(at: row), sequence: sequences[row])
    }
}
