import Dispatch
import HealthCompression
import HealthModel
import Synchronization

/// Makes the pieces of a file on all cores and writes them in the order of submission. Use it on one thread, which
/// waits while too many pieces are in progress, so that memory use does not depend on the size of the file.
final class PiecePipeline {
    /// One piece in progress.
    private final class Job: Sendable {
        let piece: ExportPiece
        /// The path of the file that begins with this piece.
        let file: String?
        let isDone = DispatchSemaphore(value: 0)
        let failure = Mutex<(any Error)?>(nil)

        init(piece: ExportPiece, file: String?) {
            self.piece = piece
            self.file = file
        }
    }

    private let output: any ArchiveOutput
    private let style: RecordStyle
    private let willWrite: (ExportPiece) throws -> Void
    private let queue = DispatchQueue(label: "archive export: pieces", qos: .userInitiated, attributes: .concurrent)
    private let limit: Int
    private var jobs: [Job] = []
    private var free: [ExportPiece] = []

    /// - Parameter willWrite: Called with every piece just before it is written, on the calling thread.
    init(output: any ArchiveOutput, style: RecordStyle, cores: Int, willWrite: @escaping (ExportPiece) throws -> Void) {
        self.output = output
        self.style = style
        self.willWrite = willWrite
        limit = max(2, cores * 2)
    }

    deinit {
        // A piece must not be released while another thread writes to it.
        for job in jobs { job.isDone.wait() }
    }

    /// Submits the next piece: `make` appends its text on another thread.
    ///
    /// - Parameter file: The path of the file that begins with this piece; `nil` for a piece that continues a file.
    func submit(
        beginning file: String? = nil, _ make: @escaping @Sendable (ExportPiece) throws -> Void
    ) throws {
        if jobs.count >= limit { try writeNext() }
        let job = Job(piece: free.popLast() ?? ExportPiece(style: style), file: file)
        jobs.append(job)
        queue.async { [output] in
            do {
                try make(job.piece)
                output.pack(job.piece)
            } catch {
                job.failure.withLock { $0 = error }
            }
            job.isDone.signal()
        }
    }

    /// Writes all pieces in progress.
    func drain() throws {
        while !jobs.isEmpty { try writeNext() }
    }

    /// Waits for the oldest job and writes its piece.
    private func writeNext() throws {
        let job = jobs.removeFirst()
        job.isDone.wait()
        if let failure = job.failure.withLock({ $0 }) { throw failure }
        if let file = job.file { try output.begin(file) }
        try willWrite(job.piece)
        try output.append(job.piece)
        job.piece.reset()
        free.append(job.piece)
    }
}

/// A piece of the archive, made and packed on one thread, then written on another. Pieces are reused together with
/// their caches.
// Unchecked: a piece belongs to one job at a time; the pipeline passes it between threads with a semaphore.
final class ExportPiece: @unchecked Sendable {
    /// The piece's text.
    let text = ByteBuffer(capacity: 1 << 20)
    /// The packed text, if the output packs.
    let packed = ByteBuffer(capacity: 1 << 10)
    /// The CRC-32 of the text, if the output needs it.
    var checksum = CRC32()
    /// Packs this piece's text.
    var deflater: Deflater?
    /// Writes records, with cached attributes from earlier pieces.
    let records: RecordWriter
    /// The counts of this piece.
    var tally = ExportTally()
    /// The lines of this piece for the supplement.
    var supplement: [SupplementEntry] = []
    /// The number of elements of each type that a reader makes samples and objects of.
    var placed: [TypeCode: Int] = [:]

    /// The buffer capacity that is retained between pieces.
    private static let maximumRetainedCapacity = 8 << 20

    init(style: RecordStyle) {
        records = RecordWriter(style: style)
    }

    /// Makes the piece ready for its next job.
    func reset() {
        text.removeAll()
        packed.removeAll()
        text.shrink(to: Self.maximumRetainedCapacity)
        packed.shrink(to: Self.maximumRetainedCapacity)
        tally = ExportTally()
        supplement = []
        placed = [:]
    }
}
