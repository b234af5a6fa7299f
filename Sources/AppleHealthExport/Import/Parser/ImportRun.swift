import HealthEngine

/// Joins one parser with one store: batches go to the committer, word of them to whoever watches.
final class ImportRun: ArchiveSink {
    private let committer: BatchCommitter
    private let byteCount: Int?
    private let progress: (@Sendable (ImportProgress) -> Void)?
    private var last = ImportProgress(bytesRead: 0, bytesTotal: nil, records: 0, phase: .reading)

    init(engine: HealthEngine, byteCount: Int?, progress: (@Sendable (ImportProgress) -> Void)?) {
        committer = BatchCommitter(engine: engine)
        self.byteCount = byteCount
        self.progress = progress
    }

    func take(_ batch: BulkBatch) throws {
        try committer.take(batch)
    }

    func advance(bytes: Int, records: Int) {
        last = ImportProgress(bytesRead: bytes, bytesTotal: byteCount, records: records, phase: .reading)
        progress?(last)
    }

    /// Waits for what is still being written.
    func finish() throws -> BulkOutcome {
        last.phase = .finishing
        progress?(last)
        return try committer.finish()
    }
}
