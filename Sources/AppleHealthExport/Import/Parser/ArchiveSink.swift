import HealthEngine

/// Where a parser's batches go.
protocol ArchiveSink: AnyObject {
    /// Takes a batch of the export, in the order of the stream.
    func take(_ batch: BulkBatch) throws
    /// Hears how far the parser is: bytes of the stream read, records understood.
    func advance(bytes: Int, records: Int)
}
