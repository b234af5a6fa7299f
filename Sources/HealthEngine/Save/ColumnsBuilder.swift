import HealthModel

/// Gathers sample records of one type and gives them as ordered columns.
struct ColumnsBuilder {
    private var columns: SampleColumns
    private var metadataNumbers: [Metadata: UInt32] = [:]
    private var isOrdered = true

    init(type: TypeCode) {
        columns = SampleColumns(type: type)
    }

    /// Appends a sample whose sequence is above those of all before it.
    mutating func append(
        _ sample: SampleRecord, unit: UInt32, revision: UInt32, device: UInt32, sequence: Int64
    ) {
        let row = columns.starts.count
        if let last = columns.starts.last, sample.start < last { isOrdered = false }
        columns.starts.append(sample.start)
        columns.ends.append(sample.end)
        columns.values.append(sample.value)
        columns.units.append(unit)
        columns.revisions.append(revision)
        columns.devices.append(device)
        columns.sequences.append(sequence)
        columns.metadata.append(number(of: sample.metadata))
        if let uuid = sample.uuid {
            columns.uuids.append(contentsOf: repeatElement(nil, count: row - columns.uuids.count))
            columns.uuids.append(uuid)
        } else if !columns.uuids.isEmpty {
            columns.uuids.append(nil)
        }
        if let creation = sample.creation {
            columns.creations.append(
                contentsOf: repeatElement(.nan, count: row - columns.creations.count))
            columns.creations.append(creation)
        } else if !columns.creations.isEmpty {
            columns.creations.append(.nan)
        }
    }

    /// The samples by start, then sequence.
    func ordered() -> SampleColumns {
        isOrdered ? columns : columns.permuted(by: columns.orderByStart())
    }

    private mutating func number(of metadata: Metadata) -> UInt32 {
        guard !metadata.isEmpty else { return 0 }
        if let last = columns.metadata.last, last > 0, columns.metadataTable[Int(last) - 1] == metadata {
            return last
        }
        if let known = metadataNumbers[metadata] { return known }
        columns.metadataTable.append(metadata)
        let number = UInt32(columns.metadataTable.count)
        metadataNumbers[metadata] = number
        return number
    }
}
