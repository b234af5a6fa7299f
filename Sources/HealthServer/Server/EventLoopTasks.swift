import Hummingbird
import HummingbirdCore
import Logging
import NIOCore

/// Handles the requests of a connection on the thread of its event loop.
///
/// A request that needs no store, or whose answer is known, is then read, answered and written by one thread. Swift's
/// own threads would have to be woken for each step. Whatever waits or computes for long must leave the event loop:
/// work on stores does it by ``StorePool``, handlers that use the HealthKit API by ``OffEventLoop``.
struct EventLoopChannel<Base: ServerChildChannel>: ServerChildChannel {
    typealias Value = Base.Value

    let base: Base

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        base.setup(channel: channel, logger: logger)
    }

    func handle(value: Value, logger: Logger) async {
        await withTaskExecutorPreference(EventLoopTaskExecutor(value.channel.eventLoop)) {
            await base.handle(value: value, logger: logger)
        }
    }
}

/// Runs tasks on the thread of an event loop.
private final class EventLoopTaskExecutor: TaskExecutor {
    private let loop: any EventLoop

    init(_ loop: any EventLoop) {
        self.loop = loop
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        // The executor is kept until its last job has run.
        loop.execute { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
}

/// Runs handlers on Swift's own threads, because they may wait for a disk or compute for long.
struct OffEventLoop<Context: RequestContext>: RouterMiddleware {
    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        try await Self.run { try await next(request, context) }
    }

    /// Runs work on Swift's own threads.
    static func run<Value: Sendable>(_ work: () async throws -> Value) async throws -> Value {
        try await withTaskExecutorPreference(globalConcurrentExecutor, operation: work)
    }
}
