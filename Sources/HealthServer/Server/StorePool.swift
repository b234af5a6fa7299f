import Dispatch
import Hummingbird
import NIOPosix
import Synchronization

/// The threads that work on stores. Stores are synchronous, and an event loop or a thread of Swift's own pool must
/// never wait for a disk.
final class StorePool: Sendable {
    private let requests: BoundedThreadPool
    /// SQL statements, which occupy no thread that answers other requests.
    let statements: StatementPool
    /// Imports and exports, which take minutes and wait for each other.
    private let transfers: BoundedThreadPool
    private let streaming: NIOThreadPool
    /// The number of responses being streamed.
    private let streams = Atomic<Int>(0)
    private let maximumStreams: Int

    init(limits: ServerLimits) {
        requests = BoundedThreadPool(limits.storeThreads, waiting: limits.waitingRequests)
        statements = StatementPool(limits: limits)
        transfers = BoundedThreadPool(2, waiting: limits.waitingRequests)
        streaming = NIOThreadPool(numberOfThreads: max(limits.streamingThreads, 1))
        maximumStreams = limits.streamingThreads
        streaming.start()
    }

    /// Runs work on a thread of the pool and returns its result.
    ///
    /// - Throws: the errors of `work`; ``Problem`` `overloaded` if too many requests wait; `CancellationError` if the
    ///   task was canceled before the work began.
    func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await requests.run(work)
    }

    /// Runs work that takes long on a thread of the pool, and asks whether to go on: the task is canceled when the server
    /// has waited long enough for its requests.
    ///
    /// - Throws: as ``run(_:)``.
    func run<Value: Sendable>(
        longWork: @escaping @Sendable (_ goesOn: @escaping @Sendable () -> Bool) throws -> Value
    ) async throws -> Value {
        let flag = CancellationFlag()
        return try await withTaskCancellationHandler {
            try await run { try longWork { !flag.isSet } }
        } onCancel: {
            flag.set()
        }
    }

    /// Runs an import or an export on one of two dedicated threads, and returns its result.
    ///
    /// - Parameter isLimited: Whether only so much may wait. An archive that was accepted waits for as long as it
    ///   takes.
    /// - Throws: as ``run(_:)``.
    func runTransfer<Value: Sendable>(
        isLimited: Bool = true, _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await transfers.run(isLimited: isLimited, work)
    }

    /// Returns a body that a thread produces while the client reads it.
    ///
    /// `produce` runs on a dedicated thread, which waits in ``StreamSink/write(_:)`` for a client that reads slowly.
    /// It may hold one snapshot for all it writes.
    ///
    /// - Throws: ``Problem`` `overloaded` if too many responses are streamed.
    func stream(_ produce: @escaping @Sendable (StreamSink) throws -> Void) throws -> ResponseBody {
        guard streams.add(1, ordering: .relaxed).newValue <= maximumStreams else {
            streams.subtract(1, ordering: .relaxed)
            throw Problem(
                .overloaded, "Too many responses are streamed. Repeat the request.", headers: [.retryAfter: "2"])
        }
        let lease = ReleaseAction { [self] in streams.subtract(1, ordering: .relaxed) }
        let sink = StreamSink()
        let streaming = streaming
        return ResponseBody { writer in
            // Held until the body is written, and released as well if it never is.
            _ = lease
            async let production: Void = streaming.runIfActive {
                do {
                    try produce(sink)
                    sink.finish(nil)
                } catch {
                    sink.finish(error)
                }
            }
            do {
                while var chunk = try await sink.next() {
                    // A client may take as long as its slowest rate needs for all that is being written to it: with large
                    // parts, one that reads nothing would be noticed after many minutes.
                    while let part = chunk.readSlice(length: min(chunk.readableBytes, StreamSink.chunkBytes)),
                        part.readableBytes > 0
                    {
                        try await writer.write(part)
                    }
                }
            } catch {
                sink.cancel()
                try? await production
                throw error
            }
            try await production
            try await writer.finish(nil)
        }
    }

    /// The requests that wait for a thread or run on one.
    var pendingCount: Int { requests.pendingCount }

    /// Waits for running work and ends the threads. For an import or an export that doesn't end, it waits for some seconds:
    /// the process can end in any of its steps.
    func shutdown() async {
        // The pools fail only if they were shut down before.
        try? await requests.threads.shutdownGracefully()
        await statements.shutdown()
        await transfers.shutdown(within: 10)
        try? await streaming.shutdownGracefully()
    }
}

/// Threads for which only so much work may wait.
private final class BoundedThreadPool: Sendable {
    let threads: NIOThreadPool
    /// The number of calls that wait or run.
    private let pending = Atomic<Int>(0)
    private let maximumPending: Int

    init(_ count: Int, waiting: Int) {
        threads = NIOThreadPool(numberOfThreads: max(count, 1))
        maximumPending = max(count, 1) + waiting
        threads.start()
    }

    var pendingCount: Int { pending.load(ordering: .relaxed) }

    func shutdown(within seconds: Double) async {
        let (ended, end) = AsyncStream<Void>.makeStream()
        threads.shutdownGracefully { _ in end.finish() }
        DispatchQueue.global().asyncAfter(deadline: .now() + seconds) { end.finish() }
        for await _ in ended {}
    }

    func run<Value: Sendable>(
        isLimited: Bool = true, _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        let count = pending.add(1, ordering: .relaxed).newValue
        defer { pending.subtract(1, ordering: .relaxed) }
        guard count <= maximumPending || !isLimited else {
            throw Problem(
                .overloaded, "Too many requests are waiting. Repeat the request.", headers: [.retryAfter: "1"])
        }
        return try await threads.runIfActive(work)
    }
}

/// Whether a task was canceled, for work on another thread.
private final class CancellationFlag: Sendable {
    private let value = Atomic<Bool>(false)

    var isSet: Bool { value.load(ordering: .relaxed) }

    func set() { value.store(true, ordering: .relaxed) }
}

/// Calls a closure when its last user has released it.
final class ReleaseAction: Sendable {
    private let action: @Sendable () -> Void

    init(_ action: @escaping @Sendable () -> Void) { self.action = action }

    deinit { action() }
}
