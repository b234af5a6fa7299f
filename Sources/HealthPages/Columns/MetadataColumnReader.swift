import HealthModel

/// Reads what ``MetadataColumnWriter`` wrote.
enum MetadataColumnReader {
    /// Appends the page's table and `count` numbers that point into it.
    static func append(
        _ reader: inout ByteReader, count: Int, scratch: UnsafeMutablePointer<Int64>,
        to columns: inout SampleColumns
    ) throws(PageError) {
        let pool = try StringPoolReader(&reader)
        let entries = try reader.count("metadata table", atMost: min(count, reader.remaining))
        var table: [Metadata] = []
        table.reserveCapacity(entries)
        for _ in 0..<entries { table.append(try MetadataReader.read(&reader, pool: pool)) }
        try IntegerSequenceReader.read(&reader, count: count, into: scratch, "metadata column")
        try reader.finish("metadata column")
        for row in 0..<count where scratch[row] < 0 || scratch[row] > Int64(entries) {
            throw reader.error(.inconsistent, "metadata column")
        }
        let shift = Int64(columns.metadataTable.count)
        columns.metadataTable += table
        columns.metadata.reserveCapacity(columns.metadata.count + count)
        for row in 0..<count {
            columns.metadata.append(UInt32(scratch[row] == 0 ? 0 : scratch[row] + shift))
        }
    }
}
