import HealthEngine

/// Joins one parser with one store: batches go to the committer, word of them to whoever watches.
final class ImportRun: ArchiveSink {
    private let committer: BatchCommitter
    private let byteCount: Int?
    private let progress: (@Sendable (ImportProgress) -> Void)?
    private let greet: (ArchiveHeader) throws -> Void
    private var last = ImportProgress(bytesRead: 0, bytesTotal: nil, records: 0, phase: .reading)

    /// - Parameter greet: Hears whose archive it is before anything is written; may refuse it.
    init(
        engine: HealthEngine, byteCount: Int?, progress: (@Sendable (ImportProgress) -> Void)?,
        greet: @escaping (ArchiveHeader) throws -> Void
    ) {
        committer = BatchCommitter(engine: engine)
        self.byteCount = byteCount
        self.progress = progress
        self.greet = greet
    }

    func meet(_ header: ArchiveHeader) throws {
        try greet(header)
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

    /// Removes what earlier imports brought and this one did not; to be called after ``finish()``.
    func removeMissing(protecting types: Set<String>) throws -> [String: Int] {
        try committer.removeMissing(protecting: types)
    }
}
