import HealthModel

extension SampleColumns {
    /// Row numbers by start; rows of equal start stay in their order.
    func orderByStart() -> [Int32] {
        starts.withUnsafeBufferPointer { starts in
            // Swift's sort is stable in fact but not by promise: the row breaks ties.
            (0..<Int32(starts.count)).sorted { left, right in
                let leftStart = starts[Int(left)]
                let rightStart = starts[Int(right)]
                return leftStart < rightStart || (leftStart == rightStart && left < right)
            }
        }
    }

    /// The rows in another order; columns that are empty stay so.
    func permuted(by order: [Int32]) -> SampleColumns {
        func permute<Value>(_ column: [Value]) -> [Value] {
            guard !column.isEmpty else { return [] }
            return column.withUnsafeBufferPointer { column in
                order.map { column[Int($0)] }
            }
        }
        var result = SampleColumns(type: type)
        result.starts = permute(starts)
        result.ends = permute(ends)
        result.values = permute(values)
        result.units = permute(units)
        result.revisions = permute(revisions)
        result.devices = permute(devices)
        result.metadata = permute(metadata)
        result.metadataTable = metadataTable
        result.sequences = permute(sequences)
        result.uuids = permute(uuids)
        result.creations = permute(creations)
        return result
    }
}
