import HealthEngine
import Synchronization

/// Lets a task wait for the next commit. Commits that come while nobody waits count as one.
final class CommitSignal: Sendable {
    private struct State {
        var pending: CommitDigest?
        var waiter: CheckedContinuation<CommitDigest, any Error>?
        var isCancelled = false
        var observation: CommitObservation?
    }

    private let state = Mutex(State())

    init(_ engine: HealthEngine) {
        let observation = engine.observeCommits { [weak self] in self?.note($0) }
        state.withLock { $0.observation = observation }
    }

    /// Waits for a commit that came since the last return.
    ///
    /// - Throws: `CancellationError` when the task is cancelled; so do all later calls.
    func next() async throws -> CommitDigest {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let ready: Result<CommitDigest, any Error>? = state.withLock { state in
                    if state.isCancelled { return .failure(CancellationError()) }
                    if let digest = state.pending {
                        state.pending = nil
                        return .success(digest)
                    }
                    state.waiter = continuation
                    return nil
                }
                if let ready {
                    continuation.resume(with: ready)
                }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                state.isCancelled = true
                defer { state.waiter = nil }
                return state.waiter
            }
            waiter?.resume(throwing: CancellationError())
        }
    }

    private func note(_ commit: Commit) {
        let (waiter, digest) = state.withLock { state in
            if state.pending == nil {
                state.pending = CommitDigest(commit)
            } else {
                state.pending?.merge(commit)
            }
            guard let waiter = state.waiter else {
                return (nil as CheckedContinuation<CommitDigest, any Error>?, nil as CommitDigest?)
            }
            defer {
                state.waiter = nil
                state.pending = nil
            }
            return (waiter, state.pending)
        }
        if let waiter, let digest {
            waiter.resume(returning: digest)
        }
    }
}
