import HealthEngine
import HealthFiles
import HealthImport
import HealthModel

/// Connects a parser to a store: passes batches on to a committer and reports progress.
final class ImportRun: ArchiveSink {
    private let committer: BatchCommitter
    private let byteCount: Int?
    private let progress: (@Sendable (ImportProgress) -> Void)?
    private let checkHeader: (ArchiveHeader) throws -> Void
    private var last = ImportProgress(bytesRead: 0, bytesTotal: nil, records: 0, phase: .reading)
    /// The number of batches held back until the owner of the archive is known.
    private var batchesHeld: Int
    private var held: [BulkBatch] = []
    /// The verification of the archive; nothing is stored before it has succeeded. `nil` afterwards.
    private var verification: ArchiveVerification?
    /// The header as last read during the verification.
    private var header: ArchiveHeader?
    /// When the archive was exported, as far as its header has been read.
    private var exportDate: Double?
    /// The evidence of the person's time zone.
    private(set) var timeZone = ArchiveTimeZone()
    private let keepsLaterSummaries: Bool
    private let isInterrupted: () -> Bool

    /// The number of batches held back while the archive is verified, so that the parser need not wait.
    private static let batchesHeldForVerification = 3

    /// - Parameters:
    ///   - batchesHeld: The number of batches to hold back until the owner of the archive is known.
    ///   - verification: The verification of the archive, for a zip file.
    ///   - keepsLaterSummaries: Whether activity summaries of an archive that was exported later stay.
    ///   - isInterrupted: Whether to stop; asked for every batch.
    ///   - readHeader: Called with the header before anything is written; throws to refuse the archive.
    init(
        engine: HealthEngine, byteCount: Int?, batchesHeld: Int = 0, verification: ArchiveVerification? = nil,
        keepsLaterSummaries: Bool = true, progress: (@Sendable (ImportProgress) -> Void)?,
        isInterrupted: @escaping () -> Bool = { false },
        readHeader: @escaping (ArchiveHeader) throws -> Void
    ) {
        committer = BatchCommitter(engine: engine)
        self.byteCount = byteCount
        self.batchesHeld = batchesHeld
        self.verification = verification
        self.keepsLaterSummaries = keepsLaterSummaries
        self.progress = progress
        self.isInterrupted = isInterrupted
        checkHeader = readHeader
    }

    func readHeader(_ header: ArchiveHeader) throws {
        if verification == nil { try checkHeader(header) } else { self.header = header }
        if header.person != nil { batchesHeld = 0 }
        exportDate = header.exportDate.flatMap { ArchiveDate.parse($0) }
        (timeZone.locale, timeZone.exportDate) = (header.locale, header.exportDate)
    }

    func append(_ batch: BulkBatch) throws {
        if isInterrupted() { throw CancellationError() }
        held.append(batch)
        timeZone.add(batch)
        let isVerifying = verification.map { !$0.isFinished } ?? false
        if held.count > (isVerifying ? max(batchesHeld, Self.batchesHeldForVerification) : batchesHeld) {
            try release()
        }
    }

    func advance(bytes: Int, records: Int) {
        last = ImportProgress(bytesRead: bytes, bytesTotal: byteCount, records: records, phase: .reading)
        progress?(last)
    }

    /// Writes the remaining batches and returns the outcome of all of them.
    func finish() throws -> BulkOutcome {
        last.phase = .finishing
        progress?(last)
        try release()
        return try committer.finish()
    }

    /// Waits for the batch that is being written, discards the others, and returns the outcome of those written.
    @discardableResult
    func abandon() -> BulkOutcome? {
        held = []
        verification?.cancel()
        // The error that ended the import is thrown already.
        return try? committer.finish()
    }

    /// Removes what earlier imports added and this one did not contain. Call it after ``finish()``.
    func removeMissing(protecting types: Set<String>) throws -> [String: Int] {
        try committer.removeMissing(protecting: types)
    }

    /// Writes the batches held back. Later ones are no longer held back.
    private func release() throws {
        batchesHeld = 0
        if let verification {
            try verification.wait()
            self.verification = nil
            if let header { try checkHeader(header) }
        }
        let batches = held
        held = []
        for var batch in batches {
            batch.exportDate = exportDate
            batch.replacesLaterSummaries = !keepsLaterSummaries
            try committer.commit(batch)
        }
    }
}
