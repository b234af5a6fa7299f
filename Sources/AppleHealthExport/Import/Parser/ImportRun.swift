import HealthEngine

/// Joins one parser with one store: batches go to the committer, word of them to whoever watches.
final class ImportRun: ArchiveSink {
    private let committer: BatchCommitter
    private let byteCount: Int?
    private let progress: (@Sendable (ImportProgress) -> Void)?
    private let greet: (ArchiveHeader) throws -> Void
    private var last = ImportProgress(bytesRead: 0, bytesTotal: nil, records: 0, phase: .reading)
    /// How many batches may wait until it is known whose they are.
    private var batchesHeld: Int
    private var held: [BulkBatch] = []

    /// - Parameter batchesHeld: How many batches wait as long as the archive has not said whose it is.
    /// - Parameter greet: Hears whose archive it is before anything is written; may refuse it.
    init(
        engine: HealthEngine, byteCount: Int?, batchesHeld: Int = 0, progress: (@Sendable (ImportProgress) -> Void)?,
        greet: @escaping (ArchiveHeader) throws -> Void
    ) {
        committer = BatchCommitter(engine: engine)
        self.byteCount = byteCount
        self.batchesHeld = batchesHeld
        self.progress = progress
        self.greet = greet
    }

    func meet(_ header: ArchiveHeader) throws {
        try greet(header)
        if header.person != nil { batchesHeld = 0 }
    }

    func take(_ batch: BulkBatch) throws {
        held.append(batch)
        if held.count > batchesHeld { try release() }
    }

    func advance(bytes: Int, records: Int) {
        last = ImportProgress(bytesRead: bytes, bytesTotal: byteCount, records: records, phase: .reading)
        progress?(last)
    }

    /// Waits for what is still being written.
    func finish() throws -> BulkOutcome {
        last.phase = .finishing
        progress?(last)
        try release()
        return try committer.finish()
    }

    /// Waits for what is being written, and writes nothing more.
    func abandon() {
        held = []
        _ = try? committer.finish()
    }

    /// Removes what earlier imports brought and this one did not; to be called after ``finish()``.
    func removeMissing(protecting types: Set<String>) throws -> [String: Int] {
        try committer.removeMissing(protecting: types)
    }

    /// Writes what waits; nothing waits any more from then on.
    private func release() throws {
        batchesHeld = 0
        let batches = held
        held = []
        for batch in batches { try committer.take(batch) }
    }
}
