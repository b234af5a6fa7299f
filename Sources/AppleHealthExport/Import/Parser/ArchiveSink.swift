import HealthEngine

/// Where a parser's batches go.
protocol ArchiveSink: AnyObject {
    /// Hears what the export says of itself, before the first batch and whenever more of it was read.
    /// What this throws ends the import before anything more is taken.
    func meet(_ header: ArchiveHeader) throws
    /// Takes a batch of the export, in the order of the stream.
    func take(_ batch: BulkBatch) throws
    /// Hears how far the parser is: bytes of the stream read, records understood.
    func advance(bytes: Int, records: Int)
}
