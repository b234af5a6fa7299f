import HealthModel

/// Writes a page's metadata column: a table of distinct metadata, and each row's place in it. Twin of
/// ``MetadataColumnReader``.
struct MetadataColumnWriter {
    private(set) var isEmpty = true
    private(set) var hasUserEntered = false
    private var pool = StringPoolWriter()
    private var entries = ByteWriter()
    private var entryCount = 0
    private var places: [Int64] = []

    init(_ columns: SampleColumns, rows: Range<Int>) throws(PageError) {
        guard !columns.metadata.isEmpty else { return }
        // Only the stretch of the table that these rows use: an import's table is far longer than a
        // page, and its pages use it in order.
        var least = Int.max
        var greatest = 0
        for row in rows {
            let number = Int(columns.metadata[row])
            guard number > 0 else { continue }
            least = min(least, number)
            greatest = max(greatest, number)
        }
        guard greatest <= columns.metadataTable.count else {
            throw PageError(.inconsistent, "metadata column", at: rows.lowerBound)
        }
        // -1 for a table entry not met yet.
        var known = Array(repeating: Int64(-1), count: greatest > 0 ? greatest - least + 1 : 0)
        var byContent: [[UInt8]: Int64] = [:]
        places.reserveCapacity(rows.count)
        for row in rows {
            let number = Int(columns.metadata[row])
            guard number > 0 else {
                places.append(0)
                continue
            }
            if known[number - least] < 0 {
                known[number - least] = add(columns.metadataTable[number - 1], &byContent)
            }
            places.append(known[number - least])
        }
        isEmpty = entryCount == 0
    }

    /// Metadata are the same when their bytes are: strings and numbers that merely compare equal differ.
    private mutating func add(_ metadata: Metadata, _ byContent: inout [[UInt8]: Int64]) -> Int64 {
        if metadata.isEmpty { return 0 }
        var bytes = ByteWriter()
        MetadataWriter.write(metadata, to: &bytes, pool: &pool)
        if let place = byContent[bytes.bytes] { return place }
        entryCount += 1
        byContent[bytes.bytes] = Int64(entryCount)
        entries.raw(bytes.bytes)
        if metadata.wasUserEntered { hasUserEntered = true }
        return Int64(entryCount)
    }

    func write(to writer: inout ByteWriter) {
        guard !isEmpty else { return }
        pool.write(to: &writer)
        writer.unsigned(entryCount)
        writer.raw(entries.bytes)
        places.withUnsafeBufferPointer { _ = IntegerSequenceWriter.write($0, to: &writer) }
    }
}
