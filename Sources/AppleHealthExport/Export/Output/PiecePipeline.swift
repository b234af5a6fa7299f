import Dispatch
import Synchronization

/// Makes pieces of a file on all cores and writes them in the order they were asked for. Used by one
/// thread, which waits when too many pieces are under way: memory holds a few pieces, whatever the size.
final class PiecePipeline {
    /// One job under way.
    private final class Job: Sendable {
        let piece: ExportPiece
        /// The file that begins with this piece.
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
    private let take: (ExportPiece) throws -> Void
    private let queue = DispatchQueue(label: "archive export: pieces", qos: .userInitiated, attributes: .concurrent)
    private let limit: Int
    private var jobs: [Job] = []
    private var free: [ExportPiece] = []

    /// - Parameter take: Hears of every piece just before it is written, on the calling thread.
    init(output: any ArchiveOutput, style: RecordStyle, cores: Int, take: @escaping (ExportPiece) throws -> Void) {
        self.output = output
        self.style = style
        self.take = take
        limit = max(2, cores * 2)
    }

    deinit {
        // A piece must not be let go while somebody writes to it.
        for job in jobs { job.isDone.wait() }
    }

    /// Asks for the next piece: `make` appends its text, on another thread.
    ///
    /// - Parameter file: The path of the file that begins with this piece; `nil` for one that goes on.
    func submit(
        beginning file: String? = nil, _ make: @escaping @Sendable (ExportPiece) throws -> Void
    ) throws {
        if jobs.count >= limit { try handOn() }
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

    /// Writes all that is under way.
    func drain() throws {
        while !jobs.isEmpty { try handOn() }
    }

    /// Waits for the oldest job and writes its piece.
    private func handOn() throws {
        let job = jobs.removeFirst()
        job.isDone.wait()
        if let failure = job.failure.withLock({ $0 }) { throw failure }
        if let file = job.file { try output.begin(file) }
        try take(job.piece)
        try output.append(job.piece)
        job.piece.reset()
        free.append(job.piece)
    }
}
