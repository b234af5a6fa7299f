import HealthModel

/// Gives metadata that moves from one table to another its number there, each distinct entry once.
struct MetadataNumbers {
    private var numbers: [UInt32: UInt32] = [:]
    private var last: (from: UInt32, to: UInt32) = (0, 0)

    /// The number in `table` of what has `number` in `columns`; 0 stays 0.
    mutating func number(
        of number: UInt32, in columns: SampleColumns, for table: inout [Metadata]
    ) -> UInt32 {
        guard number > 0 else { return 0 }
        if number == last.from { return last.to }
        let result: UInt32
        if let known = numbers[number] {
            result = known
        } else {
            // Equal entries of two tables become one where that is cheap to see; the page writer
            // gathers whatever remains.
            let entry = columns.metadataTable[Int(number) - 1]
            let place = table.count <= 16 ? table.firstIndex(of: entry) : nil
            if let place {
                result = UInt32(place) + 1
            } else {
                table.append(entry)
                result = UInt32(table.count)
            }
            numbers[number] = result
        }
        last = (number, result)
        return result
    }
}
