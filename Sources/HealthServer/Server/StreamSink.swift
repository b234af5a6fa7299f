import Foundation
import NIOCore
import Synchronization

/// Where a thread writes a response while a task sends it: a queue of a few chunks that makes the thread wait for a
/// client that reads slowly.
final class StreamSink: Sendable {
    private struct State {
        var chunks: [ByteBuffer] = []
        var isFinished = false
        var failure: (any Error)?
        var isCanceled = false
        var reader: CheckedContinuation<Void, Never>?
    }

    /// A chunk that is sent as soon as it has this size, in bytes.
    static let chunkBytes = 64 << 10
    private static let capacity = 4

    private let state = Mutex(State())
    /// Created at 0, because a semaphore must not be released below its first value.
    private let free = DispatchSemaphore(value: 0)

    init() {
        for _ in 0..<Self.capacity { free.signal() }
    }

    /// Sends a chunk. Waits while the client hasn't read the chunks before.
    ///
    /// - Throws: `CancellationError` if the client has gone.
    func write(_ chunk: ByteBuffer) throws {
        guard chunk.readableBytes > 0 else { return }
        free.wait()
        let (isCanceled, reader) = state.withLock { state -> (Bool, CheckedContinuation<Void, Never>?) in
            guard !state.isCanceled else { return (true, nil) }
            state.chunks.append(chunk)
            defer { state.reader = nil }
            return (false, state.reader)
        }
        guard !isCanceled else {
            // Further writes fail as well, and don't wait.
            free.signal()
            throw CancellationError()
        }
        reader?.resume()
    }

    /// Sends bytes. Waits as ``write(_:)-(ByteBuffer)``.
    func write(_ bytes: [UInt8]) throws {
        try write(ByteBuffer(bytes: bytes))
    }

    /// Ends the response, with an error if it is incomplete.
    func finish(_ error: (any Error)?) {
        let reader = state.withLock { state -> CheckedContinuation<Void, Never>? in
            state.isFinished = true
            state.failure = error
            defer { state.reader = nil }
            return state.reader
        }
        reader?.resume()
    }

    /// Ends the writing thread: the client has gone.
    func cancel() {
        state.withLock { $0.isCanceled = true }
        free.signal()
    }

    /// The next chunk; `nil` at the end.
    func next() async throws -> ByteBuffer? {
        while true {
            let step = try state.withLock { state -> ByteBuffer?? in
                if !state.chunks.isEmpty { return .some(state.chunks.removeFirst()) }
                if let failure = state.failure { throw failure }
                return state.isFinished ? .some(nil) : nil
            }
            if let step {
                if step != nil { free.signal() }
                return step
            }
            await wait()
        }
    }

    /// Waits until there is a chunk, the end or a cancellation. A thread that is in the middle of its work is not
    /// interrupted; it notices the cancellation when it writes.
    private func wait() async {
        await withCheckedContinuation { continuation in
            let isReady = state.withLock { state in
                guard state.chunks.isEmpty, !state.isFinished else { return true }
                state.reader = continuation
                return false
            }
            if isReady { continuation.resume() }
        }
    }
}
